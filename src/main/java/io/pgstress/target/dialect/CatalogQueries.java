package io.pgstress.target.dialect;

import io.pgstress.target.driver.RefusedQuery;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Queries of a server's catalog. */
final class CatalogQueries {
    private CatalogQueries() {}

    /** Reads the current row. */
    private interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** @throws RefusedQuery if the server returns an error */
    private static <T> List<T> all(Connection connection, String sql, RowReader<T> reader) throws SQLException {
        List<T> all = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                all.add(reader.read(row));
            }
        } catch (SQLException e) {
            throw ServerErrors.sessionIsAlive(e) ? new RefusedQuery(sql, e) : e;
        }
        return all;
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

    /** The rows of a query with the columns node, bytes of the table, bytes of its indexes. */
    static List<NodeBytes> bytes(Connection connection, String sql) throws SQLException {
        return all(connection, sql, row -> new NodeBytes(row.getString(1), row.getLong(2), row.getLong(3)));
    }

    /** The rows of a query with the columns gid and time. */
    static List<PreparedTransaction> prepared(Connection connection, String node, String sql) throws SQLException {
        return all(connection, sql, row -> new PreparedTransaction(node, row.getString(1), row.getString(2)));
    }
}
