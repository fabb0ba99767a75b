package io.pgstress.result;

import io.pgstress.measure.Phase;
import io.pgstress.result.Sum.Addend;
import io.pgstress.text.Inline;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one interval, for operations that ended within it.
 *
 * @param atSeconds its start since the start of the measurement
 * @param seconds its length
 * @param phase {@code measure} or {@code drain}
 * @param errors number of failed operations by SQLSTATE
 * @param operations the figures of each operation, by name
 */
public record IntervalResult(
        double atSeconds,
        double seconds,
        String phase,
        @Inline Counts counts,
        @Inline Rates rates,
        @Inline Usage usage,
        @Inline Times times,
        Map<String, Long> errors,
        Map<String, OperationInterval> operations,
        @Inline Places places) {
    public IntervalResult {
        errors = new TreeMap<>(errors);
    }

    /**
     * Numbers of operations.
     *
     * @param late operations that took longer than the latency limit
     */
    public record Counts(long ok, long failed, long misses, long duplicates, long late) {
        public static final Counts NONE = new Counts(0, 0, 0, 0, 0);

        Counts plus(Counts other) {
            return new Counts(
                    ok + other.ok,
                    failed + other.failed,
                    misses + other.misses,
                    duplicates + other.duplicates,
                    late + other.late);
        }
    }

    /**
     * The rate that was reached and, in open loops, what it should have been.
     *
     * @param opsPerSecond successful operations per second; 0 in the drain
     * @param targetRate null in closed loops and in the drain
     * @param backlog operations that were due but not started at the end of the interval; null in closed loops
     */
    public record Rates(
            double opsPerSecond,
            @Nullable Double targetRate,
            @Nullable Long backlog) {
        public static final Rates NONE = new Rates(0, null, null);

        Rates plus(Rates other) {
            return new Rates(
                    opsPerSecond + other.opsPerSecond,
                    Sum.known(targetRate, other.targetRate),
                    Sum.known(backlog, other.backlog));
        }
    }

    /**
     * What all load generator hosts used; null if unknown.
     *
     * @param inMbitPerSecond, outMbitPerSecond traffic of the load's sockets
     * @param clientCpuCores CPU time of the load tester
     */
    public record Usage(
            @Nullable Double inMbitPerSecond,
            @Nullable Double outMbitPerSecond,
            @Nullable Double clientCpuCores) {
        public static final Usage UNKNOWN = new Usage(null, null, null);

        Usage plus(Usage other) {
            return new Usage(
                    Sum.known(inMbitPerSecond, other.inMbitPerSecond),
                    Sum.known(outMbitPerSecond, other.outMbitPerSecond),
                    Sum.known(clientCpuCores, other.clientCpuCores));
        }
    }

    /** Times of all operations together; null if none was recorded. */
    public record Times(
            @Nullable Latency totalMicros,
            @Nullable Latency acquireMicros,
            @Nullable Latency serviceMicros,
            @Nullable Latency responseMicros,
            @Nullable Latency lagMicros) {
        public static final Times NONE = new Times(null, null, null, null, null);

        /** The times that were recorded, by kind: {@code total}, {@code acquire}, {@code service}, {@code response}, {@code lag}. */
        public Map<String, Latency> byKind() {
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

        Times withoutHistograms() {
            return new Times(
                    brief(totalMicros),
                    brief(acquireMicros),
                    brief(serviceMicros),
                    brief(responseMicros),
                    brief(lagMicros));
        }

        private static @Nullable Latency brief(@Nullable Latency latency) {
            return latency == null ? null : latency.withoutHistogram();
        }

        /** All at once, because times with and without histograms cannot be added in pairs. */
        static Times sum(Collection<Times> parts) {
            return new Times(
                    Sum.latency(parts.stream().map(Times::totalMicros)),
                    Sum.latency(parts.stream().map(Times::acquireMicros)),
                    Sum.latency(parts.stream().map(Times::serviceMicros)),
                    Sum.latency(parts.stream().map(Times::responseMicros)),
                    Sum.latency(parts.stream().map(Times::lagMicros)));
        }
    }

    /**
     * Where operations succeeded, and who reported errors.
     *
     * @param nodesOk successful operations, by the node's URL
     * @param hostsOk successful operations, by the load generator host's name; null for a run on one host
     * @param nodesErrors SQLSTATEs of the errors, by the node's URL; null for a run on one node
     * @param brokenSessions SQLSTATEs of connection errors that ended the client's session, by the node's URL
     * @param remoteErrors SQLSTATEs of errors by which servers reported the loss of others, on sessions that continued, with the addresses
     *     that the messages name
     */
    public record Places(
            Map<String, Long> nodesOk,
            @Nullable Map<String, Long> hostsOk,
            @Nullable Map<String, Set<String>> nodesErrors,
            Map<String, Set<String>> brokenSessions,
            Map<String, Set<String>> remoteErrors) {
        public static final Places NONE = new Places(Map.of(), null, null, Map.of(), Map.of());

        public Places {
            brokenSessions = new TreeMap<>(Objects.requireNonNullElse(brokenSessions, Map.of()));
            remoteErrors = new TreeMap<>(Objects.requireNonNullElse(remoteErrors, Map.of()));
        }

        /** The errors of nodes are unknown if they are unknown in one part. */
        Places plus(Places other) {
            return new Places(
                    Sum.byName(List.of(nodesOk, other.nodesOk)),
                    hostsOk == null
                            ? other.hostsOk
                            : other.hostsOk == null ? hostsOk : Sum.byName(List.of(hostsOk, other.hostsOk)),
                    nodesErrors == null || other.nodesErrors == null
                            ? null
                            : Sum.byName(List.of(nodesErrors, other.nodesErrors)),
                    Sum.byName(List.of(brokenSessions, other.brokenSessions)),
                    Sum.byName(List.of(remoteErrors, other.remoteErrors)));
        }

        public Places withHostsOk(Map<String, Long> byHost) {
            return new Places(nodesOk, byHost, nodesErrors, brokenSessions, remoteErrors);
        }
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
                    Sum.known(bytes, other.bytes),
                    all == 0 ? 0 : (meanMicros * ok + other.meanMicros * other.ok) / all,
                    Math.max(p99Micros, other.p99Micros),
                    Sum.byName(List.of(errors, other.errors)));
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

    /**
     * The figures of the same interval on several hosts, or of several intervals, as one; it has the longest length, and starts with
     * the first.
     *
     * @param parts at least one
     */
    public static IntervalResult sum(Collection<IntervalResult> parts) {
        IntervalResult first = parts.iterator().next();
        return new IntervalResult(
                first.atSeconds,
                parts.stream().mapToDouble(IntervalResult::seconds).max().orElseThrow(),
                first.phase,
                parts.stream().map(IntervalResult::counts).reduce(Counts::plus).orElseThrow(),
                parts.stream().map(IntervalResult::rates).reduce(Rates::plus).orElseThrow(),
                parts.stream().map(IntervalResult::usage).reduce(Usage::plus).orElseThrow(),
                Times.sum(parts.stream().map(IntervalResult::times).toList()),
                Sum.byName(parts.stream().map(IntervalResult::errors).toList()),
                Sum.byName(parts.stream().map(IntervalResult::operations).toList()),
                parts.stream().map(IntervalResult::places).reduce(Places::plus).orElseThrow());
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
        IntervalResult sum = sum(parts);
        double all = parts.stream().mapToDouble(IntervalResult::seconds).sum();
        return new IntervalResult(
                sum.atSeconds,
                all,
                sum.phase,
                sum.counts,
                new Rates(
                        mean(parts, i -> i.rates.opsPerSecond),
                        meanOfKnown(parts, i -> i.rates.targetRate),
                        last.rates.backlog),
                new Usage(
                        meanOfKnown(parts, i -> i.usage.inMbitPerSecond),
                        meanOfKnown(parts, i -> i.usage.outMbitPerSecond),
                        meanOfKnown(parts, i -> i.usage.clientCpuCores)),
                sum.times,
                sum.errors,
                sum.operations,
                sum.places);
    }

    /** Over the time of the intervals; null if one is unknown. */
    private static @Nullable Double meanOfKnown(
            List<IntervalResult> parts, Function<IntervalResult, @Nullable Double> figure) {
        boolean isKnown = parts.stream().allMatch(part -> figure.apply(part) != null);
        return isKnown ? mean(parts, part -> Objects.requireNonNull(figure.apply(part))) : null;
    }

    private static double mean(List<IntervalResult> parts, ToDoubleFunction<IntervalResult> figure) {
        double seconds = parts.stream().mapToDouble(IntervalResult::seconds).sum();
        double sum = parts.stream()
                .mapToDouble(part -> figure.applyAsDouble(part) * part.seconds)
                .sum();
        return seconds == 0 ? 0 : sum / seconds;
    }

    /** A copy without histograms. */
    public IntervalResult withoutHistograms() {
        return withTimes(times.withoutHistograms());
    }

    /** A copy as the share of one load generator host. */
    public IntervalResult ofHost(String name) {
        return withPlaces(places.withHostsOk(Map.of(name, counts.ok)));
    }

    public IntervalResult withCounts(Counts other) {
        return new IntervalResult(atSeconds, seconds, phase, other, rates, usage, times, errors, operations, places);
    }

    public IntervalResult withRates(Rates other) {
        return new IntervalResult(atSeconds, seconds, phase, counts, other, usage, times, errors, operations, places);
    }

    public IntervalResult withTimes(Times other) {
        return new IntervalResult(atSeconds, seconds, phase, counts, rates, usage, other, errors, operations, places);
    }

    public IntervalResult withOperations(Map<String, OperationInterval> others) {
        return new IntervalResult(atSeconds, seconds, phase, counts, rates, usage, times, errors, others, places);
    }

    public IntervalResult withPlaces(Places other) {
        return new IntervalResult(atSeconds, seconds, phase, counts, rates, usage, times, errors, operations, other);
    }
}
