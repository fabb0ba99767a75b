package io.pgstress.cli;

import static io.pgstress.plan.option.Group.REPORTS;

import io.pgstress.plan.FigureLimit;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Option;
import io.pgstress.report.Reports;
import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.live.ProgressFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The options of reports, progress and saved results. */
public final class ReportOptions {
    /** A file for each format. */
    public static final Map<ReportWriter, Option<Optional<Path>>> FILES = files();

    public static final Option<Boolean> SAVE =
            Option.flag("save").help(REPORTS, "Saves the result for 'stress report'.");

    public static final Option<Optional<Path>> DIR = Option.optional("dir", "DIR", Forms::path)
            .help(REPORTS, "Directory of saved results. Default: in the user's data directory.");

    public static final Option<ProgressFormat> PROGRESS_FORMAT = Option.of(
                    "progress-format", "KIND", Forms.choice(ProgressFormat.class))
            .byDefault("auto")
            .help(REPORTS, "auto, line, plain, json or none.");

    public static final Option<Boolean> QUIET = Option.flag("quiet").letter("q").help(REPORTS, "Shows no progress.");

    public static final Option<Optional<Integer>> LIVE = Option.optional("live", "PORT", Forms.integer(0, 65_535))
            .help(
                    REPORTS,
                    "Serves the page of --html on this port and updates it during the run; 0: on any free port.");

    public static final Option<Optional<String>> LIVE_HOST = Option.optional("live-host", "HOST", Forms::text)
            .refusedIf(o -> o.isGiven(ReportOptions.LIVE_HOST) && !o.isGiven(LIVE) ? "needs --live" : "")
            .help(REPORTS, "Address to serve the live page on. Default: the loopback interface only.");

    public static final Option<Optional<Integer>> PROMETHEUS = Option.optional(
                    "prometheus", "PORT", Forms.integer(0, 65_535))
            .help(REPORTS, "Serves metrics on this port during the run; 0: on any free port.");

    public static final Option<Optional<String>> PROMETHEUS_HOST = Option.optional(
                    "prometheus-host", "HOST", Forms::text)
            .refusedIf(
                    o -> o.isGiven(ReportOptions.PROMETHEUS_HOST) && !o.isGiven(PROMETHEUS) ? "needs --prometheus" : "")
            .help(REPORTS, "Address to serve metrics on. Default: the loopback interface only.");

    public static final Option<List<FigureLimit>> FAIL_IF = Option.list("fail-if", "LIMIT", FigureLimit::parse)
            .help(
                    REPORTS,
                    "Exit code 1 if a figure exceeds its limit, such as 'p99>5ms', 'ops/s<1000' or 'errors>0.1%'; may"
                            + " be repeated.");

    public static final Option<Boolean> VERBOSE = Option.flag("verbose")
            .help(REPORTS, "Also shows details (settings, waits, statements, plans) and where an error came from.");

    /** The options of runs. */
    public static final List<Option<?>> OF_RUN = with(
            FILES.values(),
            SAVE,
            DIR,
            PROGRESS_FORMAT,
            QUIET,
            LIVE,
            LIVE_HOST,
            PROMETHEUS,
            PROMETHEUS_HOST,
            FAIL_IF,
            VERBOSE);

    /** The options of commands whose results are not runs. */
    public static final List<Option<?>> OF_FINDING = with(FILES.values(), SAVE, DIR, QUIET, VERBOSE);

    /** The options that only runs have. */
    public static final List<Option<?>> OF_RUN_ONLY =
            List.of(PROGRESS_FORMAT, LIVE, LIVE_HOST, PROMETHEUS, PROMETHEUS_HOST, FAIL_IF);

    /** Formats that support runs only. Other commands do not list them, and reject them with an explanation. */
    public static final Set<Option<?>> FILES_OF_RUNS = FILES.entrySet().stream()
            .filter(e -> e.getKey().takesRunsOnly())
            .map(Map.Entry::getValue)
            .collect(Collectors.toSet());

    private ReportOptions() {}

    private static Map<ReportWriter, Option<Optional<Path>>> files() {
        Map<ReportWriter, Option<Optional<Path>>> files = new LinkedHashMap<>();
        for (ReportWriter writer : Reports.FILES) {
            files.put(
                    writer,
                    Option.optional(writer.name(), "FILE", Forms::path)
                            .help(REPORTS, writer.description() + " - is stdout."));
        }
        return files;
    }

    public static List<Option<?>> with(Collection<? extends Option<?>> some, Option<?>... more) {
        List<Option<?>> all = new ArrayList<>(some);
        all.addAll(List.of(more));
        return List.copyOf(all);
    }
}
