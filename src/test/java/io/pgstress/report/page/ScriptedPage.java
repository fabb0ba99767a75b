package io.pgstress.report.page;

import io.pgstress.result.Result;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Source;

/**
 * Runs the scripts of a page where no browser is: in an engine, on the document of {@code document.js}. There is no layout, and charts
 * are not drawn; {@code options} has what they would be drawn with.
 */
final class ScriptedPage implements AutoCloseable {
    private static final String LANGUAGE = "js";
    private static final Path DOCUMENT = Path.of("src/test/resources/report/document.js");
    private static final Pattern DATA =
            Pattern.compile("<script type=\"application/json\" id=\"(\\w+)\">(.*?)</script>", Pattern.DOTALL);
    private static final String SCRIPTS = "<script>\n'use strict';";
    private static final String END = "</script>";

    /** Keeps the compiled scripts for all pages. */
    private static final Engine ENGINE = Engine.newBuilder(LANGUAGE)
            .option("engine.WarnInterpreterOnly", "false")
            .build();

    private final Context context = Context.newBuilder(LANGUAGE).engine(ENGINE).build();

    /** @param width of the page's elements, in pixels */
    ScriptedPage(List<Result> results, int width) throws IOException {
        StringBuilder page = new StringBuilder();
        new HtmlReport().write(results, page);
        String html = page.toString();
        run(Files.readString(DOCUMENT), "document");
        run("elementWidth = " + width, "width");
        Matcher data = DATA.matcher(html);
        while (data.find()) {
            context.getBindings(LANGUAGE).putMember("given", data.group(2));
            run("byId." + data.group(1) + " = {textContent: given};", "data");
        }
        int from = html.indexOf(SCRIPTS) + "<script>".length();
        run(html.substring(from, html.indexOf(END, from)), "page");
    }

    private void run(String script, String name) throws IOException {
        context.eval(Source.newBuilder(LANGUAGE, script, name).build());
    }

    /** The value of an expression, as JSON has it: a string, a number, a boolean, a list, a map or null. */
    Object evaluate(String expression) {
        String json = context.eval(LANGUAGE, "JSON.stringify({value: (" + expression + ")})")
                .asString();
        return Json.readMap(json).get("value");
    }

    @Override
    public void close() {
        context.close();
    }
}
