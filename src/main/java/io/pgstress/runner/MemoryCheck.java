package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.operation.document.Find;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.InvalidPlanException;

/**
 * Rejects a run whose clients could not hold their rows in memory: without a fetch size, the driver reads all rows of a
 * statement at once.
 */
final class MemoryCheck {
    private static final double SHARE = 0.8;
    private static final int ROW_OVERHEAD = 100;

    private MemoryCheck() {}

    static void check(RunSpec spec, Table table) {
        boolean finds = spec.mix().stream().anyMatch(o -> o.name().equals("find"));
        if (!finds || spec.get(RunOptions.FETCH_SIZE) > 0) {
            return;
        }
        double rowBytes = (double) table.bytes() / table.rows() + ROW_OVERHEAD;
        double rows = Math.min(spec.get(Find.LIMIT_MAX), table.rows());
        double needed = rowBytes * rows * spec.load().clients();
        double have = Runtime.getRuntime().maxMemory();
        if (needed > have * SHARE) {
            throw new InvalidPlanException(String.format(
                    java.util.Locale.ROOT,
                    "op: find with %d clients of up to %.0f rows of %.0f bytes needs about %.0f MiB, the heap has %.0f;"
                            + " use --fetch-size 1000 --transaction, fewer --threads, a smaller --limit-max or a larger"
                            + " heap (java -Xmx)",
                    spec.load().clients(),
                    rows,
                    rowBytes,
                    needed / (1 << 20),
                    have / (1 << 20)));
        }
    }
}
