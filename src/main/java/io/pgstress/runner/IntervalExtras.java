package io.pgstress.runner;

import io.pgstress.measure.IntervalData;
import io.pgstress.result.Network;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Figures read at the end of each interval, in addition to its operations. Thread-safe. */
public final class IntervalExtras {
    /** The traffic of the load's sockets and the CPU time of the client's process, in cores. */
    public record Usage(double inMbitPerSecond, double outMbitPerSecond, double cpuCores) {
        private Usage plus(Usage other) {
            return new Usage(
                    inMbitPerSecond + other.inMbitPerSecond,
                    outMbitPerSecond + other.outMbitPerSecond,
                    cpuCores + other.cpuCores);
        }
    }

    private final Map<IntervalData, Usage> usages = new ConcurrentHashMap<>();
    private final Map<IntervalData, Map<String, Usage>> usagesByHost = new ConcurrentHashMap<>();
    private final Map<IntervalData, Long> backlogs = new ConcurrentHashMap<>();
    private final Map<IntervalData, Map<String, Long>> okByHost = new ConcurrentHashMap<>();
    private final Set<String> lost = ConcurrentHashMap.newKeySet();
    private volatile List<String> hosts = List.of();

    /** @param cpuCores CPU time of the client's process, in cores */
    public void usage(IntervalData interval, Network network, double cpuCores) {
        usages.put(interval, new Usage(network.inMbitPerSecond(), network.outMbitPerSecond(), cpuCores));
    }

    /** Sets the names of the hosts of a run on several hosts, before the load. */
    public void hosts(List<String> names) {
        hosts = List.copyOf(names);
    }

    /** Sets what a host has used. */
    public void hostUsage(IntervalData interval, String host, Usage usage) {
        usagesByHost.computeIfAbsent(interval, i -> new ConcurrentHashMap<>()).put(host, usage);
    }

    /** A host was lost: what it used from now on is not part of the sums. */
    public void hostLost(String host) {
        lost.add(host);
    }

    /** Adds successful operations of a host. */
    public void hostOk(IntervalData interval, String host, long operations) {
        okByHost.computeIfAbsent(interval, i -> new ConcurrentHashMap<>()).merge(host, operations, Long::sum);
    }

    /** Successful operations by host; null for a run on one host. */
    @Nullable
    Map<String, Long> hostsOk(IntervalData interval) {
        if (hosts.isEmpty()) {
            return null;
        }
        Map<String, Long> known = okByHost.getOrDefault(interval, Map.of());
        Map<String, Long> ok = new LinkedHashMap<>();
        hosts.forEach(host -> ok.put(host, known.getOrDefault(host, 0L)));
        return ok;
    }

    void backlog(IntervalData interval, long operations) {
        backlogs.put(interval, operations);
    }

    /** What this process or all hosts have used; null while it is unknown of one of them. */
    public @Nullable Usage usage(IntervalData interval) {
        if (hosts.isEmpty()) {
            return usages.get(interval);
        }
        Map<String, Usage> known = usagesByHost.getOrDefault(interval, Map.of());
        boolean isComplete = hosts.stream().allMatch(host -> lost.contains(host) || known.containsKey(host));
        return isComplete ? known.values().stream().reduce(Usage::plus).orElse(null) : null;
    }

    /** Operations due but not started by the end of the interval; null in a closed loop. */
    @Nullable
    Long backlog(IntervalData interval) {
        return backlogs.get(interval);
    }
}
