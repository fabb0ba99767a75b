package io.pgstress.cli;

import static io.pgstress.plan.option.Group.REPORTS;

import io.pgstress.extra.history.Trend;
import io.pgstress.extra.history.TrendPage;
import io.pgstress.extra.history.TrendText;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.report.file.AtomicFile;
import io.pgstress.report.file.History;
import io.pgstress.report.file.ReportFormat;
import io.pgstress.report.file.ResultFile;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The changes over the kept results: on stdout, as a page, as JSON, and as an exit code. */
public final class HistoryReport {
    public static final Option<Boolean> HISTORY = Option.flag("history")
            .help(REPORTS, "Finds changes over the saved results, or the named ones, of each test.");

    private static final Option<Boolean> FAIL = Option.flag("fail-on-change")
            .needs(() -> HISTORY, "needs --history")
            .help(REPORTS, "With --history: exit code 1 if a figure became worse in the last runs (--last-runs).");

    private static final Option<Integer> LAST = Option.of("last-runs", "N", Forms.integer(1, 1_000_000))
            .byDefault("10")
            .needs(() -> HISTORY, "needs --history")
            .help(REPORTS, "The number of runs of a test that --fail-on-change is about.");

    /** All of them, in the order of the help. */
    public static final List<Option<?>> OPTIONS = List.of(HISTORY, FAIL, LAST);

    /** The formats of its files. */
    private static final List<String> FORMATS = List.of("html", "json");

    private final Options options;
    private final Optional<AtomicFile> html;
    private final Optional<AtomicFile> json;

    public HistoryReport(Options options) {
        this.options = options;
        this.html = file("html");
        this.json = file("json");
    }

    /** Why a format of reports is refused with {@code --history}; an empty string: it is not. */
    static String refusal(Options o, ReportFormat writer, Option<Optional<Path>> file) {
        if (!o.get(HISTORY) || !o.isGiven(file)) {
            return "";
        }
        if (!FORMATS.contains(writer.name())) {
            return "cannot show a history";
        }
        return o.get(file).equals(Optional.of(SummaryOutput.STDOUT))
                ? "a history has the text for people on stdout; name a file"
                : "";
    }

    private Optional<AtomicFile> file(String format) {
        return ReportOptions.FILES.entrySet().stream()
                .filter(e -> e.getKey().name().equals(format))
                .flatMap(e -> options.get(e.getValue()).stream())
                .map(AtomicFile::new)
                .findFirst();
    }

    /** Checks that the files can be written. */
    public void touch() throws IOException {
        for (AtomicFile file : Stream.of(html, json).flatMap(Optional::stream).toList()) {
            file.touch();
        }
    }

    /**
     * Writes the reports.
     *
     * @param files the results; none: all that are kept
     * @return whether {@code --fail-on-change} asks for exit code 1
     */
    public boolean write(History history, List<Path> files, Streams streams) throws IOException {
        Trend.Collector trends = new Trend.Collector();
        if (files.isEmpty()) {
            history.each(entry -> trends.add(entry.result()));
        } else {
            for (Path file : files) {
                trends.add(ResultFile.read(file));
            }
        }
        List<Trend> found = trends.find();
        if (found.isEmpty()) {
            streams.err()
                    .println("stress: there are no runs in "
                            + (files.isEmpty() ? history.directory() + "; save them with --save" : "these results"));
            return false;
        }
        TrendText.write(found, streams.out());
        streams.out().flush();
        if (trends.others() > 0) {
            streams.err()
                    .println("stress: " + trends.others()
                            + " of the results are comparisons or scalings; a history has runs only");
        }
        if (html.isPresent()) {
            html.get().write(out -> TrendPage.write(found, out));
        }
        if (json.isPresent()) {
            json.get().write(out -> out.append(Json.write(found)).append('\n'));
        }
        int last = options.get(LAST);
        return options.get(FAIL) && found.stream().anyMatch(trend -> trend.hasRecentWorsening(last));
    }
}
