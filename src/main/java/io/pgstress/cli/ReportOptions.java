package io.pgstress.cli;

import static io.pgstress.plan.option.Group.REPORTS;

import io.pgstress.plan.FigureLimit;
import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.report.Reports;
import io.pgstress.report.file.AtomicFile;
import io.pgstress.report.file.ReportFormat;
import io.pgstress.report.live.ProgressFormat;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The options of reports, progress and saved results. */
public final class ReportOptions {
    /** Why a format is refused for results of another kind. */
    static final String RUNS_ONLY = "can only show runs";

    public static final Map<ReportFormat, Option<Optional<Path>>> FILES = files();

    /** The directory for the tables of CSV. */
    public static final Option<Optional<Path>> CSV = Option.optional("csv", "DIR", Forms::path)
            .refusedIf(ReportOptions::csv)
            .help(
                    REPORTS,
                    "directory for tables as CSV",
                    "It gets "
                            + Reports.TABLES.stream()
                                    .map(table -> table.name() + ".csv")
                                    .collect(Collectors.joining(", "))
                            + ", and is created if missing.");

    public static final Option<Boolean> SAVE = Option.flag("save").help(REPORTS, "keep the result for 'stress report'");

    public static final Option<Optional<Path>> DIR = Option.optional("dir", "DIR", Forms::path)
            .help(REPORTS, "directory of saved results", "The default is in the user's data directory.");

    public static final Option<ProgressFormat> PROGRESS_FORMAT = Option.of(
                    "progress-format", "KIND", Forms.choice(ProgressFormat.class))
            .byDefault("auto")
            .help(REPORTS, "auto, line, plain, json or none");

    public static final Option<Boolean> QUIET = Option.flag("quiet").letter("q").help(REPORTS, "no progress");

    public static final Option<Optional<Listening>> LIVE = Option.optional("live", "[HOST:]PORT", Listening::parse)
            .help(
                    REPORTS,
                    "serve the page of --html during the run",
                    "Port 0: any free one. Without HOST, it listens on the loopback interface only.");

    public static final Option<Optional<Listening>> PROMETHEUS = Option.optional(
                    "prometheus", "[HOST:]PORT", Listening::parse)
            .help(
                    REPORTS,
                    "serve metrics during the run",
                    "Port 0: any free one. Without HOST, it listens on the loopback interface only.");

    public static final Option<Optional<URI>> OTLP = Option.optional("otlp", "URL", ReportOptions::httpUrl)
            .help(
                    REPORTS,
                    "send metrics by OpenTelemetry's protocol",
                    "Over HTTP, every 5 s and at the end. Without a path, /v1/metrics is added.");

    public static final Option<Duration> METRICS_LINGER = Option.of("metrics-linger", "TIME", Durations::parse)
            .byDefault("0")
            .refusedIf(o ->
                    o.isGiven(ReportOptions.METRICS_LINGER) && o.get(PROMETHEUS).isEmpty() ? "needs --prometheus" : "")
            .help(
                    REPORTS,
                    "serve metrics for this long after the reports",
                    "Prometheus then reads the last values, if this is longer than its scrape interval. 0: until the command ends.");

    public static final Option<Optional<Path>> PGBENCH_LOG = Option.optional("pgbench-log", "FILE", Forms::path)
            .refusedIf(ReportOptions::pgbenchLog)
            .help(
                    REPORTS,
                    "log of operations as by pgbench -l",
                    "It has the operations of this process that began in the measurement, in the order of each client.");

    public static final Option<Integer> AGGREGATE_INTERVAL = Option.of(
                    "aggregate-interval", "N", Forms.integer(0, 86_400))
            .byDefault("0")
            .needs(() -> ReportOptions.PGBENCH_LOG, "has no effect without --pgbench-log")
            .help(REPORTS, "one line of --pgbench-log per N seconds", "0: one line per operation.");

    /**
     * Where a server listens.
     *
     * @param host empty: the loopback interface
     */
    public record Listening(String host, int port) {
        private static final Pattern FORM = Pattern.compile("(?:\\[?([^\\]]*?)\\]?:)?(\\d{1,5})");
        private static final int MAX_PORT = 65_535;

        /**
         * Reads {@code 8080}, {@code 0.0.0.0:8080} or {@code [::]:8080}.
         *
         * @throws IllegalArgumentException if it has another form
         */
        static Listening parse(String text) {
            Matcher parts = FORM.matcher(text.strip());
            if (!parts.matches() || Integer.parseInt(parts.group(2)) > MAX_PORT) {
                throw new IllegalArgumentException("must be a port or HOST:PORT, was '" + text + "'");
            }
            return new Listening(Objects.requireNonNullElse(parts.group(1), ""), Integer.parseInt(parts.group(2)));
        }
    }

