package io.pgstress.merge;

import static io.pgstress.result.OperationMerge.latency;
import static io.pgstress.result.OperationMerge.rate;
import static io.pgstress.result.OperationMerge.sum;

import io.pgstress.measure.Phase;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.OperationInterval;
import io.pgstress.result.Latency;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The intervals of several hosts that ran at the same time, added up one by one. */
final class IntervalMerge {
    private IntervalMerge() {}

    /** Adds the hosts' intervals by number; the result has as many intervals as the longest run. */
    static List<IntervalResult> of(Collection<List<IntervalResult>> hosts) {
        List<IntervalResult> merged = new ArrayList<>(phase(hosts, Phase.MEASURE));
        merged.addAll(phase(hosts, Phase.DRAIN));
        return merged;
    }

    private static List<IntervalResult> phase(Collection<List<IntervalResult>> hosts, Phase phase) {
        List<List<IntervalResult>> all = hosts.stream()
                .map(h -> h.stream().filter(i -> i.in(phase)).toList())
                .toList();
        int longest = all.stream().mapToInt(List::size).max().orElse(0);
        List<IntervalResult> merged = new ArrayList<>();
        for (int n = 0; n < longest; n++) {
            int index = n;
            merged.add(one(all.stream()
                    .filter(h -> h.size() > index)
                    .map(h -> h.get(index))
                    .toList()));
        }
        return merged;
    }

    private static IntervalResult one(List<IntervalResult> parts) {
        IntervalResult first = parts.get(0);
        return new IntervalResult(
                first.atSeconds(),
                parts.stream().mapToDouble(IntervalResult::seconds).max().orElse(0),
                first.phase(),
                sum(parts, IntervalResult::ok),
                sum(parts, IntervalResult::failed),
                sum(parts, IntervalResult::misses),
                sum(parts, IntervalResult::duplicates),
                sum(parts, IntervalResult::late),
                rate(parts, IntervalResult::opsPerSecond),
                first.targetRate() == null ? null : rate(parts, i -> orZero(i.targetRate())),
                first.backlog() == null
                        ? null
                        : sum(parts, i -> orZero(i.backlog()).longValue()),
                rate(parts, IntervalResult::inMbitPerSecond),
                rate(parts, IntervalResult::outMbitPerSecond),
                rate(parts, IntervalResult::clientCpuCores),
                times(parts, IntervalResult::totalMicros),
                times(parts, IntervalResult::acquireMicros),
                times(parts, IntervalResult::serviceMicros),
                times(parts, IntervalResult::responseMicros),
                times(parts, IntervalResult::lagMicros),
                counts(parts, IntervalResult::errors),
                operations(parts),
                counts(parts, IntervalResult::nodesOk),
                counts(parts, i -> Objects.requireNonNullElse(i.hostsOk(), Map.of())));
    }

    private static Double orZero(@Nullable Number value) {
        return value == null ? 0.0 : value.doubleValue();
    }

    private static @Nullable Latency times(
            List<IntervalResult> parts, Function<IntervalResult, @Nullable Latency> kind) {
        List<@Nullable Latency> all = new ArrayList<>();
        parts.forEach(p -> all.add(kind.apply(p)));
        return latency(all);
    }

    private static Map<String, Long> counts(
            List<IntervalResult> parts, Function<IntervalResult, Map<String, Long>> kind) {
        Map<String, Long> counts = new TreeMap<>();
        parts.forEach(p -> kind.apply(p).forEach((name, n) -> counts.merge(name, n, Long::sum)));
        return counts;
    }

    /** The mean over all hosts. The p99 is an upper bound, the greatest of all, because there is no histogram to add. */
    private static Map<String, OperationInterval> operations(List<IntervalResult> parts) {
        Map<String, OperationInterval> operations = new TreeMap<>();
        parts.forEach(p -> p.operations().forEach((name, o) -> operations.merge(name, o, IntervalMerge::add)));
        return operations;
    }

    private static OperationInterval add(OperationInterval a, OperationInterval b) {
        long ok = a.ok() + b.ok();
        double mean = ok == 0 ? 0 : (a.meanMicros() * a.ok() + b.meanMicros() * b.ok()) / ok;
        Long bytes = a.bytes() == null || b.bytes() == null ? null : Long.valueOf(a.bytes() + b.bytes());
        return new OperationInterval(
                ok, a.failed() + b.failed(), a.rows() + b.rows(), bytes, mean, Math.max(a.p99Micros(), b.p99Micros()));
    }

    /** Whether any interval lacks histograms, so that its times are lost. */
    static boolean losesTimes(Collection<List<IntervalResult>> hosts) {
        return hosts.stream()
                .flatMap(List::stream)
                .map(IntervalResult::totalMicros)
                .filter(Objects::nonNull)
                .anyMatch(l -> l.histogram() == null);
    }
}
