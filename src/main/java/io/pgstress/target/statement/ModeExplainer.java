package io.pgstress.target.statement;

import io.pgstress.plan.StatementMode;
import io.pgstress.plan.sql.SqlParts;
import io.pgstress.target.driver.DriverSession;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains a statement as it would be sent in a mode: with literals, with parameters bound to an unnamed statement, or as a named
 * one. The latter is explained six times, as the server considers a generic plan after five executions (PostgreSQL's
 * {@code choose_custom_plan}) and counts an EXPLAIN EXECUTE as one. Belongs to one thread.
 */
final class ModeExplainer {
    private static final String EXPLAIN = "explain (verbose) ";
    private static final String NAME = "pgstress_explained";
    private static final int EXECUTIONS = 6;
    private static final int COUNTS_SINCE = 14;

    private final Connection connection;
    private final List<String> settings;
    private final Sql sql;
    private final Captured parameters;
    private final PlainStatement plain;

    ModeExplainer(Connection connection, List<String> settings, Sql sql, Captured parameters, PlainStatement plain) {
        this.connection = connection;
        this.settings = settings;
        this.sql = sql;
        this.parameters = parameters;
        this.plain = plain;
    }

    ModePlan explain(StatementMode mode) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            for (String setting : settings) {
                statement.execute(setting);
            }
            return switch (mode) {
                case PLAIN -> once(mode, lines(statement, EXPLAIN + plain.render()));
                case EXTENDED -> once(mode, bound());
                case PREPARED -> named(statement);
            };
        }
    }

    private static ModePlan once(StatementMode mode, List<String> plan) {
        return new ModePlan(mode, plan, plan, false, null);
    }

    private List<String> bound() throws SQLException {
        BoundStatement statement = new BoundStatement(
                new Sql(sql.name(), EXPLAIN + sql.text()),
                new StatementSlot(0, 0, 0, (operation, number, nanos, rows, fetch) -> {}));
        statement.attach(connection);
        try {
            parameters.setOn(statement);
            List<String> lines = new ArrayList<>();
            statement.query(row -> lines.add(row.getString(1)));
            return lines;
        } finally {
            statement.detach();
        }
    }

    private ModePlan named(Statement statement) throws SQLException {
        String[] parts = SqlParts.split(sql.text());
        StringBuilder text = new StringBuilder(parts[0]);
        StringBuilder marks = new StringBuilder();
        for (int i = 1; i < parts.length; i++) {
            text.append('$').append(i).append(parts[i]);
            marks.append(i == 1 ? "(?" : ", ?").append(i == parts.length - 1 ? ")" : "");
        }
        String types = parts.length == 1 ? "" : "(" + String.join(", ", parameters.types()) + ")";
        statement.execute("prepare " + NAME + types + " as " + text);
        try {
            PlainStatement execute = new PlainStatement(
                    new Sql(sql.name(), EXPLAIN + "execute " + NAME + marks),
                    new StatementSlot(0, 0, 0, (operation, number, nanos, rows, fetch) -> {}));
            execute.attach(connection);
            parameters.setOn(execute);
            String again = execute.render();
            List<String> first = lines(statement, again);
            for (int i = 2; i < EXECUTIONS; i++) {
                lines(statement, again);
            }
            long before = generic(statement);
            List<String> later = lines(statement, again);
            return new ModePlan(
                    StatementMode.PREPARED, first, later, turned(before, generic(statement), first, later), null);
        } finally {
            deallocate(statement);
        }
    }

    /** Deallocates the statement within the transaction, after which a pooler may use another session. */
    private void deallocate(Statement statement) throws SQLException {
        if (DriverSession.hasFailedTransaction(connection)) {
            connection.rollback();
            if (!isNamed(statement)) {
                return;
            }
        }
        statement.execute("deallocate " + NAME);
        connection.rollback();
    }

    private static boolean isNamed(Statement statement) throws SQLException {
        try (ResultSet named =
                statement.executeQuery("select 1 from pg_prepared_statements where name = '" + NAME + "'")) {
            return named.next();
        }
    }

    /**
     * Whether the last plan was generic: according to the server's count, or else because it shows a parameter that the first
     * one did not.
     */
    private static @Nullable Boolean turned(long before, long after, List<String> first, List<String> later) {
        if (after >= 0) {
            return after > before;
        }
        return first.equals(later) ? null : String.join("\n", later).contains("$1");
    }

    /** Number of generic plans so far; -1 if the server does not count them. */
    private long generic(Statement statement) throws SQLException {
        if (connection.getMetaData().getDatabaseMajorVersion() < COUNTS_SINCE) {
            return -1;
        }
        try (ResultSet row = statement.executeQuery(
                "select generic_plans from pg_prepared_statements where name = '" + NAME + "'")) {
            return row.next() ? row.getLong(1) : -1;
        }
    }

    private static List<String> lines(Statement statement, String explain) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(explain)) {
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
        }
        return lines;
    }
}
