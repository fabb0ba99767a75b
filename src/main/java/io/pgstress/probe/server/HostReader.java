package io.pgstress.probe.server;

import io.pgstress.measure.Timeline;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Reads {@code /proc} of a server's machine through SQL, which requires a superuser or the role
 * {@code pg_read_server_files}. Versions before 11 reject absolute paths; there a program first copies the files into
 * one in the data directory, which {@link #tidy} removes.
 */
final class HostReader {
    private static final String COPY = "pgstress_proc.tmp";
    private static final int ABSOLUTE_SINCE = 11;
    private static final int MAX_BYTES = 200_000;

    private final boolean loopback;

    HostReader(boolean loopback) {
        this.loopback = loopback;
    }

    /** @param timeline gives the time within the run */
    HostCounters read(Connection connection, Timeline timeline) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (Statement statement = connection.createStatement()) {
            if (hasAbsolute(connection)) {
                for (String file : HostCounters.FILES) {
                    append(statement, file, text);
                }
            } else {
                statement.execute("copy (select 1) to program 'cat > /dev/null; cat "
                        + String.join(" ", HostCounters.FILES) + " > " + COPY + " 2>/dev/null; true'");
                append(statement, COPY, text);
            }
        }
        long now = System.nanoTime();
        return HostCounters.parse(text.toString(), loopback, now, timeline.sinceStart(now) / 1e9);
    }

    private static boolean hasAbsolute(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseMajorVersion() >= ABSOLUTE_SINCE;
    }

    private static void append(Statement statement, String file, StringBuilder text) throws SQLException {
        try (ResultSet row = statement.executeQuery("select pg_read_file('" + file + "', 0, " + MAX_BYTES + ")")) {
            if (row.next()) {
                text.append(row.getString(1)).append('\n');
            }
        }
    }

    /** Removes the copied files. */
    void tidy(Connection connection) throws SQLException {
        if (!hasAbsolute(connection)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("copy (select 1) to program 'cat > /dev/null; rm -f " + COPY + "'");
            }
        }
    }
}
