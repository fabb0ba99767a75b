package io.pgstress.dataset;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Reads the ids to draw from out of the table, so that reads find rows. Reads all of them, or if there are too many a Bernoulli
 * sample, in which every row has the same chance whatever gaps the ids have.
 */
final class KeyLoader {
    private static final int FETCH = 10_000;

    private final Connection connection;
    private final TableName table;
    private final KeyType type;

    KeyLoader(Connection connection, TableName table, KeyType type) {
        this.connection = connection;
        this.table = table;
        this.type = type;
    }

    /**
     * @param rows number of rows of the table
     * @param maxIds maximum number of ids to keep
     * @param seed seed of the sample
     */
    Keys load(long rows, int maxIds, long seed) throws SQLException {
        String sample = rows <= maxIds ? "" : sample((double) maxIds / rows, seed);
        String sql = "select _id from " + table.quoted() + sample + " order by _id";
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(FETCH);
            try (ResultSet ids = statement.executeQuery(sql)) {
                int expected = (int) Math.min(rows, maxIds) + 16;
                return switch (type) {
                    case INT -> ints(ids, expected);
                    case BIGINT -> longs(ids, expected);
                    default -> strings(ids);
                };
            }
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private static String sample(double share, long seed) {
        return String.format(Locale.ROOT, " tablesample bernoulli (%.6f) repeatable (%d)", 100 * share, seed);
    }

    private static Keys ints(ResultSet ids, int expected) throws SQLException {
        int[] array = new int[expected];
        int n = 0;
        while (ids.next()) {
            if (n == array.length) {
                array = Arrays.copyOf(array, n + n / 2 + 1);
            }
            array[n++] = ids.getInt(1);
        }
        return new IntKeys(Arrays.copyOf(array, n));
    }

    private static Keys longs(ResultSet ids, int expected) throws SQLException {
        long[] array = new long[expected];
        int n = 0;
        while (ids.next()) {
            if (n == array.length) {
                array = Arrays.copyOf(array, n + n / 2 + 1);
            }
            array[n++] = ids.getLong(1);
        }
        return new LongKeys(Arrays.copyOf(array, n));
    }

    private Keys strings(ResultSet ids) throws SQLException {
        List<String> list = new ArrayList<>();
        while (ids.next()) {
            list.add(ids.getString(1));
        }
        return new StringKeys(list.toArray(String[]::new), type == KeyType.TEXT);
    }
}
