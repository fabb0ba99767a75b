package io.pgstress.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The help of the main command on three screens of 24 lines: the options that are used most, the commands, the operations. */
public final class ShortHelp {
    /** The option for the help with all options. */
    public static final String ALL = "--help-all";

    private static final Pattern DEFAULT = Pattern.compile(" Default: (?!auto)([^ ]+)\\.$");
    private static final int NAMES = 27;

    private static final List<String> HEAD = List.of(
            "Usage: stress [OPTIONS]",
            "       stress COMMAND [OPTIONS]",
            "Runs load against PostgreSQL, Citus or Postgres-XL, and reports throughput and",
            "latency. Without --url, it uses an embedded PostgreSQL with sample data.");

    /** The options, with fewer words than in the full help. */
    private static final List<Map.Entry<String, String>> OPTIONS = List.of(
            Map.entry("--url", "server: URL of the JDBC driver or of libpq"),
            Map.entry("--user", "role; passwords are in ~/.pgpass"),
            Map.entry("--table", "table with _id and data"),
            Map.entry("--op", "operation, or weighted mix"),
            Map.entry("--clients", "clients"),
            Map.entry("--duration", "duration of the measurement"),
            Map.entry("--warmup", "load before the measurement"),
            Map.entry("--rate", "open load: operations per second"),
            Map.entry("--statement", "plain, extended or prepared"),
            Map.entry("--pool", "connection pool"),
            Map.entry("--transaction", "one transaction per operation"),
            Map.entry("--html", "page with charts"),
            Map.entry("--json", "the whole result"),
            Map.entry("--save", "keep the result for 'stress report'"),
            Map.entry("--fail-if", "exit code 1 if a figure exceeds its limit"),
            Map.entry("--quiet", "no progress"),
            Map.entry("--verbose", "details: settings, waits, plans, machines"),
            Map.entry("--color", "auto (on a terminal), always or never"),
            Map.entry("--help", "this help; after COMMAND, that of the command"),
            Map.entry(ALL, "all options"),
            Map.entry("--version", "version"));

    private ShortHelp() {}

    /**
     * The help.
     *
     * @param spec the main command
     * @param commands one line for each other command
     */
    public static String text(CommandSpec spec, Map<String, String> commands) {
        List<String> lines = new ArrayList<>(HEAD);
        lines.add("");
        lines.add("Options (the others: stress " + ALL + "):");
        OPTIONS.forEach(option -> lines.add(
                option(Objects.requireNonNull(spec.findOption(option.getKey()), option::getKey), option.getValue())));
        lines.add("");
        lines.add("Commands:");
        commands.forEach((name, line) -> lines.add(String.format(Locale.ROOT, "  %-12s %s", name, line)));
        lines.add("");
        lines.add("Operations for --op (with options and SQL: stress operations):");
        lines.addAll(OperationList.summaries());
        lines.add("");
        lines.add("Exit codes: 0 done; 1 not valid, or beyond a limit; 2 wrong usage; 3 no target;");
        lines.add("4 some data rejected; 130 interrupted; 143 ended by SIGTERM");
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    private static String option(OptionSpec option, String words) {
        String label = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
        String names = (option.names().length > 1 ? option.names()[0] + ", " : "    ") + option.longestName() + label;
        Matcher byDefault = DEFAULT.matcher(String.join(" ", option.description()));
        return "  " + names + " ".repeat(Math.max(1, NAMES - names.length())) + words
                + (byDefault.find() ? " (" + byDefault.group(1) + ")" : "");
    }
}
