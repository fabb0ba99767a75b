package io.pgstress.target.driver;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.StringJoiner;
import org.postgresql.core.BaseConnection;

/**
 * How the driver sends a batch of single-row INSERTs: with {@code reWriteBatchedInserts} as multi-row ones, whose numbers of rows
 * are powers of two (pgjdbc's {@code PgPreparedStatement.transformQueriesAndParameters}).
 */
public final class DriverBatch {
    private static final int MAX_ROWS = 128;
    private static final int MAX_PARAMETERS = 65_535;

    private DriverBatch() {}

    /** Whether batches of prepared statements are rewritten on this connection, possibly wrapped by a pool. */
    public static boolean isRewritten(Connection connection) throws SQLException {
        return connection.unwrap(BaseConnection.class).getQueryExecutor().isReWriteBatchedInsertsEnabled();
    }

    /**
     * A description of the statements of a rewritten batch.
     *
     * @param parameters per row, at least 1
     */
    public static String rewritten(int rows, int parameters) {
        int most = Integer.highestOneBit(Math.max(1, Math.min(MAX_ROWS, MAX_PARAMETERS / parameters)));
        StringJoiner words = new StringJoiner(", ");
        add(words, rows / most, most);
        for (int size = most / 2; size > 0; size /= 2) {
            add(words, rows / size % 2, size);
        }
        return words.toString();
    }

    private static void add(StringJoiner words, int count, int rows) {
        if (count > 0) {
            words.add(String.format(
                    Locale.ROOT,
                    words.length() > 0 ? "%d of %d" : count == 1 ? "%d INSERT of %d rows" : "%d INSERTs of %d rows",
                    count,
                    rows));
        }
    }
}
