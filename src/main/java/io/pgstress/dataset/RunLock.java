package io.pgstress.dataset;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other runs away from the tables that a run needs for itself. Holds advisory locks in a session that lasts as long as
 * the run, so a crashed run leaves no locks behind. Takes none behind a transaction pooler, where the session is shared and the
 * locks would outlive the run. Used by one thread at a time.
 */
public final class RunLock implements AutoCloseable {
    /** First key of all locks taken here: "pgst". */
    private static final int CLASS = 0x70677374;

    /** Time limit for connecting and for each answer. */
    private static final int MAX_SECONDS = 30;

    private static final String HOLDER = """
        select a.pid, a.application_name, coalesce(host(a.client_addr), 'a local socket'),
               to_char(a.backend_start, 'YYYY-MM-DD HH24:MI:SS')
        from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'advisory' and l.granted and l.objsubid = 2
              and l.database = (select oid from pg_database where datname = current_database())
              and (l.classid::bigint, l.objid::bigint) = (""";

    private final @Nullable Connection session;

    private RunLock(@Nullable Connection session) {
        this.session = session;
    }

    /**
     * Takes the locks.
     *
     * @param run the run's ID, shown in the session's application_name
     * @throws TargetException if another run holds one of them
     */
    public static RunLock take(Connector connector, String run, List<Claim> claims) {
        if (claims.isEmpty()) {
            return new RunLock(null);
        }
        Connection session = null;
        try {
            session = connector.open(
                    SessionPurpose.CONTROL.within(MAX_SECONDS, MAX_SECONDS)); // unlocking has a time limit too
            if (!DriverSession.isDirect(session)) {
                session.close();
                return new RunLock(null);
            }
            ControlSql.execute(
                    session,
                    "set application_name = 'pgstress run " + run + "'",
                    "select set_config(name, '0', false) from pg_settings where name = 'idle_session_timeout'");
            for (Claim claim : claims) {
                take(session, claim);
            }
            return new RunLock(session);
        } catch (SQLException e) {
            abort(session);
            throw new TargetException("the tables could not be locked for this run: " + ServerErrors.sampleOf(e), e);
        } catch (TargetException e) {
            abort(session);
            throw e;
        }
    }

    private static void abort(@Nullable Connection session) {
        if (session != null) {
            DriverSession.abort(session);
        }
    }

    private static void take(Connection session, Claim claim) throws SQLException {
        int key = name(session, claim.table()).hashCode();
        String function = claim.isShared() ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock";
        if (!ControlSql.holds(session, "select " + function + "(" + CLASS + ", " + key + ")")) {
            throw new TargetException(
                    "table " + TableName.parse(claim.table()) + " is in use by another run" + holder(session, key));
        }
    }

    /** The table's qualified name, even if the table does not exist yet. */
    private static String name(Connection session, String table) throws SQLException {
        Optional<String> known = ControlSql.text(
                session,
                "select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
                        + " where c.oid = to_regclass(" + Quoting.literal(table) + ")");
        if (known.isPresent()) {
            return known.get();
        }
        TableName parts = TableName.parse(table);
        String schema = parts.schema();
        if (schema.isEmpty()) {
            schema = ControlSql.text(session, "select current_schema()").orElse("null");
        }
        return schema + "." + parts.name();
    }

    /**
     * Who holds the lock, and what to do. The server may hide the names of other roles' sessions, and does not show sessions of
     * other nodes.
     */
    private static String holder(Connection session, int key) throws SQLException {
        return ControlSql.first(
                        session,
                        HOLDER + CLASS + ", " + Integer.toUnsignedLong(key) + ") limit 1",
                        row -> " (" + row.getString(2) + ", pid " + row.getInt(1) + ", from " + row.getString(3)
                                + ", since " + row.getString(4)
                                + "): wait until it has ended, stop it there, or end it by select"
                                + " pg_terminate_backend(" + row.getInt(1) + ")")
                .orElse(" through another server of the cluster: wait until it has ended, or stop it there");
    }

    /** Unlocks the tables before the session ends, because the server may notice its end late. */
    @Override
    public void close() {
        Connection locked = session;
        if (locked == null) {
            return;
        }
        try {
            ControlSql.execute(locked, "select pg_advisory_unlock_all()");
        } catch (SQLException e) {
            // the session is lost, and its locks with it
        } finally {
            abort(locked);
        }
    }

    /**
     * A table that a run needs for itself because it empties it or counts its rows.
     *
     * @param table the table's name in SQL syntax
     * @param isShared whether other runs that share the table may run at the same time, each with its own ids
     */
    public record Claim(String table, boolean isShared) {}
}
