package io.pgstress.result;

import io.pgstress.text.Rounded;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All remarks that a result can have. The cause, the consequence and the action of each are in the table {@code result/remarks.md} of the
 * resources. Codes are stable, because programs compare them.
 */
public enum RemarkCode {
    // The end of the run

    ENDED_EARLY,
    STOPPED_EARLY,

    // Outcomes of operations

    NO_SUCCESS,
    NO_SUCCESS_OF,
    NOTHING_MEASURED,
    NONE_ENDED,
    TOO_MANY_FAILED,
    FAILED,
    MISSES,
    DUPLICATES,
    UNFINISHED,
    P99_IS_LOWER_BOUND,
    HUNG_CLIENTS,

    // Availability

    SERVER_UNAVAILABLE,
    CONNECTIONS_BROKE,
    SERVER_SILENT,
    SERVER_SILENT_AFTERWARDS,
    CHECKS_UNANSWERED,
    ALL_SERVERS_SILENT,
    OUTAGE,
    OUTAGES,
    MOSTLY_IDLE,
    LOCK_WAITS,
    STALL,
    LONG_OPERATION,

    // The slowest operations

    SLOW_ON_LOCKS,
    SLOW_ON_IO,
    SLOW_ON_CPU,
    SLOW_ON_CLIENT,
    SLOW_ON_CONNECTIONS,
    SLOW_ON_WAITS,
    SLOW_DURING,
    SLOW_UNEXPLAINED,

    // The load

    OVERLOAD,
    OVERLOAD_IN_FIRST_STEP,
    OVERLOAD_IN_STEPS,
    BEHIND_AFTER_OUTAGE,
    IN_FLIGHT,
    IDS_USED_UP_OFTEN,
    WARMUP_CUT,
    UNSTEADY,
    UNSTEADY_AFTER_WARMUP,
    FEW_INTERVALS,
    SHORT_WINDOW,
    RATE_OF_WINDOW,
    IDLE_CLIENTS,
    UNEVEN_CLIENTS,
    CONNECTION_WAITS,

    // The client

    OTHERS_FILLED_MACHINE,
    OTHERS_STARVED_CLIENT,
    SHARED_HOST,
    SHARED_HOST_FULL,
    SHARED_HOST_WAITS,
    CLIENT_CPU,
    GENERATOR_CEILING,
    CLIENT_HOST_FULL,
    CLIENT_COLLECTOR,
    CLIENT_COMPILER,
    CLIENT_WAITS,
    CLIENT_STARVED,
    CLIENT_STOOD_STILL,
    CLIENT_STOOD_STILL_LONG,
    LATE_READINGS,
    WALL_CLOCK,
    OPEN_FILES,

    // Machines and servers

    HUGE_PAGES,
    SINGLE_RECEIVE_QUEUE,
    FEW_CONNECTIONS,
    FEW_PREPARED,
    GTM_SHARED,
    SHARED_SESSIONS,
    SEVERAL_SERVERS,
    SETTINGS_BY_SQL,
    POSTGRES_XL_LOSES_INSERTS,
    POSTGRES_XL_PANICS,
    POSTGRES_XL_KEEPS_OLD_ROWS,
    GREENPLUM_LOCKS_TABLES,
    CHECKPOINT,
    AUTOVACUUM,
    AUTOVACUUM_FROM_BEFORE,

    // The bottleneck

    CPU_OF_SHARED_MACHINE,
    CPU_OF_MACHINE,
    DISK_OF_MACHINE,
    CPU_OF_INTERRUPTS,
    CPU_STOLEN,
    CPU_QUOTA_USED_UP,
    MEMORY_LIMIT_REACHED,
    NO_MACHINE_FULL,
    NO_OBSERVED_MACHINE_FULL,
    MACHINES_NOT_OBSERVED,
    CORES_OF_QUOTAS,
    CPU_OF_SHARED_MACHINE_NOT_FULL,
    CPU_NOT_FULL,
    GENERATOR_SHARE,
    PAUSES_INCLUDED,

    // Tables

