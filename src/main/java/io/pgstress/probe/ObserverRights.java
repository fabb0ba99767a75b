package io.pgstress.probe;

import io.pgstress.target.MissingGrants.ServerRight;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Notes figures that a server leaves out without an error because the role may not see them. */
final class ObserverRights {
    /** The roles that {@code pg_monitor} includes; none before PostgreSQL 10. Superusers have all. */
    private static final String SEES_ALL = """
        select coalesce(bool_and(pg_has_role(oid, 'usage')), current_setting('is_superuser') = 'on')
        from pg_roles where rolname in ('pg_read_all_stats', 'pg_read_all_settings')
        """;

    private ObserverRights() {}

    static void check(ServerLink link) {
        try (Statement statement = link.open().createStatement();
                ResultSet row = statement.executeQuery(SEES_ALL)) {
            if (row.next() && !row.getBoolean(1)) {
                link.missing(ServerRight.MONITOR, statement.getConnection());
            }
        } catch (SQLException e) {
            link.failed("rights", e);
        }
    }
}
