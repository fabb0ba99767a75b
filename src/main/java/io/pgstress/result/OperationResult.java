package io.pgstress.result;

import io.pgstress.result.Sum.By;
import io.pgstress.result.Sum.Rule;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one operation. Misses, duplicates, errors and unfinished operations are excluded from rates. Counts and times
 * cover operations whose (scheduled) start is within the measurement, including those that ended in the drain. Rates cover
 * operations that ended within the measurement, whenever they began.
 *
 * @param ok operations that succeeded
 * @param okInWindow those that succeeded within the measurement: {@code opsPerSecond} times its length
 * @param late operations that took longer than the latency limit
 * @param retries number of tries after the first
 * @param rows rows read by successful operations; for {@code find_insert} and {@code find_delete}, rows changed
 * @param errors by SQLSTATE, those of operations that failed
 * @param retriedErrors by SQLSTATE, those after which the operation was tried again
 * @param megabytesPerSecond size of the rows' values, in 10^6 bytes per second; null if the operation does not report it
 * @param latencyMicros by kind: {@code total}, {@code acquire}, {@code service}, {@code fetch}, {@code response} (open loop),
 *     {@code failed}
 */
public record OperationResult(
        @By(Rule.ADDED) long ok,
        @By(Rule.ADDED) long okInWindow,
        @By(Rule.ADDED) long misses,
        @By(Rule.ADDED) long duplicates,
        @By(Rule.ADDED) long retries,
        @By(Rule.ADDED) long late,
        @By(Rule.ADDED) long unfinished,
        @By(Rule.ADDED) long rows,
        Map<String, ErrorCount> errors,
        Map<String, ErrorCount> retriedErrors,
        @By(Rule.ADDED) double opsPerSecond,
        @By(Rule.ADDED) double rowsPerSecond,
        @By(Rule.ADDED) @Nullable Double megabytesPerSecond,
        Map<String, StatementResult> statements,
        Map<String, Latency> latencyMicros) {

    /** Nothing was done. */
    public static final OperationResult NONE =
            new OperationResult(0, 0, 0, 0, 0, 0, 0, 0, Map.of(), Map.of(), 0, 0, null, Map.of(), Map.of());

    /** @param errors, retriedErrors sorted here */
    public OperationResult {
        errors = new TreeMap<>(errors);
        retriedErrors = new TreeMap<>(Objects.requireNonNullElse(retriedErrors, Map.of()));
    }

    /** The sum; times are omitted if one of them has no histogram. */
    public static OperationResult sum(Collection<OperationResult> operations) {
        return Sum.of(Stream.concat(Stream.of(NONE), operations.stream()).toList());
    }

    /**
     * The number of errors with one SQLSTATE.
     *
     * @param sample a message, the most frequent one of a run on one host
     * @param messages number of errors by message, without its names and numbers; of more than eight, some. Empty: only one is known
     */
    public record ErrorCount(@By(Rule.ADDED) long count, String sample, Map<String, Long> messages) {
        public ErrorCount {
            messages = Objects.requireNonNullElse(messages, Map.of());
        }

        /** Errors with one message. */
        public ErrorCount(long count, String sample) {
            this(count, sample, Map.of());
        }

        /** The most frequent message, and how many errors had it. */
        public Map.Entry<String, Long> mostOften() {
            return messages.entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .orElseGet(() -> Map.entry(sample, count));
        }

        /** The text of the most frequent message, in one line. */
        public String text() {
            return (messages.size() > 1 ? mostOften().getKey() : sample).replaceAll("\\R", " ");
        }
    }

    /**
     * One statement of the operation.
     *
     * @param sql its text, with {@code ?} for parameters
     * @param calls executions in operations that count for the measurement
     * @param callsInAll executions in the whole run, including warm-up and drain. The server counts the same, except that the
     *     driver sends a batch as several statements.
     */
    public record StatementResult(
            String sql,
            @By(Rule.ADDED) long calls,
            @By(Rule.ADDED) long callsInAll,
            @By(Rule.ADDED) long rows,
            @Nullable Latency latencyMicros) {}

    /** The headline times: response times of an open loop, total times of a closed one; null if nothing succeeded. */
    public @Nullable Latency times() {
        return latencyMicros.getOrDefault("response", latencyMicros.get("total"));
    }

    /** All errors, whatever their SQLSTATE. */
    public long failed() {
        return errors.values().stream().mapToLong(ErrorCount::count).sum();
    }
}
