package io.pgstress.compare;

import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.result.RunResult;

/** Runs the blocks of a comparison. Belongs to the comparison's thread. */
public interface BlockRunner {
    /**
     * Runs one block: reset, warm-up, measurement.
     *
     * @throws InterruptedException if the comparison is to end; the block does not count
     */
    RunResult run(Variant variant) throws InterruptedException;
}
