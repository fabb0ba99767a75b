package io.pgstress.runner;

import io.pgstress.measure.IntervalData;
import io.pgstress.result.Network;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Figures read at the end of each interval, in addition to its operations. Thread-safe. */
public final class IntervalExtras {
    /** The traffic of the load's sockets and the CPU time of the client's process. */
    record Usage(Network network, double cpuCores) {
        static final Usage NONE = new Usage(new Network(0, 0, 0, 0), 0);
    }

    private final Map<IntervalData, Usage> usages = new ConcurrentHashMap<>();
    private final Map<IntervalData, Long> backlogs = new ConcurrentHashMap<>();
    private final Map<IntervalData, Map<String, Long>> okByHost = new ConcurrentHashMap<>();
    private volatile List<String> hosts = List.of();

    /** @param cpuCores CPU time of the client's process, in cores */
    public void usage(IntervalData interval, Network network, double cpuCores) {
        usages.put(interval, new Usage(network, cpuCores));
    }

    /** Sets the names of the hosts of a run on several hosts, before the load. */
    public void hosts(List<String> names) {
        hosts = List.copyOf(names);
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

    Usage usage(IntervalData interval) {
        return usages.getOrDefault(interval, Usage.NONE);
    }

    /** Operations due but not started by the end of the interval; null in a closed load. */
    @Nullable
    Long backlog(IntervalData interval) {
        return backlogs.get(interval);
    }
}
