package io.pgstress.measure;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The counts and times of one operation, in one interval or over many. Not thread-safe. */
public final class Cell {
    final long[] outcomes = new long[Outcome.values().length];
    final long[] carried = new long[Outcome.values().length];
    long rows;
    long carriedRows;
    long carriedNanos;
    long retries;
    long late;
    final Map<String, ErrorTally> errors = new TreeMap<>();
    final Map<String, ErrorTally> retried = new TreeMap<>();
    final LatencyHistogram[] times;
    final StatementCell[] statements;

    /**
     * The number of errors with one SQLSTATE, and of each message: one state may stand for several faults.
     *
     * @param messages by what messages of one fault have in common; at most {@value #MAX_MESSAGES}, others are in the count only
     */
    public record ErrorTally(long count, Map<String, MessageTally> messages) {
        static final int MAX_MESSAGES = 8;

        /** An address and the name of a node stay, because they tell one fault from another. */
        private static final Pattern VARIABLE =
                Pattern.compile("([\\w.-]+:\\d+|(?<=\\bnode )[a-zA-Z_][\\w$-]*)|\"[^\"]*\"|'[^']*'|\\d+");

        public ErrorTally {
            messages = new LinkedHashMap<>(messages);
        }

        /** One error. */
        static ErrorTally of(String message, boolean sessionContinued) {
            return new ErrorTally(
                    1, Map.of(commonPart(message), new MessageTally(1, sessionContinued ? 1 : 0, message)));
        }

        /** The message without names and numbers, which differ between errors of one fault. */
        private static String commonPart(String message) {
            return VARIABLE.matcher(message)
                    .replaceAll(part -> Matcher.quoteReplacement(part.group(1) == null ? "…" : part.group(1)));
        }

        private ErrorTally plus(ErrorTally other) {
            ErrorTally sum = new ErrorTally(count + other.count, messages);
            other.messages.forEach((text, tally) -> {
                if (sum.messages.size() < MAX_MESSAGES || sum.messages.containsKey(text)) {
                    sum.messages.merge(text, tally, MessageTally::plus);
                }
            });
            return sum;
        }

        /** The messages, the most frequent first. */
        public List<MessageTally> byCount() {
            return messages.values().stream()
                    .sorted(Comparator.comparingLong(MessageTally::count).reversed())
                    .toList();
        }
    }

    /**
     * The number of errors with one message.
     *
     * @param continued how many of them left the session usable: the server itself reported them
     * @param sample the first one as it was
     */
    public record MessageTally(long count, long continued, String sample) {
        private MessageTally plus(MessageTally other) {
            return new MessageTally(count + other.count, continued + other.continued, sample);
        }
    }

    Cell(int statements) {
        times = new LatencyHistogram[Time.values().length];
        this.statements = new StatementCell[statements];
        for (int i = 0; i < statements; i++) {
            this.statements[i] = new StatementCell();
        }
    }

    public long count(Outcome outcome) {
        return outcomes[outcome.ordinal()];
    }

    /**
     * Operations that ended here, whenever they began; rates use this. {@link #count} has those that also started within the
     * measurement; percentiles use that.
     */
    public long completed(Outcome outcome) {
        return outcomes[outcome.ordinal()] + carried[outcome.ordinal()];
    }

    /** Operations of any outcome that ended here, whenever they began. */
    public long completed() {
        long sum = 0;
        for (Outcome outcome : Outcome.values()) {
            sum += outcome == Outcome.UNFINISHED ? 0 : completed(outcome);
        }
        return sum;
    }

    /** Time that operations started in the warm-up spent within the measurement. */
    public long carriedNanos() {
        return carriedNanos;
    }

    /** The rows of the successful operations that ended here. */
    public long completedRows() {
        return rows + carriedRows;
    }

    public long rows() {
        return rows;
    }

    public long retries() {
        return retries;
    }

    public long late() {
        return late;
    }

    /** Errors in the order of their SQLSTATE. */
    public Map<String, ErrorTally> errors() {
        return errors;
    }

    /** Errors after which the operation was tried again, in the order of their SQLSTATE. */
    public Map<String, ErrorTally> retried() {
        return retried;
    }

