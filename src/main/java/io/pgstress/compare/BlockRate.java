package io.pgstress.compare;

import io.pgstress.result.Latency;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import org.jspecify.annotations.Nullable;

/**
 * Operations per second of a block. The count of a closed loop is coarse: it changes by one for each client with the moment the
 * block ends, and for all clients at once if they run in step, always in the same direction. So the rate follows from Little's law, as
 * clients divided by mean time (J. D. C. Little, Operations Research 9, 1961), which also counts parts of operations, unless one
 * operation for each client is less than a thousandth of the block.
 */
final class BlockRate {
    /** With this many operations per client, the mean time is of few operations. */
    private static final int FEW = 30;

    /** With this many operations per client, their count is accurate to 0.1% in the worst case. */
    private static final int MANY = 1000;

    private static final double MICROS = 1e6;

    private BlockRate() {}

    /**
     * Operations per second of a whole block.
     *
     * @param all all of its operations
     */
    static double of(RunResult block, OperationResult all) {
        return of(block, all.opsPerSecond(), total(all));
    }

    /**
     * Whether a whole block's rate is computed from the mean time of few operations.
     *
     * @param all all of its operations
     */
    static boolean isOfFew(RunResult block, OperationResult all) {
        return hasFewer(FEW, block, total(all));
    }

    /**
     * Operations per second of part of a run.
     *
     * @param counted number of successful operations divided by seconds
     * @param total the times of that part in a closed loop; null if unknown or if the load is open
     */
    static double of(RunResult run, double counted, @Nullable Latency total) {
        return total != null && hasFewer(MANY, run, total) ? clients(run) * MICROS / total.mean() : counted;
    }

    private static boolean hasFewer(int perClient, RunResult run, @Nullable Latency total) {
        return total != null
                && total.mean() > 0
                && total.count() >= clients(run)
                && total.count() < (long) perClient * clients(run)
                && isPlain(run);
    }

    /** Whether clients spent all their time on successful operations. */
    private static boolean isPlain(RunResult run) {
        OperationResult all = run.total();
        return all.failed() + all.misses() + all.duplicates() + all.retries() + all.unfinished() == 0
                && run.load().halts().count() == 0
                && !run.run().partial();
    }

    private static @Nullable Latency total(OperationResult all) {
        return all.latencyMicros().containsKey("response")
                ? null
                : all.latencyMicros().get("total");
    }

    private static int clients(RunResult run) {
        return run.nodes().stream().mapToInt(NodeResult::clients).sum();
    }
}