    WRITES_NOT_CHECKED,
    INSERTS_MISSING,
    DELETED_ROWS_LEFT,
    ROWS_DIFFER,
    IDS_DIFFER,
    UPDATES_NOT_COUNTED,
    UPDATES_MISSING,
    WRITES_DISCARDED,
    COUNTS_DIFFER,
    ROWS_DISCARDED,
    BALANCES_DIFFER,
    COPIES_MISSING,
    LOAD_ROWS_MISSING,
    INDEXES_MISSING,
    EMPTY_RESULT_USED,
    PREPARED_LEFT,
    COPY_TABLE_RESET,
    CHECKS_TOO_SLOW,
    CHECKS_ABORTED,
    CHECKS_WITHOUT_SERVER,
    CHECKS_REFUSED,
    INSERTS_FOUND,
    DELETED_ROWS_GONE,
    ROWS_AGREE,
    OTHERS_WROTE,
    OUTCOMES_UNKNOWN,
    LOST_HOST_ROWS,
    LOST_HOST_WROTE,
    CHECKED_AT_RESETS,
    UPDATES_COUNTED,
    UPDATES_FOUND,
    UPDATED_ROWS_DELETED,
    STEP_NOT_CHECKED,
    COUNTS_AGREE,
    BALANCES_AGREE,
    TABLES_CREATED,
    TABLE_SIZES,
    FILE_LOADED,
    TABLE_READ,
    SCAN_PLAN,
    TABLES_NOT_CHECKED,
    TABLE_GREW,
    IDS_NOT_UNIQUE,

    // Several hosts

    HOST_LOST,
    HOST_LOST_AS_TOLERATED,
    HOST_IS_LOST,
    HOST_DIFFERS,
    HOST_NOT_VALID,
    HOST_MESSAGES_MISSING,
    HOST_MEASURED_OTHERWISE,
    HOST_GONE,
    HOST_DID_NOT_SEND,
    CLOCK_UNSURE,
    CLOCK_UNKNOWN,
    INSECURE_FLEET,
    MERGED_APART,
    MERGED_WITHOUT_TIMES,

    // Comparisons and searches

    VARIANT_CLIENT_CPU,
    FEW_OPERATIONS_PER_BLOCK,
    SERVERS_DIFFER,
    LIMIT_NOT_CHECKED,
    DEFAULTS_DIFFER,
    EARLIER_RESULT,
    EARLIER_CIRCUMSTANCES,
    EARLIER_CLIENTS,
    KNEE_NOT_REACHED,
    KNEE_NOT_DETERMINED,
    RATE_NOT_CONFIRMED,
    GENERATOR_IS_LIMIT,

    // Causes of a difference between variants

    CAUSE_PLANS,
    CAUSE_NODES_TOUCHED,
    CAUSE_TWO_PHASE_COMMITS,
    CAUSE_NODE_STATEMENTS,
    CAUSE_ROUND_TRIPS,
    CAUSE_GENERIC_PLANS,
    CAUSE_CONNECTION_WAITS,
    CAUSE_SERVER_STATEMENTS,
    CAUSE_WAL,
    CAUSE_BLOCKS_READ,
    CAUSE_BLOCKS_HIT,
    CAUSE_SERVER_TIME,
    CAUSE_SERVER_CPU,
    CAUSE_BYTES_SENT,
    CAUSE_BYTES_RECEIVED,
    CAUSE_OPERATION_WAITS,
    CAUSE_WAITS,
    CAUSE_QUOTA,
    CAUSE_CPU,
    CAUSE_CLIENT_CPU,

    // What could not be read

    NOT_READABLE,
    WAL_NOT_READABLE,
    RIGHT_MISSING,
    STATEMENTS_UNAVAILABLE,
    STATEMENTS_DROPPED,
    STATEMENTS_RESET,
    TWO_PHASE_AT_LEAST,
    STATEMENTS_NOT_READ_BEFORE,
    STATEMENTS_NOT_EXPLAINED,
    COUNTERS_NOT_READ_BEFORE,
    COUNTERS_RESET,
    SILENT_AFTER_RUN,
    SESSIONS_LEFT,
    NODES_NOT_READABLE,
    IDLE_SERVERS,
    WATCHED_HOST_NOT_READABLE;

    /** What a remark does to the validity of a result. */
    public enum Severity {
        /** The figures may not be used. */
        NOT_VALID,
        /** The figures may be used with regard to this. */
        WARNING,
        /** Says why figures are as they are. */
        CAUSE,
        /** Says what else was seen, or which figures are missing. */
        NOTE
    }

    /** The rows of the table by code: code, severity, cause, consequence and action. */
    private static final class Table {
        /** A figure in a sentence: {@code {percent:.1f}}; a text without a conversion. */
        static final Pattern FIGURE = Pattern.compile("\\{(\\w+)(?::([^}]+))?}");

        /** A figure that may be counting what follows it: {@code {rows:,d} rows}, {@code {rows:,d} deleted rows}. */
        static final Pattern COUNT = Pattern.compile(FIGURE + "(?:(?<=[df]})((?: [a-z]+ed)? [A-Za-z]{2,})s\\b)?");

        /** A figure that is a part of another, or a time before it. */
        static final Pattern PART =
                Pattern.compile("\\{(\\w+):[^}]+}(?: \\w+)? (?:of|to)(?: its| the)? \\{(\\w+):[^}]+}");

