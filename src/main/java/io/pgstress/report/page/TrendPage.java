package io.pgstress.report.page;

import io.pgstress.extra.history.Change;
import io.pgstress.extra.history.Figure;
import io.pgstress.extra.history.KeptRun;
import io.pgstress.extra.history.Trend;
import io.pgstress.report.text.TrendText;
import java.io.IOException;
import java.util.List;

/** A page that plots the kept results of each test, with the changes that were found. It needs no scripts. */
public final class TrendPage {
    private TrendPage() {}

    public static void write(List<Trend> trends, Appendable out) throws IOException {
        out.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .append("<meta http-equiv=\"Content-Security-Policy\"")
                .append(" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n")
                .append("<meta name=\"generator\" content=\"pgstress\">\n<title>pgstress: history</title>\n<style>\n")
                .append(Resources.own("report.css"))
                .append(Resources.own("trend.css"))
                .append("</style>\n</head>\n<body>\n<header><h1>pgstress history</h1></header>\n<main>\n");
        for (Trend trend : trends) {
            write(trend, out);
        }
        out.append("</main>\n</body>\n</html>\n");
    }

    private static void write(Trend trend, Appendable out) throws IOException {
        out.append("<section>\n<h2>")
                .append(escape(trend.test()))
                .append("</h2>\n<p class=\"note\">")
                .append(escape(TrendText.runs(trend)))
                .append("</p>\n");
        changes(trend, out);
        for (Figure figure : Figure.values()) {
            List<KeptRun> runs = trend.runs().stream()
                    .filter(r -> r.figures().containsKey(figure))
                    .toList();
            if (runs.size() > 1) {
                plot(trend, figure, out);
            }
        }
        out.append("</section>\n");
    }

    private static void changes(Trend trend, Appendable out) throws IOException {
        if (trend.changes().isEmpty()) {
            out.append("<p>No change found.</p>\n");
            return;
        }
        out.append("<ul>\n");
        for (Change change : trend.changes()) {
            out.append("<li class=\"")
                    .append(change.worse() ? "worse" : "better")
                    .append("\">")
                    .append(escape(TrendText.sentence(change, trend.runs())));
            for (String other : change.alsoChanged()) {
                out.append("<br>with it changed: ").append(escape(other));
            }
            out.append("</li>\n");
        }
        out.append("</ul>\n");
    }

    private static void plot(Trend trend, Figure figure, Appendable out) throws IOException {
        List<Change> changes =
                trend.changes().stream().filter(c -> c.figure() == figure).toList();
        out.append("<figure><h3>")
                .append(figure.label())
                .append("</h3>\n")
                .append(new TrendPlot(figure, trend.runs(), changes).svg());
        table(trend, figure, out);
        out.append("</figure>\n");
    }

    private static void table(Trend trend, Figure figure, Appendable out) throws IOException {
        out.append("<details><summary>The figures</summary><div class=\"scroll\" tabindex=\"0\"><table><caption>")
                .append(figure.label())
                .append(" of each run</caption><thead><tr><th scope=\"col\">run</th><th scope=\"col\">started</th>")
                .append("<th scope=\"col\" class=\"n\">")
                .append(figure.label())
                .append("</th></tr></thead><tbody>\n");
        for (KeptRun run : trend.runs()) {
            Double value = run.figures().get(figure);
            out.append("<tr><th scope=\"row\">")
                    .append(escape(run.id()))
                    .append("</th><td>")
                    .append(escape(run.startedAt()))
                    .append("</td><td class=\"n\">")
                    .append(value == null ? "-" : TrendText.value(figure, value))
                    .append("</td></tr>\n");
        }
        out.append("</tbody></table></div></details>\n");
    }

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
