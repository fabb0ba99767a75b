package io.pgstress.importer.verify;

import io.pgstress.target.driver.CopyReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.LongConsumer;

/**
 * Computes the checksum of rows read back, in bounded memory: small rows are read as a whole first, large ones in pieces
 * afterwards.
 */
public final class TableSum {
    private static final int COLUMNS = 2;
    private static final int REPORTED = 1 << 12;

    private TableSum() {}

    /** The checksum of a query's rows {@code (_id, data)}. */
    public static Checksum of(Connection connection, String query) throws SQLException {
        return of(connection, query, rows -> {});
    }

    /** The same; reports the number of rows read so far from time to time. */
    public static Checksum of(Connection connection, String query, LongConsumer progress) throws SQLException {
        RowHash hash = new RowHash();
        long rows = 0;
        long sum = 0;
        boolean leftOut = false;
        String small =
                "select _id, case when " + RowPieces.ARE_NEEDED + " then null else data end from (" + query + ") r";
        try (CopyReader copy = CopyReader.open(connection, "copy (" + small + ") to stdout with (format binary)")) {
            for (byte[] message = copy.next(); message != null; message = copy.next()) {
                int key = RowHash.keyOf(message, COLUMNS);
                if (key >= 0) {
                    rows++;
                    sum += hash.of(message, key, false);
                    if (rows % REPORTED == 0) {
                        progress.accept(rows);
                    }
                    leftOut |= RowHash.length(message, RowHash.endOf(message, key)) < 0;
                }
            }
        }
        return new Checksum(rows, leftOut ? sum + new RowPieces().added(connection, query) : sum);
    }
}
