package io.pgstress.runner;

import io.pgstress.measure.IntervalData;
import io.pgstress.result.Network;
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

    /** @param cpuCores CPU time of the client's process, in cores */
    public void usage(IntervalData interval, Network network, double cpuCores) {
        usages.put(interval, new Usage(network, cpuCores));
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
