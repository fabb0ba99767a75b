package io.pgstress.target.dialect;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The shards or nodes of rows with the keys from 1, in the order of the keys. Stateless. */
final class KeyPlaces {
    /** A temporary table with a row for each key, for servers on which only an actual row shows its node. */
    static final String PROBE = "pgstress_keys";

    private KeyPlaces() {}

    /** @param sql a query of each key and its place */
    static long[] of(Connection connection, String sql, int count) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            long[] places = new long[count];
            while (rows.next()) {
                places[rows.getInt(1) - 1] = rows.getLong(2);
            }
            return places;
        }
    }

    /**
     * The same, determined from rows with all keys in {@link #PROBE}, which is dropped afterwards.
     *
     * @param create statement that creates it, distributed like the table in question
     * @param place the column that shows a row's node
     */
    static long[] byRows(Connection connection, String create, String column, String place, int count)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(create);
            statement.execute("insert into " + PROBE + " select i from generate_series(1, " + count + ") i");
            long[] places = of(connection, "select " + column + ", " + place + " from " + PROBE, count);
            statement.execute("drop table " + PROBE);
            return places;
        }
    }
}
