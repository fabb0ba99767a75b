package io.pgstress.operation.workload;

import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.SetUpWork;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Fills a table of sysbench's format. Stateless. */
public final class SysbenchFill {
    private static final int PORTION = 100_000;

    private SysbenchFill() {}

    /**
     * Loads rows with the ids from 1 to {@code count} into an empty table, then vacuums and analyzes it.
     *
     * @param work where further connections come from; null: only {@code control} is used
     * @param maxK the greatest value of column k
     */
    public static void fill(Connection control, @Nullable SetUpWork work, String table, int count, int maxK, long seed)
            throws SQLException {
        PortionedCopy.fill(
                control,
                work,
                new PortionedCopy.Content(
                        table + " " + SysbenchRows.NAMES,
                        count,
                        PORTION,
                        SysbenchRows.MAX_BYTES,
                        portion -> rows(new SysbenchRows(new SplitMix(seed, portion), maxK))));
        ControlSql.execute(control, "vacuum analyze " + table);
    }

    private static PortionedCopy.Rows rows(SysbenchRows made) {
        return (id, to, from) -> made.write((int) id, to, from);
    }
}
