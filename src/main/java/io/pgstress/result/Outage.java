package io.pgstress.result;

import io.pgstress.text.Records;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A period without a successful operation, from the last success before it to the first one after it. Or a period in which a
 * server without clients did not answer the checks, known to within a few seconds. Times are relative to the start of the
 * measurement.
 *
 * @param node the node concerned; null for all nodes
 * @param silent whether only the checks show it; {@code node} is then the name of the server in the cluster
 * @param operationsLost estimated number of successes missing, compared with the rate before the outage, or in an open loop delayed;
 *     null if unknown
 * @param fullRateAtSeconds when the rate reached its earlier level again; null if it never did or if unknown
 * @param silentServers the servers of the cluster that did not answer the checks during the outage
 * @param answeredAtSeconds when the last of these answered again, if that was well before the end: operations failed for longer; null if
 *     it was not, or is unknown
 * @param clientStalled whether the clients' own threads, and not the server, stalled for most of it
 */
public record Outage(
        double fromSeconds,
        double toSeconds,
        @Nullable String node,
        boolean silent,
        @Nullable Long operationsLost,
        @Nullable Double fullRateAtSeconds,
        List<String> silentServers,
        @Nullable Double answeredAtSeconds,
        boolean clientStalled) {
    /** An outage with known times only. */
    public Outage(double fromSeconds, double toSeconds, @Nullable String node, boolean silent) {
        this(fromSeconds, toSeconds, node, silent, null, null, List.of(), null, false);
    }

    /** A period without a successful operation. */
    public Outage(double fromSeconds, double toSeconds, @Nullable String node) {
        this(fromSeconds, toSeconds, node, false);
    }

    /** Whether a part of it is in this interval. */
    public boolean meets(IntervalResult interval) {
        return overlaps(interval, toSeconds);
    }

    /** Whether a part of it, or of the time until the rate reached its earlier level again, is in this interval. */
    public boolean affects(IntervalResult interval) {
        return overlaps(interval, fullRateAtSeconds == null ? toSeconds : Math.max(toSeconds, fullRateAtSeconds));
    }

    private boolean overlaps(IntervalResult interval, double to) {
        return interval.atSeconds() < to && interval.atSeconds() + interval.seconds() > fromSeconds;
    }

    /** A copy with the servers that did not answer. */
    public Outage withSilentServers(List<String> servers) {
        return Records.with(this, "silentServers", List.copyOf(servers));
    }

    /** A copy in which the clients' own threads stalled. */
    public Outage withStalledClient() {
        return Records.with(this, "clientStalled", true);
    }

    /** A copy whose silent servers answered again before its end. */
    public Outage withAnswerAt(double seconds) {
        return Records.with(this, "answeredAtSeconds", seconds);
    }
}
