package io.pgstress.probe.server;

import io.pgstress.probe.machine.EnvironmentFiles;
import io.pgstress.probe.machine.MachineFiles;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Reads files of a server's machine by one statement, which requires a superuser or the role {@code pg_read_server_files}. Versions
 * before 11 reject absolute paths; there a program first copies the files into one in the data directory, which {@link #tidy} removes.
 */
final class HostReader {
    private static final String COPY = "pgstress_proc.tmp";
    private static final int ABSOLUTE_SINCE = 11;
    private static final int MAX_BYTES = 200_000;
    private static final List<String> SETTINGS =
            List.of(EnvironmentFiles.DATA_DIRECTORY, EnvironmentFiles.MAX_CONNECTIONS);

    private HostReader() {}

    /** Reads the files, and some of the server's settings as if they were files. */
    static MachineFiles readWithSettings(Connection connection, List<String> paths) throws SQLException {
        return read(
                connection,
                paths,
                SETTINGS.stream()
                        .map(name -> ", E'\\n" + MachineFiles.head(name)
                                // no row without the right to read it
                                + "\\n', (select setting from pg_settings where name = '" + name + "')")
                        .collect(Collectors.joining()));
    }

    static MachineFiles read(Connection connection, List<String> paths) throws SQLException {
        return read(connection, paths, "");
    }

    private static MachineFiles read(Connection connection, List<String> paths, String more) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            String contents;
            if (hasAbsolute(connection)) {
                contents = paths.stream()
                        .map(path -> "E'\\n" + MachineFiles.head(path) + "\\n', " + contents(path))
                        .collect(Collectors.joining(", "));
            } else {
                statement.execute("copy (select 1) to program 'cat > /dev/null; (" + MachineFiles.command(paths)
                        + ") > " + COPY + "'");
                contents = contents(COPY);
            }
            // concat() accepts at most 100 arguments (FUNC_MAX_ARGS); null elements are left out, too
            try (ResultSet row = statement.executeQuery("select array_to_string(array[" + contents + more + "], '')")) {
                row.next();
                return MachineFiles.parse(row.getString(1));
            }
        }
    }

    /** Null for a missing file. */
    private static String contents(String path) {
        return "pg_read_file('" + path + "', 0, " + MAX_BYTES + ", true)";
    }

    private static boolean hasAbsolute(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseMajorVersion() >= ABSOLUTE_SINCE;
    }

    /** Removes the copied files. */
    static void tidy(Connection connection) throws SQLException {
        if (!hasAbsolute(connection)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("copy (select 1) to program 'cat > /dev/null; rm -f " + COPY + "'");
            }
        }
    }
}
