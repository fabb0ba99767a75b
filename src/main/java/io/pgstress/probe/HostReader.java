package io.pgstress.probe;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineFiles;
import io.pgstress.machine.MachineWatch;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.MissingGrants;
import io.pgstress.target.MissingGrants.ServerRight;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of a server's machine, which requires a superuser or the role {@code pg_read_server_files}. A file
 * that the server may not read is noted, and left out from then on. Versions before 11 reject absolute paths; there a program first
 * copies the files into one in the data directory, which {@link #tidy} removes. Not thread-safe.
 */
final class HostReader implements MachineWatch.Source {
    static final String COPY = "pgstress_proc.tmp";
    private static final int ABSOLUTE_SINCE = 11;
    private static final int MAX_BYTES = 200_000;

    private static final String CONTENTS =
            "select path, pg_read_file(path, 0, " + MAX_BYTES + ", true) from unnest(array[%s]::text[]) path";

    /** Settings as if they were files; no row for those that the user may not read. */
    private static final String SETTINGS =
            "select name, setting from pg_settings where name in ('" + String.join("', '", Environment.SETTINGS) + "')";

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
            return new MachineFiles(read(link.open(), paths));
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
            Map<String, String> all = new HashMap<>(read(link.open(), paths));
            all.putAll(texts(link.open(), SETTINGS));
            return new MachineFiles(all);
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
        link.note(Remark.of(RemarkCode.NOT_READABLE, "/proc", link.name(), why));
    }

    /** @throws SQLException also if none of the files can be read */
    private Map<String, String> read(Connection connection, List<String> paths) throws SQLException {
        if (!hasAbsolute(connection)) {
            return copied(connection, paths);
        }
        List<String> readable =
                paths.stream().filter(path -> !unreadable.contains(path)).toList();
        try {
            return readAll(connection, readable);
        } catch (SQLException e) {
            if (!ServerErrors.sessionIsAlive(e) || isForbidden(e)) {
                throw e;
            }
            return readEach(connection, readable, e);
        }
    }

    private static Map<String, String> readAll(Connection connection, List<String> paths) throws SQLException {
        String names = paths.stream().map(Quoting::literal).collect(Collectors.joining(", "));
        return texts(connection, String.format(Locale.ROOT, CONTENTS, names));
    }

    /** The rows of a query for names and texts. */
    private static Map<String, String> texts(Connection connection, String sql) throws SQLException {
        Map<String, String> all = new HashMap<>();
        ControlSql.rows(
                        connection,
                        sql,
                        row -> Map.entry(row.getString(1), Objects.requireNonNullElse(row.getString(2), "")))
                .forEach(file -> all.put(file.getKey(), file.getValue()));
        return all;
    }

    /** Whether the role lacks the right to read files at all, rather than the server to read one of them, which the error names. */
    private static boolean isForbidden(SQLException e) {
        return MissingGrants.INSUFFICIENT_PRIVILEGE.equals(ServerErrors.stateOf(e))
                && !ServerErrors.sampleOf(e).contains("/");
    }

    /** Reads each of some files that cannot be read together, and remembers those that fail. */
    private Map<String, String> readEach(Connection connection, List<String> paths, SQLException together)
            throws SQLException {
        Map<String, String> all = new HashMap<>();
        List<String> failed = new ArrayList<>();
        for (String path : paths) {
            try {
                all.putAll(readAll(connection, List.of(path)));
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
        return all;
    }

    private static Map<String, String> copied(Connection connection, List<String> paths) throws SQLException {
        ControlSql.execute(
                connection,
                "copy (select 1) to program 'cat > /dev/null; (" + MachineFiles.command(paths) + ") > " + COPY + "'");
        String text = ControlSql.text(connection, "select pg_read_file('" + COPY + "', 0, " + MAX_BYTES + ", true)")
                .orElse("");
        return MachineFiles.parse(text).byPath();
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
