package io.pgstress.verdict;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import org.jspecify.annotations.Nullable;

/**
 * How much of the latencies is the client's own waiting: an operation whose answer has arrived waits until its thread gets a core, and
 * on an event loop until it is its turn. An estimate. Immutable.
 *
 * @param ownMicros mean time per operation that was spent in such waits
 * @param meanMicros mean latency of an operation
 */
public record ClientTurns(double ownMicros, double meanMicros) {
    /** Above this part of the mean latency, the waits are worth a warning. */
    private static final double MAX_PART = 0.1;

    /** Above this part, the latencies are not the server's. */
    private static final double MAX_VALID_PART = 0.3;

    /** Shorter waits are ignored: even a thread with its own core takes some time to wake up. */
    private static final double MIN_MICROS = 100;

    /** Shorter waits leave a result valid: who measures less than this needs a client without any other load. */
    private static final double MIN_DOMINANT_MICROS = 1_000;

    /** A client's threads in the queues of the operating system. */
    public record RunQueue(long nanos, long turns) {}

    /**
     * The estimate from the best evidence there is. On event loops, it is the larger of the mean wait for a turn and the mean time that
     * a loop waited for a core. With a thread of the system for each client, it is the time that these threads waited for a core. In an open
     * load, they also wait for one when an operation is due, before it starts: one turn of each operation.
     * Otherwise it is the mean time by which probes were read late, which is longer than an average operation waits if waits come
     * in bursts.
     *
     * @param waits numbers of waits of event-loop threads during the measurement, at index n those shorter than 2 to the power of n
     *     nanoseconds; null without event loops
     * @param queue what the clients' threads, or the event loops, waited for cores during the measurement; null if unknown
     * @param operations number of operations with any outcome that ended in it
     * @param isOpen whether operations start on a schedule
     * @param late how late each probe was read
     * @param meanMicros mean latency of an operation
     * @param leastMicros the shortest latency, which all operations need without any wait
     */
    public static ClientTurns of(
            long @Nullable [] waits,
            @Nullable RunQueue queue,
            long operations,
            boolean isOpen,
            LatencyHistogram late,
            double meanMicros,
            double leastMicros) {
        if (operations == 0) {
            return new ClientTurns(0, meanMicros);
        }
        double own;
        if (waits != null) {
            double woken = queue == null || queue.turns == 0 ? 0 : queue.nanos / 1e3 / queue.turns;
            own = Math.max(micros(waits) / operations, woken);
        } else if (queue != null) {
            double within = isOpen ? Math.max(0, 1 - (double) operations / Math.max(1, queue.turns)) : 1;
            own = within * queue.nanos / 1e3 / operations;
        } else {
            own = late.count() == 0 ? 0 : late.meanMicros();
        }
        return new ClientTurns(Math.max(0, Math.min(own, meanMicros - leastMicros)), meanMicros); // retries wait, too
    }

    /** The sum of the waits, each taken as the middle of its index's range. */
    private static double micros(long[] waits) {
        double sum = 0;
        for (int n = 1; n < waits.length; n++) {
            sum += Math.scalb(0.75, n) * waits[n];
        }
        return sum / 1e3;
    }

    /** The part of the mean latency, 0 to 1. */
    public double share() {
        return meanMicros == 0 ? 0 : ownMicros / meanMicros;
    }

    /** Whether the waits are worth a warning. */
    public boolean areNotable() {
        return ownMicros > MIN_MICROS && share() > MAX_PART;
    }

    /** Whether the waits are so large a part that latencies tell little about the server. */
    boolean areDominant() {
        return ownMicros > MIN_DOMINANT_MICROS && share() > MAX_VALID_PART;
    }

    /** A remark about the waits, of a code that has their figures. */
    Remark remark(RemarkCode code) {
        return code.with("ownMillis", ownMicros / 1e3)
                .with("meanMillis", meanMicros / 1e3)
                .with("percent", 100 * share())
                .remark();
    }
}
