package io.pgstress.dataset;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * How many ids a table has and, if they are integers, between which numbers.
 *
 * @param first the least id; 0 if they are not integers
 * @param last the greatest id; 0 if they are not integers
 */
record KeyRange(long rows, long first, long last, TableColumns.Key key) {
    /** Ids in a range of at most this many times their number are kept as a bitmap, in at most a byte each. */
    private static final int MAX_GAPS = 8;

    /** The greatest bitmap's bits. */
    private static final long MAX_SPAN = 1L << 36;

    static KeyRange read(Connection connection, TableName table, TableColumns.Key key) throws SQLException {
        String ends = key.isInteger() ? "min(_id), max(_id)" : "0, 0";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(_id), " + ends + " from " + table.quoted())) {
            row.next();
            return new KeyRange(row.getLong(1), row.getLong(2), row.getLong(3), key);
        }
    }

    /** Whether every number between the least and the greatest is an id. */
    boolean isDense() {
        return key.isInteger() && key.isUnique() && last - first == rows - 1;
    }

    /** Whether a bitmap holds this many of the ids in at most a byte each. */
    boolean fitsBitmap(double ids) {
        long distance = last - first;
        return key.isInteger() && distance >= 0 && distance < MAX_SPAN && distance < MAX_GAPS * ids;
    }

    /** The size of the range, if a bitmap holds it. */
    long span() {
        return last - first + 1;
    }

    KeyType type() {
        return key.type();
    }
}
