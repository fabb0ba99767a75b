package io.pgstress.result;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A time without a success, from the last success before it to the first after it; or a time in which a server that no client
 * connects to did not answer the checks, which is known to within a few seconds. Times are since the start of the measurement.
 *
 * @param node null if all nodes are meant
 * @param silent whether only the checks show it; {@code node} is then the server's name in the cluster
 * @param operationsLost estimated successes that are missing, compared with the rate before the outage; null if unknown
 * @param fullRateAtSeconds when the rate was back at its earlier level; null if it never was, or if unknown
 * @param silentServers the servers of the cluster that did not answer the checks during the outage
 */
public record Outage(
        double fromSeconds,
        double toSeconds,
        @Nullable String node,
        boolean silent,
        @Nullable Long operationsLost,
        @Nullable Double fullRateAtSeconds,
        List<String> silentServers) {
    public Outage {
        silentServers = Objects.requireNonNullElse(silentServers, List.of()); // older results do not have it
    }

    /** An outage in which no server is known to have been silent. */
    public Outage(
            double fromSeconds,
            double toSeconds,
            @Nullable String node,
            boolean silent,
            @Nullable Long operationsLost,
            @Nullable Double fullRateAtSeconds) {
        this(fromSeconds, toSeconds, node, silent, operationsLost, fullRateAtSeconds, List.of());
    }

    /** An outage of which only the times are known. */
    public Outage(double fromSeconds, double toSeconds, @Nullable String node, boolean silent) {
        this(fromSeconds, toSeconds, node, silent, null, null);
    }

    /** A time without a success. */
    public Outage(double fromSeconds, double toSeconds, @Nullable String node) {
        this(fromSeconds, toSeconds, node, false);
    }

    /** The same with the servers that did not answer. */
    public Outage withSilentServers(List<String> servers) {
        return new Outage(
                fromSeconds, toSeconds, node, silent, operationsLost, fullRateAtSeconds, List.copyOf(servers));
    }
}
