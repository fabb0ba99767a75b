package io.pgstress.merge;

import io.pgstress.result.NodeResult;
import io.pgstress.result.Outage;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Merges outages: the times at which the outages of all hosts overlap, for the whole run and for each node. */
final class OutageMerge {
    private OutageMerge() {}

    /** The outages of all hosts together, then those of each node among the hosts that used it. */
    static List<Outage> of(List<RunResult> hosts) {
        List<Outage> merged = new ArrayList<>(overlap(hosts, null, false));
        hosts.stream()
                .flatMap(h -> h.nodes().stream())
                .map(NodeResult::url)
                .distinct()
                .forEach(node -> merged.addAll(overlap(
                        hosts.stream()
                                .filter(h ->
                                        h.nodes().stream().anyMatch(n -> n.url().equals(node)))
                                .toList(),
                        node,
                        false)));
        hosts.stream()
                .flatMap(h -> h.outages().stream())
                .filter(Outage::silent)
                .map(Outage::node)
                .distinct()
                .forEach(node -> merged.addAll(overlap(hosts, node, true)));
        return merged;
    }

    private static List<Outage> overlap(List<RunResult> hosts, @Nullable String node, boolean silent) {
        List<Outage> common = of(hosts.get(0), node, silent);
        for (RunResult host : hosts.subList(1, hosts.size())) {
            List<Outage> next = new ArrayList<>();
            for (Outage a : common) {
                for (Outage b : of(host, node, silent)) {
                    double from = Math.max(a.fromSeconds(), b.fromSeconds());
                    double to = Math.min(a.toSeconds(), b.toSeconds());
                    if (from < to) {
                        next.add(both(a, b, from, to));
                    }
                }
            }
            common = next;
        }
        return common;
    }

    /** The overlap of two hosts' outages; losses are assumed to be spread evenly over each. */
    private static Outage both(Outage a, Outage b, double from, double to) {
        Long lost = a.operationsLost() == null || b.operationsLost() == null
                ? null
                : Long.valueOf(Math.round(lostPerSecond(a) * (to - from) + lostPerSecond(b) * (to - from)));
        Double full = a.fullRateAtSeconds() == null || b.fullRateAtSeconds() == null
                ? null
                : Double.valueOf(Math.max(a.fullRateAtSeconds(), b.fullRateAtSeconds()));
        List<String> servers = Stream.concat(a.silentServers().stream(), b.silentServers().stream())
                .distinct()
                .toList();
        return new Outage(from, to, a.node(), a.silent(), lost, full, servers);
    }

    private static double lostPerSecond(Outage outage) {
        return outage.operationsLost() == null
                ? 0
                : outage.operationsLost() / (outage.toSeconds() - outage.fromSeconds());
    }

    private static List<Outage> of(RunResult host, @Nullable String node, boolean silent) {
        return host.outages().stream()
                .filter(o -> o.silent() == silent && Objects.equals(o.node(), node))
                .toList();
    }
}
