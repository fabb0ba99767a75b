package io.pgstress.target.statement;

import io.pgstress.plan.StatementMode;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.statement.SqlStatement.SessionStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's statements on its current connection. Statements live as long as the connection is attached; through a pool each
 * operation prepares its statements again, which costs no round trip as long as the driver's statement cache holds them.
 * Belongs to its client's thread.
 */
public final class ClientStatements {
    private final SessionStatement[][] statements;
    private @Nullable Connection connection;

    /**
     * @param operations the statements of each operation of the mix
     * @param fetchSize rows per fetch; 0: all at once
     */
    public ClientStatements(StatementMode mode, List<List<Sql>> operations, int fetchSize, StatementTimes times) {
        this(operations, (o, s, sql) -> {
            JdbcStatement.Slot slot = new JdbcStatement.Slot(o, s, fetchSize, times);
            return mode == StatementMode.PLAIN ? new PlainStatement(sql, slot) : new BoundStatement(sql, slot);
        });
    }

    private ClientStatements(List<List<Sql>> operations, Maker maker) {
        statements = new SessionStatement[operations.size()][];
        for (int o = 0; o < statements.length; o++) {
            List<Sql> list = operations.get(o);
            statements[o] = new SessionStatement[list.size()];
            for (int s = 0; s < list.size(); s++) {
                statements[o][s] = maker.make(o, s, list.get(s));
            }
        }
    }

    private interface Maker {
        SessionStatement make(int operation, int statement, Sql sql);
    }

    /**
     * A session whose statements the server explains in every mode, without changing anything. Queries followed by other
     * statements are also run, because these may depend on their rows.
     *
     * @param settings statements to run in the transaction of an EXPLAIN before it
     * @param explain what precedes a statement, such as {@code explain (verbose)} and a space
     */
    public static ClientStatements explaining(
            List<StatementMode> modes,
            List<List<Sql>> operations,
            List<String> settings,
            String explain,
            PlanSink sink) {
        return new ClientStatements(
                operations,
                (o, s, sql) -> new ExplainedStatement(
                        sql, modes, settings, explain, operations.get(o).size() > 1, plan -> sink.planned(o, s, plan)));
    }

    /** Uses this connection from now on. */
    public void attach(Connection newConnection) throws SQLException {
        connection = newConnection;
        for (SessionStatement[] ofOperation : statements) {
            for (SessionStatement statement : ofOperation) {
                statement.attach(newConnection);
            }
        }
    }

    /** Closes all statements and releases the connection, which stays open. */
    public void detach() throws SQLException {
        connection = null;
        SQLException failure = null;
        for (SessionStatement[] ofOperation : statements) {
            for (SessionStatement statement : ofOperation) {
                try {
                    statement.detach();
                } catch (SQLException e) {
                    failure = e;
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Whether a transaction is open on the connection. */
    public boolean isInTransaction() throws SQLException {
        Connection open = connection;
        return open != null && DriverSession.isInTransaction(open);
    }

    /** The statement with this number, of the operation with this number in the mix. */
    public SqlStatement statement(int operation, int statement) {
        return statements[operation][statement];
    }

    /** Receives the plans of statements. */
    @FunctionalInterface
    public interface PlanSink {
        /** @param operation, statement the numbers of the operation and of the statement in it */
        void planned(int operation, int statement, ModePlan plan);
    }
}