    /** The times of this kind; null if none was recorded. */
    public @Nullable LatencyHistogram times(Time time) {
        return times[time.ordinal()];
    }

    /** The counts and times of the statement with this index. */
    public StatementCell statement(int index) {
        return statements[index];
    }

    void time(Time time, long nanos) {
        time(time, nanos, 1);
    }

    void time(Time time, long nanos, long count) {
        LatencyHistogram histogram = times[time.ordinal()];
        if (histogram == null) {
            histogram = new LatencyHistogram();
            times[time.ordinal()] = histogram;
        }
        histogram.record(nanos, count);
    }

    void error(String sqlState, String message, boolean sessionContinued) {
        errors.merge(sqlState, ErrorTally.of(message, sessionContinued), ErrorTally::plus);
    }

    void retried(String sqlState, String message) {
        retried.merge(sqlState, ErrorTally.of(message, true), ErrorTally::plus);
    }

    /** The counts of outcomes and rows minus those of the other; without times and errors. */
    public Cell minusCounts(Cell other) {
        Cell difference = new Cell(0);
        for (int i = 0; i < outcomes.length; i++) {
            difference.outcomes[i] = outcomes[i] - other.outcomes[i];
            difference.carried[i] = carried[i] - other.carried[i];
        }
        difference.rows = rows - other.rows;
        difference.carriedRows = carriedRows - other.carriedRows;
        difference.carriedNanos = carriedNanos - other.carriedNanos;
        return difference;
    }

    /** Compresses its histograms. */
    void pack() {
        for (LatencyHistogram histogram : times) {
            if (histogram != null) {
                histogram.pack();
            }
        }
        for (StatementCell statement : statements) {
            if (statement.times != null) {
                statement.times.pack();
            }
        }
    }

    /** Adds the contents of another cell, which must have at least this one's statements. */
    void add(Cell other) {
        includeOutcomes(other);
        rows += other.rows;
        carriedRows += other.carriedRows;
        carriedNanos += other.carriedNanos;
        retries += other.retries;
        late += other.late;
        other.errors.forEach((state, e) -> errors.merge(state, e, ErrorTally::plus));
        other.retried.forEach((state, e) -> retried.merge(state, e, ErrorTally::plus));
        for (int i = 0; i < times.length; i++) {
            times[i] = sum(times[i], other.times[i]);
        }
        for (int i = 0; i < statements.length; i++) {
            statements[i].add(other.statements[i]);
        }
    }

    private void includeOutcomes(Cell other) {
        for (int i = 0; i < outcomes.length; i++) {
            outcomes[i] += other.outcomes[i];
            carried[i] += other.carried[i];
        }
    }

    /** Adds the counts of another operation and one kind of its times. */
    public void include(Cell other, Time time) {
        includeOutcomes(other);
        times[time.ordinal()] = sum(times[time.ordinal()], other.times[time.ordinal()]);
    }

    /** A cell to include others in. */
    public static Cell empty() {
        return new Cell(0);
    }

    static @Nullable LatencyHistogram sum(@Nullable LatencyHistogram a, @Nullable LatencyHistogram b) {
        if (b == null) {
            return a;
        }
        LatencyHistogram sum = a == null ? new LatencyHistogram() : a;
        sum.add(b);
        return sum;
    }

    /** The counts and times of one statement of an operation. Not thread-safe. */
    public static final class StatementCell {
        long calls;
        long rows;

        @Nullable
        LatencyHistogram times;

        public long calls() {
            return calls;
        }

        /** Rows read or changed. */
        public long rows() {
            return rows;
        }

        /** From the first byte sent to the last row read; null if the statement never ran. */
        public @Nullable LatencyHistogram times() {
            return times;
        }

        void record(long nanos, long rows) {
            if (times == null) {
                times = new LatencyHistogram();
            }
            times.record(nanos);
            calls++;
            this.rows += rows;
        }

        void add(StatementCell other) {
            calls += other.calls;
            rows += other.rows;
            times = Cell.sum(times, other.times);
        }
    }
}
