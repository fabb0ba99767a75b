package io.pgstress.target;

import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a server reports about itself.
 *
 * @param version as {@code version()} returns it
 * @param changedSettings settings that differ from the built-in defaults, except paths and similar ones, and those that decide what a commit costs
 * @param maxConnections the server's limit
 * @param freeConnections number of connections that this role can still open
 * @param connectionLimit what limits them, in words
 * @param tls protocol and cipher of the connection, as the server sees it; null without TLS
 * @param nodeNames the names of the cluster's nodes by the numbers that the server's messages give instead
 */
public record ServerFacts(
        String version,
        int versionNumber,
        Map<String, String> changedSettings,
        int maxConnections,
        int freeConnections,
        String connectionLimit,
        @Nullable String tls,
        Map<String, String> nodeNames) {
    /** A regular expression for settings that say where a server is and who uses it, rather than how it works. */
    public static final String OF_THE_PLACE =
            "(_file|keyfile|_directory|directories|^port|^log_|^lc_|^DateStyle|^TimeZone|password|ssl_|_conninfo|_command)";

    private static final String CHANGED = """
            select name, current_setting(name) from pg_settings
            where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'block_size', 'data_checksums')
               or source not in ('default', 'override', 'client', 'session')
              and name !~ '%s'
            order by name
            """.replace("%s", OF_THE_PLACE);

    /** Without those that have a value in this session alone. */
    private static final String OF_NEW_SESSIONS = """
            select name, current_setting(name) from pg_settings
            where source not in ('override', 'client', 'session') and context <> 'internal' and name !~ '%s'
            order by name
            """.replace("%s", OF_THE_PLACE);

    /**
     * The limit that leaves the fewest connections: the server's, without those it reserves (from PostgreSQL 16 on also for a role),
     * the role's, or the database's. The last two do not apply to superusers.
     */
    private static final String VERSION_AND_FREE = """
            with me as (select oid, rolsuper, rolconnlimit, rolname from pg_roles where rolname = current_user),
                 others as (select datid, usesysid from pg_stat_activity where datid is not null and pid <> pg_backend_pid())
            select version(), current_setting('server_version_num')::int, current_setting('max_connections')::int, free, bound,
                   (TLS)
            from (
              select current_setting('max_connections')::int
                     - coalesce((select sum(setting::int) from pg_settings
                                 where not (select rolsuper from me)
                                   and (name = 'superuser_reserved_connections'
                                        or name = 'reserved_connections'
                                           and not (select pg_has_role(oid, 'usage') from pg_roles
                                                    where rolname = 'pg_use_reserved_connections'))), 0)::int
                     - (select count(*) from others)::int,
                     'max_connections ' || current_setting('max_connections'), 1
              union all
              select rolconnlimit - (select count(*) from others where usesysid = me.oid)::int,
                     'connection limit ' || rolconnlimit || ' of role ' || rolname, 2
              from me where rolconnlimit >= 0 and not rolsuper
              union all
              select datconnlimit - (select count(*) from others where datid = d.oid)::int,
                     'connection limit ' || datconnlimit || ' of database ' || datname, 3
              from pg_database d where datname = current_database() and datconnlimit >= 0 and not (select rolsuper from me)
            ) bounds (free, bound, place)
            order by free, place limit 1
            """;

    /** The settings of a server, its database and its role that a session has, except those that say where the server is. */
    public static Map<String, String> settings(Connection session) throws SQLException {
        Map<String, String> settings = new TreeMap<>();
        ControlSql.rows(session, OF_NEW_SESSIONS, row -> settings.put(row.getString(1), row.getString(2)));
        return settings;
    }

    public static ServerFacts read(Connection connection, Dialect dialect) throws SQLException {
        Map<String, String> changed = new TreeMap<>();
        Map<String, String> nodeNames = dialect.nodeNames(connection);
        ControlSql.rows(connection, CHANGED, row -> changed.put(row.getString(1), row.getString(2)));
        return ControlSql.rows(
                        connection,
                        VERSION_AND_FREE.replace(
                                "TLS", ControlSql.isSince(connection, 9, 5) ? dialect.tls() : "null::text"),
                        row -> new ServerFacts(
                                row.getString(1),
                                row.getInt(2),
                                changed,
                                row.getInt(3),
                                row.getInt(4),
                                row.getString(5),
                                row.getString(6),
                                nodeNames))
                .get(0);
    }
}