        /** A link of Markdown to a page of the documentation, or to a section of {@code measurement.md}. */
        static final Pattern LINK = Pattern.compile("\\[([^]]+)]\\(([^#)]*)(?:#[^)]*)?\\)");

        static final Map<String, List<String>> ROWS = read();

        private static Map<String, List<String>> read() {
            InputStream file = Objects.requireNonNull(RemarkCode.class.getResourceAsStream("/result/remarks.md"));
            try (BufferedReader in = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
                return in.lines()
                        .filter(line -> line.startsWith("| ") && !line.startsWith("| code "))
                        .map(line -> List.of(line.substring(2).split(" \\|( |$)", -1)))
                        .collect(Collectors.toMap(row -> row.get(0), row -> row));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Markdown as plain text, with the file of a page in parentheses after each link. */
        static String plain(String markdown) {
            return LINK.matcher(markdown.replace("`", ""))
                    .replaceAll(link -> link.group(1) + " (docs/"
                            + (link.group(2).isEmpty() ? "measurement.md" : link.group(2)) + ")");
        }

        /** A text with these figures; a {@link Remark#or range} is shown as {@code 1.2 to 3.4}, numbers by name
         * as {@code server 67%, client 31%}. What a number of 1 counts is in the singular. */
        static String filled(String text, Map<String, ?> figures) {
            return COUNT.matcher(text).replaceAll(count -> {
                String figure = filled(
                        "%" + Objects.requireNonNullElse(count.group(2), "s"),
                        Objects.requireNonNull(figures.get(count.group(1)), count.group(1)));
                String noun = count.group(3);
                return Matcher.quoteReplacement(
                        noun == null ? figure : figure + noun + (figure.equals("1") ? "" : "s"));
            });
        }

        private static String filled(String conversion, Object figure) {
            if (figure instanceof Map<?, ?> range && range.containsKey(Remark.MIN)) {
                String min = filled(conversion, Objects.requireNonNull(range.get(Remark.MIN)));
                String max = filled(conversion, Objects.requireNonNull(range.get(Remark.MAX)));
                return min.equals(max) ? min : min + " to " + max;
            }
            if (figure instanceof Map<?, ?> byName) {
                return byName.entrySet().stream()
                        .map(named ->
                                named.getKey() + " " + filled(conversion, Objects.requireNonNull(named.getValue())))
                        .collect(Collectors.joining(", "));
            }
            return Rounded.format(conversion, figure);
        }
    }

    private static final double MUCH_LARGER = 1.5;

    private final Severity severity;
    private final String cause;
    private final String consequence;
    private final String action;

    RemarkCode() {
        List<String> row = Objects.requireNonNull(Table.ROWS.get(name()), name());
        severity = Severity.valueOf(row.get(1).toUpperCase(Locale.ROOT).replace(' ', '_'));
        cause = row.get(2);
        consequence = row.get(3);
        action = row.get(4);
    }

    /** In small letters, the codes of all reasons for which a result is not valid. */
    public static List<String> reasons() {
        return Stream.of(values())
                .filter(code -> code.severity == Severity.NOT_VALID)
                .map(RemarkCode::word)
                .toList();
    }

    /** The code with this word, as {@link #reasons} has it. */
    public static RemarkCode ofWord(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Severity severity() {
        return severity;
    }

    /** What was seen: a sentence without a period at its end, with its figures in braces. */
    public String cause() {
        return cause;
    }

    /** What follows for the reader of the result, in a sentence with its figures in braces; empty if it is obvious. */
    public String consequence() {
        return consequence;
    }

    /**
     * What to do about it, in sentences with their figures in braces; empty if nothing can be done. Links are those of {@code
     * docs/measurement.md}.
     */
    public String action() {
        return action;
    }

    /** The names of the figures, in the order in which they first stand in the row. Units are part of the names. */
    public List<String> figures() {
        return Table.FIGURE
                .matcher(cause + consequence + action)
                .results()
                .map(figure -> figure.group(1))
                .distinct()
                .toList();
    }

    /** Whether no number that the cause gives as a part of another is much larger than it, as if figures were confused. */
    boolean hasParts(Map<String, ?> figures) {
        return Table.PART
                .matcher(cause)
                .results()
                .allMatch(parts -> !(figures.get(parts.group(1)) instanceof Number part)
                        || !(figures.get(parts.group(2)) instanceof Number whole)
                        || part.doubleValue() <= MUCH_LARGER * whole.doubleValue());
    }

    /** The cause with these figures. */
    String text(Map<String, ?> figures) {
        return Table.filled(cause, figures);
    }

    /** The consequence and the action with these figures, as plain text. */
    String advice(Map<String, ?> figures) {
        return Table.filled(Table.plain((consequence + " " + action).strip()), figures);
    }
}
