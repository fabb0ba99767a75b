package io.pgstress.target.dialect;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Queries of a server's catalog. */
final class CatalogQueries {
    private CatalogQueries() {}

    /** Whether the query's first value is true. */
    static boolean holds(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() && row.getBoolean(1);
        }
    }

    /** The query's first column. */
    static List<String> texts(Connection connection, String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    /**
     * The nodes that a query returns. Its columns: name, role, host, port, whether it coordinates, whether it holds data,
     * whether it is the queried node.
     */
    static List<CatalogNode> nodes(Connection connection, String sql) throws SQLException {
        List<CatalogNode> nodes = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                nodes.add(new CatalogNode(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getInt(4),
                        row.getBoolean(5),
                        row.getBoolean(6),
                        row.getBoolean(7)));
            }
        }
        return nodes;
    }

    /** The rows of a query with the columns node, bytes of the table, bytes of its indexes. */
    static List<NodeBytes> bytes(Connection connection, String sql) throws SQLException {
        List<NodeBytes> bytes = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                bytes.add(new NodeBytes(row.getString(1), row.getLong(2), row.getLong(3)));
            }
        }
        return bytes;
    }

    /** The rows of a query with the columns gid and time. */
    static List<PreparedTransaction> prepared(Connection connection, String node, String sql) throws SQLException {
        List<PreparedTransaction> all = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                all.add(new PreparedTransaction(node, row.getString(1), row.getString(2)));
            }
        }
        return all;
    }

    /** A text as a string literal. */
    static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
