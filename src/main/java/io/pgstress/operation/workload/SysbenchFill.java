package io.pgstress.operation.workload;

import io.pgstress.dataset.SplitMix;
import io.pgstress.target.driver.CopyStream;
import java.sql.Connection;
import java.sql.SQLException;

/** Fills a table of sysbench's format, on a control connection. Stateless. */
public final class SysbenchFill {
    private static final int ROWS_PER_WRITE = 500;

    private SysbenchFill() {}

    /**
     * Loads rows with the ids from 1 to {@code count} into an empty table by one COPY, then vacuums and analyzes it.
     *
     * @param maxK the greatest value of column k
     */
    public static void fill(Connection control, String table, int count, int maxK, long seed) throws SQLException {
        SysbenchRows made = new SysbenchRows(new SplitMix(seed, 0), maxK);
        byte[] bytes = new byte[ROWS_PER_WRITE * SysbenchRows.MAX_BYTES];
        CopyStream copy = CopyStream.open(control, "copy " + table + " " + SysbenchRows.NAMES + " from stdin");
        try {
            for (int id = 1; id <= count && id > 0; ) {
                int at = 0;
                for (int r = 0; r < ROWS_PER_WRITE && id <= count && id > 0; r++) {
                    at = made.write(id++, bytes, at);
                }
                copy.write(bytes, 0, at);
            }
            copy.end();
        } finally {
            copy.cancel();
        }
        try (var statement = control.createStatement()) {
            statement.execute("vacuum analyze " + table);
        }
    }
}
