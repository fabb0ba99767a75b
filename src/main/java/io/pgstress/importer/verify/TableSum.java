package io.pgstress.importer.verify;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.LongConsumer;

/** Computes the checksum of rows read back, in bounded memory. */
public final class TableSum {
    private static final int REPORTED = 1 << 12;

    private TableSum() {}

    /** The checksum of a query's rows {@code (_id, data)}. */
    public static Checksum of(Connection connection, String query) throws SQLException {
        return of(connection, query, rows -> {});
    }

    /** The same; reports the number of rows read so far from time to time. */
    public static Checksum of(Connection connection, String query, LongConsumer progress) throws SQLException {
        long[] sum = {0, 0};
        StoredRows.read(connection, query, (key, row) -> {
            sum[0]++;
            sum[1] += row;
            if (sum[0] % REPORTED == 0) {
                progress.accept(sum[0]);
            }
        });
        return new Checksum(sum[0], sum[1]);
    }
}
