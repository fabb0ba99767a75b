package io.pgstress.result;

import org.jspecify.annotations.Nullable;

/**
 * How long connecting took, and the rate of all operations with and without it. One of the two is the rate of the result.
 *
 * @param connect {@code per-client}: before the load; {@code per-transaction}: in each operation
 * @param seconds until all clients were connected; null if each operation connected
 * @param meanMicros per successful operation; null if it did not connect, or there was none
 * @param opsPerSecondWith null without a measurement
 * @param opsPerSecondWithout null without a measurement, and if the operations of an open loop connected: its rate is given
 */
public record Connecting(
        String connect,
        @Nullable Double seconds,
        @Nullable Double meanMicros,
        @Nullable Double opsPerSecondWith,
        @Nullable Double opsPerSecondWithout) {
    private static final String PER_CLIENT = "per-client";
    private static final String PER_TRANSACTION = "per-transaction";

    /**
     * What was measured.
     *
     * @param measured length of the measurement in seconds; 0 if there was none
     * @param ok successful operations that ended within it
     */
    public record Window(double measured, long ok) {}

    /** Whether each operation had a session of its own. */
    public boolean wasPerTransaction() {
        return connect.equals(PER_TRANSACTION);
    }

    /**
     * Clients that connected before the load. As in pgbench up to version 13, the rate with connecting is that of a measurement
     * that is longer by this time.
     *
     * @param seconds until all were connected
     */
    public static Connecting perClient(double seconds, Window window) {
        return new Connecting(PER_CLIENT, seconds, null, rate(window, seconds), rate(window, 0));
    }

    /**
     * Operations that connected. As in pgbench up to version 13, the rate without connecting is that of a measurement that is
     * shorter by the mean time that a client was connecting.
     *
     * @param meanMicros mean time of a successful operation; null if there was none
     * @param clients the number of clients that were always busy; 0 in an open loop
     */
    public static Connecting perTransaction(@Nullable Double meanMicros, int clients, Window window) {
        Double without =
                meanMicros == null || clients == 0 ? null : rate(window, -window.ok * meanMicros / 1e6 / clients);
        return new Connecting(PER_TRANSACTION, null, meanMicros, rate(window, 0), without);
    }

    /** Null if nothing remains of the measurement. */
    private static @Nullable Double rate(Window window, double longer) {
        double seconds = window.measured + longer;
        return window.measured <= 0 || seconds <= 0 ? null : Double.valueOf(window.ok / seconds);
    }

    /** Whether each operation connected. */
    public boolean opensPerTransaction() {
        return connect.equals(PER_TRANSACTION);
    }
}
