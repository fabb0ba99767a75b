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
import io.pgstress.report.file.ResultFile;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The changes over the kept results: on stdout, as a page, as JSON, and as an exit code. */
public final class HistoryReport {
    public static final Option<Boolean> HISTORY = Option.flag("history")
            .help(REPORTS, "find changes over the saved results of a test", "Or over the results that are named.");

    private static final Option<Boolean> FAIL = Option.flag("fail-on-change")
            .needs(() -> HISTORY, "needs --history")
            .help(REPORTS, "exit code 1 if a figure became worse");

    private static final Option<Integer> LAST = Option.of("last-runs", "N", Forms.integer(1, 1_000_000))
            .byDefault("10")
            .needs(() -> HISTORY, "needs --history")
            .help(REPORTS, "runs of a test that --fail-on-change checks");

    /** All of them, in the order of the help. */
    public static final List<Option<?>> OPTIONS = List.of(HISTORY, FAIL, LAST);

    /** Writes trends in a format. */
    private interface Format {
        void write(List<Trend> trends, Appendable out) throws IOException;
    }

    private static final Map<String, Format> FORMATS = Map.of(
            "html",
            TrendPage::write,
            "json",
            (trends, out) -> out.append(Json.write(trends)).append('\n'));

    private final Options options;
    private final Map<AtomicFile, Format> files = new LinkedHashMap<>();

    public HistoryReport(Options options) {
        this.options = options;
        ReportOptions.FILES.forEach((format, option) -> options.get(option)
                .ifPresent(
                        path -> files.put(new AtomicFile(path), Objects.requireNonNull(FORMATS.get(format.name())))));
    }

    /** Why a format of reports is refused with {@code --history}; an empty string: it is not. */
    static String refusal(Options o, String format, Option<Optional<Path>> file) {
        if (!o.get(HISTORY) || !o.isGiven(file)) {
            return "";
        }
        if (!FORMATS.containsKey(format)) {
            return "cannot show a history";
        }
        return o.get(file).equals(Optional.of(SummaryOutput.STDOUT))
                ? "a history has the text for people on stdout; name a file"
                : "";
    }

    /** Checks that the files can be written. */
    public void touch() throws IOException {
        for (AtomicFile file : files.keySet()) {
            file.touch();
        }
    }

    /**
     * Writes the reports.
     *
     * @param results none: all that are kept
     * @return whether {@code --fail-on-change} asks for exit code 1
     */
    public boolean write(History history, List<Path> results, Streams streams) throws IOException {
        Trend.Collector trends = new Trend.Collector();
        if (results.isEmpty()) {
            history.each(entry -> trends.add(entry.result()));
        } else {
            for (Path file : results) {
                trends.add(ResultFile.read(file));
            }
        }
        List<Trend> found = trends.find();
        if (found.isEmpty()) {
            streams.note("there are no runs in "
                    + (results.isEmpty() ? history.directory() + "; save them with --save" : "these results"));
            return false;
        }
        TrendText.write(found, streams.out());
        streams.out().flush();
        if (trends.others() > 0) {
            streams.note(trends.others() + " of the results are comparisons or scalings; a history has runs only");
        }
        for (Map.Entry<AtomicFile, Format> file : files.entrySet()) {
            file.getKey().write(out -> file.getValue().write(found, out));
        }
        int last = options.get(LAST);
        return options.get(FAIL) && found.stream().anyMatch(trend -> trend.hasRecentWorsening(last));
    }
}
