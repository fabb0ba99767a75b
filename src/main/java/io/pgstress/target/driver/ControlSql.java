package io.pgstress.target.driver;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/** Runs statements without parameters on a control connection: DDL, settings and queries of the catalog. */
public final class ControlSql {
    private ControlSql() {}

    /** Reads the current row. */
    @FunctionalInterface
    public interface RowReader<T extends @Nullable Object> {
        T read(ResultSet row) throws SQLException;
    }

    /** Runs the statements one after the other. */
    public static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Runs a statement that changes rows; returns their number. */
    public static long update(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeLargeUpdate(sql);
        }
    }

    /** Statements that belong together. */
    @FunctionalInterface
    public interface Action {
        void run() throws SQLException;
    }

    /** Runs the action in a transaction of its own, or in the one that is open on a connection not in autocommit mode. */
    public static void inTransaction(Connection connection, Action action) throws SQLException {
        if (!connection.getAutoCommit()) {
            action.run();
            return;
        }
        connection.setAutoCommit(false);
        try {
            action.run();
            connection.commit();
        } catch (SQLException | RuntimeException | Error e) {
            rollBack(connection, e);
            throw e;
        }
        connection.setAutoCommit(true);
    }

    /** Statements with a result. */
    @FunctionalInterface
    public interface Query<T> {
        T get() throws SQLException;
    }

    /** Runs the query in a transaction that is then rolled back. The connection is in autocommit mode before and after. */
    public static <T> T rolledBack(Connection connection, Query<T> query) throws SQLException {
        connection.setAutoCommit(false);
        T result;
        try {
            result = query.get();
        } catch (SQLException | RuntimeException | Error e) {
            rollBack(connection, e);
            throw e;
        }
        connection.rollback();
        connection.setAutoCommit(true);
        return result;
    }

    /**
     * Ends a transaction that failed. The failure is what a user has to know; that the connection could not even roll back is
     * added to it.
     */
    private static void rollBack(Connection connection, Throwable failure) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    /** The rows of a query. */
    public static <T> List<T> rows(Connection connection, String sql, RowReader<T> reader) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                rows.add(reader.read(row));
            }
        }
        return rows;
    }

    /**
     * Prepares a query that is run often.
     *
     * @param isPlannedOnce whether the server keeps its plan: not possible if a pooler shares sessions
     */
    public static PreparedStatement prepare(Connection connection, String sql, boolean isPlannedOnce)
            throws SQLException {
        PreparedStatement query = connection.prepareStatement(sql);
        query.unwrap(PGStatement.class).setPrepareThreshold(isPlannedOnce ? 1 : 0);
        return query;
    }

    /** The rows of a prepared query. */
    public static <T> List<T> rows(PreparedStatement query, RowReader<T> reader) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                rows.add(reader.read(row));
            }
        }
        return rows;
    }

    /** The first row of a query; empty if there is none, or the reader returns null. */
    public static <T> Optional<T> first(Connection connection, String sql, RowReader<@Nullable T> reader)
            throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? Optional.ofNullable(reader.read(row)) : Optional.empty();
        }
    }

    /** The first value of a query's first row; 0 if there is no row or the value is null. */
    public static long number(Connection connection, String sql) throws SQLException {
        return first(connection, sql, row -> row.getLong(1)).orElse(0L);
    }

    /** The first value of a query's first row; empty if there is no row or the value is null. */
    public static Optional<String> text(Connection connection, String sql) throws SQLException {
        return first(connection, sql, row -> row.getString(1));
    }

    /** Whether the first value of a query's first row is true. */
    public static boolean holds(Connection connection, String sql) throws SQLException {
        return first(connection, sql, row -> row.getBoolean(1)).orElse(false);
    }

    /** Whether the server is based on this version of PostgreSQL or a newer one; before 10, versions have two numbers. */
    public static boolean isSince(Connection connection, int major, int minor) throws SQLException {
        int found = connection.getMetaData().getDatabaseMajorVersion();
        return found > major || (found == major && connection.getMetaData().getDatabaseMinorVersion() >= minor);
    }

    /** Whether a query returns a row. */
    public static boolean exists(Connection connection, String sql) throws SQLException {
        return first(connection, sql, row -> true).isPresent();
    }
}
