package io.pgstress.probe.server;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.MissingGrants.ServerRight;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The control connection to a server, reopened when broken. Not thread-safe, except {@link #drop}. */
public final class ServerLink {
    /** A query over the control connection in autocommit mode. */
    public interface Query<T> {
        T on(Connection control) throws SQLException;
    }

    private final ServerList.ObservedServer server;
    private final Notes notes;
    private volatile @Nullable Connection connection;

    /** @param notes receives what could not be read */
    public ServerLink(ServerList.ObservedServer server, Notes notes) {
        this.server = server;
        this.notes = notes;
    }

    /** The server's name. */
    String name() {
        return server.name();
    }

    public Connection open() throws SQLException {
        Connection open = connection;
        if (open == null || open.isClosed()) {
            open = server.connector().open(SessionPurpose.CONTROL);
            connection = open;
        }
        return open;
    }

    /** The open connection, or null. */
    @Nullable
    Connection ifOpen() {
        return connection;
    }

    /** Whether the server answers, over the open connection or, if that was lost in a restart, over a new one. */
    public boolean answers() {
        boolean wasOpen = connection != null;
        return isAnswered() || (wasOpen && isAnswered());
    }

    private boolean isAnswered() {
        try {
            return ControlSql.exists(open(), "select 1 as answers");
        } catch (SQLException e) {
            drop();
            return false;
        }
    }

    /** The answer of a query, or {@code otherwise} if it fails. */
    public <T> T query(Query<T> query, T otherwise) {
        try {
            return query.on(open());
        } catch (SQLException e) {
            drop();
            return otherwise;
        }
    }

    /** Adds a note about a failed query, and drops the connection if it is broken. */
    public void failed(String what, SQLException e) {
        String error = ServerErrors.sampleWithState(e);
        note(RemarkCode.NOT_READABLE
                .with("what", what)
                .with("server", server.name())
                .with("error", error)
                .remark());
        if (!ServerErrors.sessionIsAlive(e)) {
            drop();
        }
    }

    public void note(Remark note) {
        notes.add(note);
    }

    /**
     * Adds a note that may apply to several nodes and is reported once.
     *
     * @param note of this node alone
     */
    public void noteOfNode(Remark note) {
        notes.add(note, server.name());
    }

    /** Adds a note about what the role may not read. */
    public void missing(ServerRight right, Connection asked) throws SQLException {
        DatabaseMetaData facts = asked.getMetaData();
        noteOfNode(RemarkCode.RIGHT_MISSING
                .with("what", right.figures())
                .with("remedy", right.remedy(facts.getUserName(), facts.getDatabaseMajorVersion()))
                .with("servers", server.name())
                .remark());
    }

    /** Adds the differences between two readings, of counters without a time of their last reset. */
    void addDeltas(Map<String, Double> sums, Map<String, Double> before, Map<String, Double> after, String what) {
        addDeltas(sums, before, after, false, what);
    }

    /**
     * Adds the differences between two readings. If a counter went down, all of them were reset: only the second reading
     * is known then, and a note says so. If the first reading is empty, nothing is added.
     *
     * @param isResetKnown whether the server says that they were reset: they may have grown beyond the first reading again
     * @param what names the counters and their server
     */
    void addDeltas(
            Map<String, Double> sums,
            Map<String, Double> before,
            Map<String, Double> after,
            boolean isResetKnown,
            String what) {
        if (after.isEmpty()) {
            return;
        }
        if (before.isEmpty()) {
            note(RemarkCode.COUNTERS_NOT_READ_BEFORE.with("what", what).remark());
            return;
        }
        boolean wereReset = isResetKnown
                || after.entrySet().stream().anyMatch(e -> e.getValue() < before.getOrDefault(e.getKey(), 0.0));
        if (wereReset) {
            note(RemarkCode.COUNTERS_RESET.with("what", what).remark());
        }
        after.forEach((name, value) ->
                sums.merge(name, wereReset ? value : value - before.getOrDefault(name, 0.0), Double::sum));
    }

    /** Closes the connection at once. */
    public void drop() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            DriverSession.abort(open);
        }
    }
}
