package io.pgstress.runner;

import io.pgstress.measure.IntervalData;
import io.pgstress.result.Network;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What was read at the end of each interval beside its operations. Thread-safe. */
public final class IntervalExtras {
    /** The traffic of the load's sockets and the CPU time of the client's process. */
    record Usage(Network network, double cpuCores) {
        static final Usage NONE = new Usage(new Network(0, 0, 0, 0), 0);
    }

    private final Map<IntervalData, Usage> usages = new ConcurrentHashMap<>();
    private final Map<IntervalData, Long> backlogs = new ConcurrentHashMap<>();

    /** @param cpuCores cores' worth of CPU time that the client's process used */
    public void usage(IntervalData interval, Network network, double cpuCores) {
        usages.put(interval, new Usage(network, cpuCores));
    }

    void backlog(IntervalData interval, long operations) {
        backlogs.put(interval, operations);
    }

    Usage usage(IntervalData interval) {
        return usages.getOrDefault(interval, Usage.NONE);
    }

    /** Operations that were due and not begun at its end; null in a closed load. */
    @Nullable
    Long backlog(IntervalData interval) {
        return backlogs.get(interval);
    }
}
