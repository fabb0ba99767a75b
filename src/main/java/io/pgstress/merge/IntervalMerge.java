package io.pgstress.merge;

import io.pgstress.measure.Phase;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.OperationInterval;
import io.pgstress.result.Parts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The intervals of several hosts that ran at the same time, added up one by one. */
final class IntervalMerge {
    private IntervalMerge() {}

    /** Adds the hosts' intervals by number; the result has as many intervals as the longest run. */
    static List<IntervalResult> of(Collection<List<IntervalResult>> hosts) {
        List<IntervalResult> merged = new ArrayList<>(phase(hosts, Phase.MEASURE));
        merged.addAll(phase(hosts, Phase.DRAIN));
        return merged;
    }

    /** The intervals of one phase. */
    static List<IntervalResult> phase(Collection<List<IntervalResult>> hosts, Phase phase) {
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

    private static IntervalResult one(List<IntervalResult> hosts) {
        IntervalResult first = hosts.get(0);
        Parts<IntervalResult> parts = new Parts<>(hosts);
        return new IntervalResult(
                first.atSeconds(),
                hosts.stream().mapToDouble(IntervalResult::seconds).max().orElse(0),
                first.phase(),
                parts.sum(IntervalResult::ok),
                parts.sum(IntervalResult::failed),
                parts.sum(IntervalResult::misses),
                parts.sum(IntervalResult::duplicates),
                parts.sum(IntervalResult::late),
                parts.rate(IntervalResult::opsPerSecond),
                parts.knownRate(IntervalResult::targetRate),
                parts.knownSum(IntervalResult::backlog),
                parts.knownRate(IntervalResult::inMbitPerSecond),
                parts.knownRate(IntervalResult::outMbitPerSecond),
                parts.knownRate(IntervalResult::clientCpuCores),
                parts.latency(IntervalResult::totalMicros),
                parts.latency(IntervalResult::acquireMicros),
                parts.latency(IntervalResult::serviceMicros),
                parts.latency(IntervalResult::responseMicros),
                parts.latency(IntervalResult::lagMicros),
                new TreeMap<>(parts.counts(IntervalResult::errors)),
                parts.byName(IntervalResult::operations, IntervalMerge::operation),
                parts.counts(IntervalResult::nodesOk),
                parts.counts(i -> Objects.requireNonNullElse(i.hostsOk(), Map.of())),
                hosts.stream().anyMatch(i -> i.nodesErrors() == null)
                        ? null
                        : parts.byName(
                                i -> Objects.requireNonNullElse(i.nodesErrors(), Map.of()), IntervalMerge::states));
    }

    private static Set<String> states(Parts<Set<String>> parts) {
        Set<String> states = new TreeSet<>();
        parts.all().forEach(states::addAll);
        return states;
    }

    /** The mean over all hosts. The p99 is an upper bound, the greatest of all, because there is no histogram to add. */
    private static OperationInterval operation(Parts<OperationInterval> parts) {
        long ok = parts.sum(OperationInterval::ok);
        return new OperationInterval(
                ok,
                parts.sum(OperationInterval::failed),
                parts.sum(OperationInterval::rows),
                parts.knownSum(OperationInterval::bytes),
                ok == 0 ? 0 : parts.rate(o -> o.meanMicros() * o.ok()) / ok,
                parts.all().stream()
                        .mapToDouble(OperationInterval::p99Micros)
                        .max()
                        .orElse(0));
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
