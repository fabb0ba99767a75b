package io.pgstress.result;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What ended within one interval.
 *
 * @param atSeconds its start since the start of the measurement
 * @param seconds its length
 * @param phase {@code measure} or {@code drain}
 * @param backlog intended starts that were due and not begun at its end; only an open load has it
 * @param operations by name
 * @param nodesOk successful operations by node's URL
 * @param serviceMicros, responseMicros, totalMicros all operations together
 */
public record IntervalResult(
        double atSeconds,
        double seconds,
        String phase,
        long ok,
        long failed,
        long misses,
        long duplicates,
        long late,
        double opsPerSecond,
        @Nullable Double targetRate,
        @Nullable Long backlog,
        double inMbitPerSecond,
        double outMbitPerSecond,
        double clientCpuCores,
        @Nullable Latency totalMicros,
        @Nullable Latency acquireMicros,
        @Nullable Latency serviceMicros,
        @Nullable Latency responseMicros,
        @Nullable Latency lagMicros,
        Map<String, Long> errors,
        Map<String, OperationInterval> operations,
        Map<String, Long> nodesOk) {

    /**
     * One operation within the interval; times in microseconds.
     *
     * @param bytes of the rows' values, where the operation is one for that
     */
    public record OperationInterval(
            long ok, long failed, long rows, @Nullable Long bytes, double meanMicros, double p99Micros) {
        /** One without rows. */
        public OperationInterval(long ok, long failed, double meanMicros, double p99Micros) {
            this(ok, failed, ok, null, meanMicros, p99Micros);
        }
    }

    /** Of all operations together. */
    public double rowsPerSecond() {
        long rows =
                operations.values().stream().mapToLong(OperationInterval::rows).sum();
        return seconds == 0 ? 0 : rows / seconds;
    }

    /** Of the rows' values, in 10^6 bytes; null where no operation is one for that. */
    public @Nullable Double megabytesPerSecond() {
        List<Long> bytes = operations.values().stream()
                .map(OperationInterval::bytes)
                .filter(Objects::nonNull)
                .toList();
        if (bytes.isEmpty()) {
            return null;
        }
        long sum = bytes.stream().mapToLong(Long::longValue).sum();
        return seconds == 0 ? 0 : sum / seconds / 1e6;
    }

    /** The same with the figures of its times alone. */
    public IntervalResult withoutHistograms() {
        return new IntervalResult(
                atSeconds,
                seconds,
                phase,
                ok,
                failed,
                misses,
                duplicates,
                late,
                opsPerSecond,
                targetRate,
                backlog,
                inMbitPerSecond,
                outMbitPerSecond,
                clientCpuCores,
                brief(totalMicros),
                brief(acquireMicros),
                brief(serviceMicros),
                brief(responseMicros),
                brief(lagMicros),
                errors,
                operations,
                nodesOk);
    }

    private static @Nullable Latency brief(@Nullable Latency latency) {
        return latency == null ? null : latency.withoutHistogram();
    }
}
