package io.pgstress.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of one operation. Only {@code ok} is work: misses, duplicates, errors and unfinished operations are excluded from
 * rates. Counts and times are of operations whose (intended) start lies within the measurement, those that ended in the drain
 * included; rates are of operations that ended within the measurement, whenever they began.
 *
 * @param ok ended well
 * @param okInWindow ended well within the measurement: {@code opsPerSecond} times its length
 * @param late ended after the latency limit
 * @param retries tries beyond the first
 * @param rows read by (or, for {@code find_insert} and {@code find_delete}, changed by) the ok ones
 * @param megabytesPerSecond of the rows' values, in 10^6 bytes, where the operation is one for that
 * @param latencyMicros by kind: {@code total}, {@code acquire}, {@code service}, {@code fetch}, {@code response} (open load),
 *     {@code failed}
 */
public record OperationResult(
        long ok,
        @Nullable Long okInWindow,
        long misses,
        long duplicates,
        long retries,
        long late,
        long unfinished,
        long rows,
        Map<String, ErrorCount> errors,
        double opsPerSecond,
        double rowsPerSecond,
        @Nullable Double megabytesPerSecond,
        Map<String, StatementResult> statements,
        Map<String, Latency> latencyMicros) {

    /** Those of which the rate is made; of results of before that was told, all that ended well. */
    public long completed() {
        return okInWindow == null ? ok : okInWindow;
    }

    /** How often an SQLSTATE was met, and the first message of it. */
    public record ErrorCount(long count, String sample) {}

    /**
     * One statement of the operation.
     *
     * @param sql its text, parameters as {@code ?}
     * @param calls while measuring, in operations that were counted
     * @param callsInAll in the whole run, warm-up and drain included: what the server counted too, but for a driver's batch, which counts once
     *     and reaches the server as several statements
     */
    public record StatementResult(
            String sql,
            long calls,
            long callsInAll,
            long rows,
            @Nullable Latency latencyMicros) {}

    /** All errors, whatever their SQLSTATE. */
    public long failed() {
        return errors.values().stream().mapToLong(ErrorCount::count).sum();
    }
}
