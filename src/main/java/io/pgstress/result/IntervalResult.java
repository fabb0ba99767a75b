package io.pgstress.result;

import io.pgstress.measure.Phase;
import io.pgstress.result.Sum.Addend;
import io.pgstress.result.Sum.By;
import io.pgstress.result.Sum.Rule;
import io.pgstress.text.Records;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one interval, for operations that ended within it.
 *
 * @param atSeconds its start since the start of the measurement
 * @param seconds its length
 * @param phase {@code measure} or {@code drain}
 * @param backlog operations that were due but not started at its end; open loops only
 * @param inMbitPerSecond, outMbitPerSecond traffic of the load's sockets, on all load generator hosts; null if unknown
 * @param clientCpuCores CPU time of the load tester, on all load generator hosts; null if unknown
 * @param operations the figures of each operation, by name
 * @param nodesOk successful operations, by the node's URL
 * @param hostsOk successful operations, by the load generator host's name; null for a run on one host
 * @param nodesErrors SQLSTATEs of the errors, by the node's URL; null for a run on one node
 * @param remoteErrors SQLSTATEs of errors by which servers reported the loss of others, on sessions that continued, with the addresses that
 *     the messages name
 * @param serviceMicros, responseMicros, totalMicros times of all operations together
 */
public record IntervalResult(
        @By(Rule.FIRST) double atSeconds,
        @By(Rule.MAX) double seconds,
        String phase,
        @By(Rule.ADDED) long ok,
        @By(Rule.ADDED) long failed,
        @By(Rule.ADDED) long misses,
        @By(Rule.ADDED) long duplicates,
        @By(Rule.ADDED) long late,
        @By(Rule.ADDED) double opsPerSecond,
        @By(Rule.ADDED) @Nullable Double targetRate,
        @By(Rule.ADDED) @Nullable Long backlog,
        @By(Rule.ADDED) @Nullable Double inMbitPerSecond,
        @By(Rule.ADDED) @Nullable Double outMbitPerSecond,
        @By(Rule.ADDED) @Nullable Double clientCpuCores,
        @Nullable Latency totalMicros,
        @Nullable Latency acquireMicros,
        @Nullable Latency serviceMicros,
        @Nullable Latency responseMicros,
        @Nullable Latency lagMicros,
        Map<String, Long> errors,
        Map<String, OperationInterval> operations,
        Map<String, Long> nodesOk,
        @Nullable Map<String, Long> hostsOk,
        @By(Rule.ALL_KNOWN) @Nullable Map<String, Set<String>> nodesErrors,
        @By(Rule.ALL_KNOWN) Map<String, Set<String>> remoteErrors) {
    public IntervalResult {
        errors = new TreeMap<>(errors);
        remoteErrors = new TreeMap<>(Objects.requireNonNullElse(remoteErrors, Map.of()));
    }

    /**
     * One operation within the interval; times in microseconds.
     *
     * @param bytes size of the rows' values; null if the operation does not report it
     * @param errors number of failed operations by SQLSTATE
     */
    public record OperationInterval(
            long ok,
            long failed,
            long rows,
            @Nullable Long bytes,
            double meanMicros,
            double p99Micros,
            Map<String, Long> errors)
            implements Addend<OperationInterval> {
        public OperationInterval {
            errors = new TreeMap<>(Objects.requireNonNullElse(errors, Map.of()));
        }

        /** The mean covers both. The p99 is an upper bound: the greater of the two, because there is no histogram to add. */
        @Override
        public OperationInterval plus(OperationInterval other) {
            long all = ok + other.ok;
            return new OperationInterval(
                    all,
                    failed + other.failed,
                    rows + other.rows,
                    bytes == null ? other.bytes : other.bytes == null ? bytes : Long.valueOf(bytes + other.bytes),
                    all == 0 ? 0 : (meanMicros * ok + other.meanMicros * other.ok) / all,
                    Math.max(p99Micros, other.p99Micros),
                    bothErrors(other));
        }

        private Map<String, Long> bothErrors(OperationInterval other) {
            Map<String, Long> both = new TreeMap<>(errors);
            other.errors.forEach((state, count) -> both.merge(state, count, Long::sum));
            return both;
        }
    }

    /** Whether it belongs to this phase. */
    public boolean in(Phase other) {
        return phase.equals(other.label());
    }

    /** Rows per second of all operations together. */
    public double rowsPerSecond() {
        long rows =
                operations.values().stream().mapToLong(OperationInterval::rows).sum();
        return seconds == 0 ? 0 : rows / seconds;
    }

    /** The size of the rows' values, in 10^6 bytes per second; null if no operation reports it. */
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

    /** The times that were recorded, by kind: {@code total}, {@code acquire}, {@code service}, {@code response}, {@code lag}. */
    public Map<String, Latency> times() {
        Map<String, Latency> times = new LinkedHashMap<>();
        putIfKnown(times, "total", totalMicros);
        putIfKnown(times, "acquire", acquireMicros);
        putIfKnown(times, "service", serviceMicros);
        putIfKnown(times, "response", responseMicros);
        putIfKnown(times, "lag", lagMicros);
        return times;
    }

    private static void putIfKnown(Map<String, Latency> times, String kind, @Nullable Latency latency) {
        if (latency != null) {
            times.put(kind, latency);
        }
    }

    /**
     * Consecutive intervals of a phase as one. Rates and cores are means over its time; the times of all operations are added.
     *
     * @param parts at least one, in order
     */
    public static IntervalResult joined(List<IntervalResult> parts) {
        IntervalResult last = parts.get(parts.size() - 1);
        if (parts.size() == 1) {
            return last;
        }
        IntervalResult sum = Sum.of(parts);
        double all = parts.stream().mapToDouble(IntervalResult::seconds).sum();
        return Records.make(sum, component -> switch (component.getName()) {
            case "seconds" -> all;
            case "backlog" -> last.backlog;
            case "opsPerSecond", "targetRate", "inMbitPerSecond", "outMbitPerSecond", "clientCpuCores" ->
                mean(parts, component, all);
            default -> Records.value(sum, component);
        });
    }

    /** Over the time of the intervals; null if one is unknown. */
    private static @Nullable Double mean(List<IntervalResult> parts, RecordComponent component, double seconds) {
        double sum = 0;
        for (IntervalResult part : parts) {
            Object rate = Records.value(part, component);
            if (rate == null) {
                return null;
            }
            sum += (Double) rate * part.seconds;
        }
        return seconds == 0 ? 0 : sum / seconds;
    }

    /** A copy without histograms. */
    public IntervalResult withoutHistograms() {
        return Records.make(this, component -> {
            Object value = Records.value(this, component);
            return value instanceof Latency latency ? latency.withoutHistogram() : value;
        });
    }

    /** A copy as the share of one load generator host. */
    public IntervalResult ofHost(String name) {
        return Records.with(this, "hostsOk", Map.of(name, ok));
    }
}
