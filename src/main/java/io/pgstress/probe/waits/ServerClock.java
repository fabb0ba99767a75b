package io.pgstress.probe.waits;

/** The server's clock, as compared in the shortest of the last queries, whose middle is known best. Not thread-safe. */
final class ServerClock {
    /** By how much a comparison grows older with each query: the clocks drift apart. */
    private static final double AGEING = 1.02;

    /** The server's time if it has no session to tell it, as a worker of Citus at first. */
    static final double UNKNOWN = Double.MAX_VALUE;

    private double shortest = Double.MAX_VALUE;
    private double aheadNanos;

    /**
     * When the server looked, on this process's clock and within the query.
     *
     * @param serverSeconds the server's time
     */
    long local(double serverSeconds, long start, long end) {
        double middle = start + (end - start) / 2.0;
        if (serverSeconds == UNKNOWN) {
            return Math.round(middle);
        }
        shortest *= AGEING;
        if (end - start <= shortest) {
            shortest = end - start;
            aheadNanos = serverSeconds * 1e9 - middle;
        }
        return Math.max(start, Math.min(end, Math.round(serverSeconds * 1e9 - aheadNanos)));
    }

    /** It is hardly off by more. */
    double errorNanos() {
        return shortest;
    }
}