    public static final Option<List<FigureLimit>> FAIL_IF = Option.list("fail-if", "LIMIT", FigureLimit::parse)
            .help(
                    REPORTS,
                    "exit code 1 if, for example, p99>5ms",
                    "Other limits are ops/s<1000 and errors>0.1%. It may be repeated.");

    public static final Option<Boolean> VERBOSE = Option.flag("verbose")
            .help(REPORTS, "details: settings, waits, plans, machines", "It also shows where an error came from.");

    public static final List<Option<?>> OF_RUN = Option.join(
            List.copyOf(FILES.values()),
            List.of(
                    CSV,
                    PGBENCH_LOG,
                    AGGREGATE_INTERVAL,
                    FAIL_IF,
                    QUIET,
                    VERBOSE,
                    SAVE,
                    DIR,
                    PROGRESS_FORMAT,
                    LIVE,
                    PROMETHEUS,
                    METRICS_LINGER,
                    OTLP));

    /** The options of commands whose results are not runs. */
    public static final List<Option<?>> OF_FINDING = Option.join(filesOfFindings(), List.of(SAVE, DIR, QUIET, VERBOSE));

    private ReportOptions() {}

    private static Map<ReportFormat, Option<Optional<Path>>> files() {
        Map<ReportFormat, Option<Optional<Path>>> files = new LinkedHashMap<>();
        for (ReportFormat format : Reports.FILES) {
            files.put(
                    format,
                    Option.optional(format.name(), "FILE", Forms::path)
                            .refusedIf(o -> taken(o, format))
                            .help(REPORTS, format.description(), "-: stdout."));
        }
        return files;
    }

    /** Two reports cannot go to one place. */
    private static String taken(Options o, ReportFormat format) {
        Optional<Path> own = path(o, format);
        return FILES.keySet().stream()
                .takeWhile(other -> !other.equals(format))
                .filter(other -> own.isPresent() && path(o, other).equals(own))
                .map(other -> (own.get().equals(SummaryOutput.STDOUT) ? "stdout" : own.get()) + " is already used by --"
                        + other.name())
                .findFirst()
                .orElse("");
    }

    private static Optional<Path> path(Options o, ReportFormat format) {
        return o.get(Objects.requireNonNull(FILES.get(format)))
                .map(path -> path.equals(SummaryOutput.STDOUT) ? path : new AtomicFile(path).path());
    }

    /** The file of a table of CSV. */
    static Path csvFile(Path directory, ReportFormat table) {
        return directory.resolve(table.name() + ".csv");
    }

    private static URI httpUrl(String text) {
        try {
            URI url = new URI(text.strip());
            if (("http".equals(url.getScheme()) || "https".equals(url.getScheme())) && url.getHost() != null) {
                return url;
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("must be a URL such as http://localhost:4318, was '" + text + "'", e);
        }
        throw new IllegalArgumentException("must be a URL such as http://localhost:4318, was '" + text + "'");
    }

    private static String pgbenchLog(Options o) {
        Path log = o.get(PGBENCH_LOG).orElse(null);
        if (log == null) {
            return "";
        }
        if (o.has(FleetOptions.AGENTS) && o.get(FleetOptions.AGENTS).isPresent()) {
            return "can only log clients of this process, not of --agents";
        }
        return log.equals(SummaryOutput.STDOUT) ? "must be a file, because stdout is for reports" : "";
    }

    private static String csv(Options o) {
        Path directory = o.get(CSV).orElse(null);
        if (directory == null) {
            return "";
        }
        if (directory.equals(SummaryOutput.STDOUT)) {
            return "must be a directory, because each table is a file of its own";
        }
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            return directory + " is a file, and must be a directory";
        }
        return FILES.keySet().stream()
                .flatMap(format -> path(o, format).stream()
                        .filter(file -> Reports.TABLES.stream()
                                .anyMatch(table -> new AtomicFile(csvFile(directory, table))
                                        .path()
                                        .equals(file)))
                        .map(file -> file + " is already used by --" + format.name()))
                .findFirst()
                .orElse("");
    }

    /** Formats that support runs only are hidden, and refused with an explanation. */
    private static List<Option<?>> filesOfFindings() {
        List<Option<?>> files = new ArrayList<>();
        FILES.forEach((format, option) -> files.add(
                format.takesRunsOnly() ? option.hidden().refusedIf(o -> o.isGiven(option) ? RUNS_ONLY : "") : option));
        files.add(CSV.hidden().refusedIf(o -> o.isGiven(CSV) ? RUNS_ONLY : ""));
        return files;
    }
}
