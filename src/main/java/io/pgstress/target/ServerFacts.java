package io.pgstress.target;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a server reports about itself.
 *
 * @param version as {@code version()} returns it
 * @param changedSettings settings that differ from the built-in defaults, except paths and similar ones, and those that decide what a commit costs
 * @param maxConnections the server's limit
 * @param freeConnections number of connections that this role can still open
 */
public record ServerFacts(
        String version,
        int versionNumber,
        Map<String, String> changedSettings,
        int maxConnections,
        int freeConnections) {

    private static final String CHANGED = """
            select name, current_setting(name) from pg_settings
            where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'block_size', 'data_checksums')
               or source not in ('default', 'override', 'client', 'session')
              and name !~ '(_file|_directory|directories|^port|^log_|^lc_|^DateStyle|^TimeZone|password|ssl_|_conninfo|_command)'
            order by name
            """;

    private static final String VERSION_AND_FREE = """
            select version(), current_setting('server_version_num')::int, current_setting('max_connections')::int,
                   current_setting('max_connections')::int
                   - case when (select rolsuper from pg_roles where rolname = current_user) then 0
                          else current_setting('superuser_reserved_connections')::int end
                   - (select count(*) from pg_stat_activity where datid is not null and pid <> pg_backend_pid())::int
            """;

    /** Reads them from the server. */
    public static ServerFacts read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            Map<String, String> changed = new TreeMap<>();
            try (ResultSet rows = statement.executeQuery(CHANGED)) {
                while (rows.next()) {
                    changed.put(rows.getString(1), rows.getString(2));
                }
            }
            try (ResultSet rows = statement.executeQuery(VERSION_AND_FREE)) {
                rows.next();
                return new ServerFacts(rows.getString(1), rows.getInt(2), changed, rows.getInt(3), rows.getInt(4));
            }
        }
    }
}
