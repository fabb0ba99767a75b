package io.pgstress.probe;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineFiles;
import io.pgstress.machine.MachineWatch;
import io.pgstress.target.MissingGrants;
import io.pgstress.target.MissingGrants.ServerRight;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of a server's machine by one statement, which requires a superuser or the role {@code pg_read_server_files}. A file
 * that the server may not read is noted, and left out from then on. Versions before 11 reject absolute paths; there a program first
 * copies the files into one in the data directory, which {@link #tidy} removes. Not thread-safe.
 */
final class HostReader implements MachineWatch.Source {
    static final String COPY = "pgstress_proc.tmp";
    private static final int ABSOLUTE_SINCE = 11;
    static final int MAX_BYTES = 200_000;

    /** Each file after its head; a missing one is empty. */
    private static final String FILES =
            "select string_agg(E'\\n==> ' || path || E' <==\\n' || coalesce(content, ''), '')"
                    + " from (%s) file (path, content)";

    private static final String CONTENTS =
            "select path, pg_read_file(path, 0, " + MAX_BYTES + ", true) from unnest(array[%s]::text[]) path";

    /** Settings as if they were files; no row for those that the user may not read. */
    private static final String SETTINGS =
            "select name, setting from pg_settings where name in ('" + String.join("', '", Environment.SETTINGS) + "')";

    private static final String NO_SETTINGS = "";

    private final ServerLink link;
    private final Set<String> unreadable = new HashSet<>();
    private boolean isRefused;

    /** @param link receives notes about what cannot be read */
    HostReader(ServerLink link) {
        this.link = link;
    }

    @Override
    public @Nullable MachineFiles read(List<String> paths) {
        if (isRefused) {
            return null;
        }
        try {
            return read(link.open(), paths, NO_SETTINGS);
        } catch (SQLException e) {
            isRefused = ServerErrors.sessionIsAlive(e);
            noteUnreadable(e);
            return null;
        }
    }

    private void noteUnreadable(SQLException e) {
        Connection connection = link.ifOpen();
        if (connection == null || !isForbidden(e)) {
            link.failed("/proc", e);
            return;
        }
        try {
            link.missing(ServerRight.READ_FILES, connection);
        } catch (SQLException unknown) {
            link.failed("/proc", e);
        }
    }

    @Override
    public @Nullable MachineFiles properties(List<String> paths) {
        try {
            return read(link.open(), paths, SETTINGS);
        } catch (SQLException e) {
            link.failed("machine properties", e);
            return null;
        }
    }

    @Override
    public String processes() {
        try {
            return ServerProcesses.read(link.open());
        } catch (SQLException e) {
            link.failed("CPU time of the server's processes", e);
            return "";
        }
    }

    @Override
    public void hasNoCounters(String why) {
        link.note("/proc of " + link.name() + " not readable: " + why);
    }

    /** @throws SQLException also if none of the files can be read */
    private MachineFiles read(Connection connection, List<String> paths, String settings) throws SQLException {
        if (!hasAbsolute(connection)) {
            return copied(connection, paths, settings);
        }
        List<String> readable =
                paths.stream().filter(path -> !unreadable.contains(path)).toList();
        try {
            return readAll(connection, readable, settings);
        } catch (SQLException e) {
            if (!ServerErrors.sessionIsAlive(e) || isForbidden(e, readable)) {
                throw e;
            }
            return readEach(connection, readable, settings, e);
        }
    }

    private static MachineFiles readAll(Connection connection, List<String> paths, String settings)
            throws SQLException {
        String names = paths.stream().map(path -> "'" + path + "'").collect(Collectors.joining(", "));
        String contents = String.format(Locale.ROOT, CONTENTS, names);
        return query(
                connection,
                String.format(Locale.ROOT, FILES, settings.isEmpty() ? contents : contents + " union all " + settings));
    }

    /** Whether the user may read no file at all: the error then names none. */
    private static boolean isForbidden(SQLException e, List<String> paths) {
        return MissingGrants.INSUFFICIENT_PRIVILEGE.equals(ServerErrors.stateOf(e))
                && paths.stream().noneMatch(ServerErrors.sampleOf(e)::contains);
    }

    /** Whether the role lacks the right to read files at all, rather than the server to read one of them, which the error names. */
    static boolean isForbidden(SQLException e) {
        return MissingGrants.INSUFFICIENT_PRIVILEGE.equals(ServerErrors.stateOf(e))
                && !ServerErrors.sampleOf(e).contains("/");
    }

    /** Reads each of some files that cannot be read together, and remembers those that fail. */
    private MachineFiles readEach(Connection connection, List<String> paths, String settings, SQLException together)
            throws SQLException {
        Map<String, String> all = new HashMap<>();
        List<String> failed = new ArrayList<>();
        for (String path : paths) {
            try {
                all.putAll(readAll(connection, List.of(path), settings).byPath());
            } catch (SQLException e) {
                if (!ServerErrors.sessionIsAlive(e)) {
                    throw e;
                }
                failed.add(path);
            }
        }
        if (failed.size() == paths.size()) {
            throw together;
        }
        unreadable.addAll(failed);
        link.failed(String.join(", ", failed), together);
        return new MachineFiles(all);
    }

    private static MachineFiles copied(Connection connection, List<String> paths, String settings) throws SQLException {
        ControlSql.execute(
                connection,
                "copy (select 1) to program 'cat > /dev/null; (" + MachineFiles.command(paths) + ") > " + COPY + "'");
        String contents = "select pg_read_file('" + COPY + "', 0, " + MAX_BYTES + ", true)";
        return query(
                connection,
                settings.isEmpty()
                        ? contents
                        : contents + " || coalesce((" + String.format(Locale.ROOT, FILES, settings) + "), '')");
    }

    private static MachineFiles query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            String text = row.getString(1);
            return MachineFiles.parse(text == null ? "" : text);
        }
    }

    static boolean hasAbsolute(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseMajorVersion() >= ABSOLUTE_SINCE;
    }

    /** Removes what the readings left on the server. */
    void tidy() {
        Connection open = link.ifOpen();
        try {
            if (open != null && !isRefused && !hasAbsolute(open)) {
                removeCopy(open);
            }
        } catch (SQLException e) {
            link.failed("/proc", e);
        }
    }

    static void removeCopy(Connection connection) throws SQLException {
        ControlSql.execute(connection, "copy (select 1) to program 'cat > /dev/null; rm -f " + COPY + "'");
    }
}
