package io.pgstress.target.pooler;

import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.PoolerErrors;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Determines before the load whether each connection has its own server session. Two connections query in turn which process
 * serves them, one of them within transactions. If the process changes, or is the same for both, a pooler shares sessions per
 * transaction. The name that the server has for a statement of the driver shows whether the pooler supports prepared
 * statements: if so, it gives each text its own name; if not, it passes on the driver's S_1, which means something different
 * for every client.
 */
final class SessionProbe {
    private static final int ROUNDS = 3;

    /** Maximum number of server sessions searched for a leftover name. */
    private static final int MAX_CLEANING = 8;

    private static final String OWN = "statement like '%pgstress looks for poolers%'";

    private static final String QUESTION =
            "select pg_backend_pid(), (select max(name) from pg_prepared_statements where " + OWN + ")";

    private static final String DRIVERS_NAME = "S_[0-9]+";

    private final Connector connector;
    private final Connection other;
    private final String url;
    private final boolean isNamed;

    /**
     * @param other a control connection to the same server, in autocommit mode
     * @param url the server's masked URL, for messages
     * @param isNamed whether the load uses named statements
     */
    SessionProbe(Connector connector, Connection other, String url, boolean isNamed) {
        this.connector = connector;
        this.other = other;
        this.url = url;
        this.isNamed = isNamed;
    }

    private record Answer(int process, @Nullable String name) {}

    /**
     * Whether sessions are shared among connections.
     *
     * @throws TargetException if they are, and clients would run each other's named statements
     */
    boolean isShared() throws SQLException {
        try (Connection load = connector.openProbe();
                PreparedStatement question = load.prepareStatement(QUESTION)) {
            other.setAutoCommit(false);
            Answer first = ask(question);
            Answer last = first;
            boolean isShared = false;
            for (int i = 0; i < ROUNDS && !isShared; i++) {
                // the other connection stays in its transaction meanwhile; once its process is known, no connection may
                // wait for it
                isShared = process(other) == last.process;
                if (!isShared) {
                    last = ask(question);
                    isShared = last.process != first.process;
                }
                other.rollback();
                if (!isShared) {
                    last = ask(question);
                    isShared = last.process != first.process;
                }
            }
            if (isShared && isNamed && String.valueOf(last.name).matches(DRIVERS_NAME)) {
                forget();
                throw refusal("it does not rename the driver's statement " + last.name, null);
            }
            return isShared;
        } finally {
            if (!other.isClosed()) { // a pooler that refuses transactions has closed it
                other.rollback();
                other.setAutoCommit(true);
            }
        }
    }

    private Answer ask(PreparedStatement question) throws SQLException {
        try (ResultSet row = question.executeQuery()) {
            row.next();
            return new Answer(row.getInt(1), row.getString(2));
        } catch (SQLException e) {
            if (PoolerErrors.isOfForeignSession(e, true)) {
                throw refusal(ServerErrors.stateOf(e) + ": " + ServerErrors.sampleOf(e), e);
            }
            throw e;
        }
    }

    private TargetException refusal(String sign, @Nullable SQLException cause) {
        return new TargetException(
                url + " is behind a transaction pooler without support for prepared statements (" + sign
                        + "): clients would run each other's statements; " + PoolerErrors.ADVICE,
                cause);
    }

    private static int process(Connection connection) throws SQLException {
        return (int) ControlSql.number(connection, "select pg_backend_pid()");
    }

    /**
     * Removes the statement names that the probe left in the pooler's sessions, which other clients would otherwise execute.
     */
    private void forget() throws SQLException {
        for (int i = 0; i < MAX_CLEANING; i++) {
            try (Statement statement = other.createStatement()) {
                String name;
                try (ResultSet row =
                        statement.executeQuery("select min(name) from pg_prepared_statements where " + OWN)) {
                    row.next();
                    name = row.getString(1);
                }
                if (name != null) {
                    statement.execute("deallocate \"" + name + "\"");
                }
            }
            other.rollback();
        }
    }
}
