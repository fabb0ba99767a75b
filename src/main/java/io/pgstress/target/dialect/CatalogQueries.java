package io.pgstress.target.dialect;

import io.pgstress.target.dialect.Dialect.CatalogNode;
import io.pgstress.target.dialect.Dialect.PreparedTransaction;
import io.pgstress.target.dialect.TableStorage.Distribution;
import io.pgstress.target.dialect.Tables.NodeBytes;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.ServerErrors.RefusedQuery;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Queries of a server's catalog. */
final class CatalogQueries {
    private CatalogQueries() {}

    /** @throws RefusedQuery if the server returns an error */
    private static <T> List<T> all(Connection connection, String sql, ControlSql.RowReader<T> reader)
            throws SQLException {
        try {
            return ControlSql.rows(connection, sql, reader);
        } catch (SQLException e) {
            throw ServerErrors.sessionIsAlive(e) ? new RefusedQuery(sql, e) : e;
        }
    }

    /** Whether the query's first value is true. */
    static boolean holds(Connection connection, String sql) throws SQLException {
        return all(connection, sql, row -> row.getBoolean(1)).stream()
                .findFirst()
                .orElse(false);
    }

    /** The sum of the query's first column. */
    static long sum(Connection connection, String sql) throws SQLException {
        return all(connection, sql, row -> row.getLong(1)).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** The query's first column. */
    static List<String> texts(Connection connection, String sql) throws SQLException {
        return all(connection, sql, row -> row.getString(1));
    }

    /**
     * The nodes that a query returns. Its columns: name, role, host, port, whether it coordinates, whether it holds data,
     * whether it is the queried node.
     */
    static List<CatalogNode> nodes(Connection connection, String sql) throws SQLException {
        return all(
                connection,
                sql,
                row -> new CatalogNode(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getInt(4),
                        row.getBoolean(5),
                        row.getBoolean(6),
                        row.getBoolean(7)));
    }

    /** The condition for rows written from now on, if one server numbers all transactions. */
    static String newerThanNow(Connection connection) throws SQLException {
        return "age(xmin) < age('"
                + texts(connection, "select txid_current() % 4294967296").get(0) + "'::xid)";
    }

    /** The rows of a query with the columns node, bytes of the table, bytes of its indexes. */
    static List<NodeBytes> bytes(Connection connection, String sql) throws SQLException {
        return all(connection, sql, row -> new NodeBytes(row.getString(1), row.getLong(2), row.getLong(3)));
    }

    /** The first row of a query with the columns method, distribution column and places; none without a row. */
    static Distribution distribution(Connection connection, String sql) throws SQLException {
        return all(connection, sql, row -> new Distribution(row.getString(1), row.getString(2), row.getString(3)))
                .stream()
                .findFirst()
                .orElse(Distribution.NONE);
    }

    /** The rows of a query with the columns gid and time. */
    static List<PreparedTransaction> prepared(Connection connection, String node, String sql) throws SQLException {
        return all(connection, sql, row -> new PreparedTransaction(node, row.getString(1), row.getString(2)));
    }

    /** The shards or nodes of rows with the keys from 1, in the order of the keys. Stateless. */
    static final class KeyPlaces {
        /** A temporary table with a row for each key, for servers on which only an actual row shows its node. */
        static final String PROBE = "pgstress_keys";

        private KeyPlaces() {}

        /** @param sql a query of each key and its place */
        static long[] of(Connection connection, String sql, int count) throws SQLException {
            long[] places = new long[count];
            ControlSql.rows(connection, sql, row -> places[row.getInt(1) - 1] = row.getLong(2));
            return places;
        }

        /**
         * Counts places by inserting rows with all keys into {@link #PROBE}, and drops it afterwards.
         *
         * @param create statement that creates it, distributed like the table in question
         * @param place the column that shows a row's node
         */
        static long[] byRows(Connection connection, String create, String column, String place, int count)
                throws SQLException {
            ControlSql.execute(
                    connection, create, "insert into " + PROBE + " select i from generate_series(1, " + count + ") i");
            long[] places = of(connection, "select " + column + ", " + place + " from " + PROBE, count);
            ControlSql.execute(connection, "drop table " + PROBE);
            return places;
        }
    }
}
