package io.pgstress.target.dialect;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Where rows of the keys 1 and up go, in the order of the keys. Stateless. */
final class KeyPlaces {
    /** A table of the session's own, which takes the rows of keys where only a row itself tells where it is. */
    static final String PROBE = "pgstress_keys";

    private KeyPlaces() {}

    /** @param sql a query of each key and its place */
    static long[] of(Connection connection, String sql, int most) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            long[] places = new long[most];
            while (rows.next()) {
                places[rows.getInt(1) - 1] = rows.getLong(2);
            }
            return places;
        }
    }

    /**
     * The same by rows of all keys in {@link #PROBE}, which is gone afterwards.
     *
     * @param create makes it, distributed as the table that is asked about
     * @param place the column that tells where a row is
     */
    static long[] byRows(Connection connection, String create, String column, String place, int most)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(create);
            statement.execute("insert into " + PROBE + " select i from generate_series(1, " + most + ") i");
            long[] places = of(connection, "select " + column + ", " + place + " from " + PROBE, most);
            statement.execute("drop table " + PROBE);
            return places;
        }
    }
}
