package io.pgstress.probe.check;

import io.pgstress.probe.server.Servers;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The number of rows in the table after the load. */
public final class TableRows implements Probe {
    /** Shorter than the time that {@link Servers} waits for an answer. */
    private static final String MAX_COUNTING = "8s";

    private static final long UNKNOWN = -1;

    private final RunContext run;
    private final Servers servers;

    public TableRows(RunContext run, Servers servers) {
        this.run = run;
        this.servers = servers;
    }

    @Override
    public void contribute(Findings findings) throws InterruptedException {
        findings.rowsAfter(servers.haveAllAnswered() ? servers.queryFirst(this::rows, UNKNOWN) : UNKNOWN);
    }

    /**
     * Fails if the server could not count them in {@value #MAX_COUNTING}: no one waits longer, and the query would disturb the
     * next measurement.
     */
    private long rows(Connection control) throws SQLException {
        control.setAutoCommit(false); // otherwise a pooler may lend the session to others in between
        try (Statement statement = control.createStatement()) {
            statement.execute("set local statement_timeout = '" + MAX_COUNTING + "'");
            try (ResultSet row = statement.executeQuery(
                    "select count(*) from " + run.table().name().quoted())) {
                row.next();
                return row.getLong(1);
            }
        } finally {
            control.rollback();
            control.setAutoCommit(true);
        }
    }
}
