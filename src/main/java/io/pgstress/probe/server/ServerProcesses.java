package io.pgstress.probe.server;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Reads {@code /proc/PID/stat} of a server's own processes, in which servers on one machine differ: that of the postmaster, of its
 * children, and of the sessions if the kernel does not list children. Requires what {@link HostReader} requires.
 */
final class ServerProcesses {
    /** Without absolute paths, a program reads the files. The postmaster's number is the first line of its file. */
    private static final String COPY = "copy (select 1) to program 'cat > /dev/null; p=$(head -n 1 postmaster.pid);"
            + " for c in $p $(cat /proc/$p/task/$p/children); do cat /proc/$c/stat; done > "
            + HostReader.COPY + " 2> /dev/null; true'";

    private static final String COPIED =
            "select pg_read_file('" + HostReader.COPY + "', 0, " + HostReader.MAX_BYTES + ", true)";

    private static final String ALL = """
            with postmaster (pid) as (
                select substring(pg_read_file('postmaster.pid', 0, 20, true) from '^[0-9]+')),
            processes (pid) as (
                select pid from postmaster
                union select pid::text from pg_stat_activity
                union select unnest(string_to_array(trim(
                    pg_read_file('/proc/' || pid || '/task/' || pid || '/children', 0, 200000, true)), ' ')) from postmaster)
            select string_agg(pg_read_file('/proc/' || pid || '/stat', 0, 2000, true), '')
            from processes where pid ~ '^[0-9]+$' and exists (select from postmaster where pid is not null)
            """;

    private ServerProcesses() {}

    /** One line per process; empty if unknown. */
    static String read(Connection connection) throws SQLException {
        if (HostReader.hasAbsolute(connection)) {
            return text(connection, ALL);
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(COPY);
        }
        return text(connection, COPIED);
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            String text = row.next() ? row.getString(1) : null;
            return text == null ? "" : text;
        }
    }
}
