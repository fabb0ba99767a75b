package io.pgstress.target.statement;

import io.pgstress.plan.StatementMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * A client's statements on its current connection. Statements live as long as the connection is attached; through a pool each
 * operation prepares its statements again, which costs no round trip as long as the driver's statement cache holds them.
 * Belongs to its client's thread.
 */
public final class SqlSession {
    private final SessionStatement[][] statements;

    /**
     * @param operations the statements of each operation of the mix
     * @param fetchSize rows per fetch; 0: all at once
     */
    public SqlSession(StatementMode mode, List<List<Sql>> operations, int fetchSize, StatementTimes times) {
        statements = new SessionStatement[operations.size()][];
        for (int o = 0; o < operations.size(); o++) {
            List<Sql> list = operations.get(o);
            statements[o] = new SessionStatement[list.size()];
            for (int s = 0; s < list.size(); s++) {
                StatementSlot slot = new StatementSlot(o, s, fetchSize, times);
                statements[o][s] = mode == StatementMode.PLAIN
                        ? new PlainStatement(list.get(s), slot)
                        : new BoundStatement(list.get(s), slot);
            }
        }
    }

    private SqlSession(SessionStatement[][] statements) {
        this.statements = statements;
    }

    /**
     * A session whose statements the server explains in every mode, without changing anything. Queries followed by other
     * statements are also run, because these may depend on their rows.
     *
     * @param settings statements to run in the transaction of an EXPLAIN before it
     */
    public static SqlSession explaining(
            List<StatementMode> modes, List<List<Sql>> operations, List<String> settings, PlanSink sink) {
        SessionStatement[][] explained = new SessionStatement[operations.size()][];
        for (int o = 0; o < explained.length; o++) {
            List<Sql> list = operations.get(o);
            explained[o] = new SessionStatement[list.size()];
            for (int s = 0; s < list.size(); s++) {
                int operation = o;
                int statement = s;
                explained[o][s] = new ExplainedStatement(
                        list.get(s),
                        modes,
                        settings,
                        list.size() > 1,
                        plan -> sink.planned(operation, statement, plan));
            }
        }
        return new SqlSession(explained);
    }

    /** Uses this connection from now on. */
    public void attach(Connection newConnection) throws SQLException {
        for (SessionStatement[] ofOperation : statements) {
            for (SessionStatement statement : ofOperation) {
                statement.attach(newConnection);
            }
        }
    }

    /** Closes all statements and releases the connection, which stays open. */
    public void detach() throws SQLException {
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

    /** The statement with this number, of the operation with this number in the mix. */
    public SqlStatement statement(int operation, int statement) {
        return statements[operation][statement];
    }
}
