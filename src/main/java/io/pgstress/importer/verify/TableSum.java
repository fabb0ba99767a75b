package io.pgstress.importer.verify;

import io.pgstress.target.driver.CopyReader;
import java.sql.Connection;
import java.sql.SQLException;

/** Reads rows back and adds them up; memory goes with the largest row. */
public final class TableSum {
    private TableSum() {}

    /** The checksum of a query's rows {@code (_id, data)}. */
    public static Checksum of(Connection connection, String query) throws SQLException {
        RowHash hash = new RowHash();
        long rows = 0;
        long sum = 0;
        try (CopyReader copy = CopyReader.open(connection, "copy (" + query + ") to stdout with (format binary)")) {
            for (byte[] message = copy.next(); message != null; message = copy.next()) {
                int key = RowHash.keyOf(message);
                if (key >= 0) {
                    rows++;
                    sum += hash.of(message, key, false);
                }
            }
        }
        return new Checksum(rows, sum);
    }
}
