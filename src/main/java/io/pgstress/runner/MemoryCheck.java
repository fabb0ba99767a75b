package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.operation.Operation;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.InvalidPlanException;
import java.util.List;
import java.util.Locale;

/**
 * Rejects a run whose clients could not hold their rows in memory: without a fetch size, the driver reads all rows of a
 * statement at once.
 */
final class MemoryCheck {
    private static final double SHARE = 0.8;
    private static final int ROW_OVERHEAD = 100;

    private MemoryCheck() {}

    /** @param operations in the order of the mix */
    static void check(RunSpec spec, Table table, List<Operation> operations) {
        for (int o = 0; o < operations.size() && spec.get(RunOptions.FETCH_SIZE) == 0; o++) {
            check(
                    spec,
                    table,
                    spec.mix().get(o).name(),
                    operations.get(o).profile().maxRows());
        }
    }

    private static void check(RunSpec spec, Table table, String name, int maxRows) {
        if (maxRows == 0) {
            return;
        }
        double rowBytes = (double) table.bytes() / table.rows() + ROW_OVERHEAD;
        double rows = Math.min(maxRows, table.rows());
        double needed = rowBytes * rows * spec.load().clients();
        double have = Runtime.getRuntime().maxMemory();
        if (needed > have * SHARE) {
            throw new InvalidPlanException(String.format(
                    Locale.ROOT,
                    "op: %s with %d clients of up to %.0f rows of %.0f bytes needs about %.0f MiB, the heap has %.0f;"
                            + " use --fetch-size 1000 --transaction, fewer --threads, a smaller --limit-max or a larger"
                            + " heap (java -Xmx)",
                    name,
                    spec.load().clients(),
                    rows,
                    rowBytes,
                    needed / (1 << 20),
                    have / (1 << 20)));
        }
    }
}
