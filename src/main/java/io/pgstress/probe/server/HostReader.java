package io.pgstress.probe.server;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineFiles;
import io.pgstress.machine.MachineWatch;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.MissingGrants;
import io.pgstress.target.MissingGrants.ServerRight;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.text.Quoting;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of a server's machine, which requires a superuser or the role {@code pg_read_server_files}, unless the server is known to
 * run on this machine. A file that the server may not read is noted, and not read again. Versions before 11 reject absolute paths; there a program first
 * copies the files into one in the data directory, which {@link #tidy} removes. Not thread-safe.
 */
public final class HostReader implements MachineWatch.Source {
    static final String COPY = "pgstress_proc.tmp";
    private static final int ABSOLUTE_SINCE = 11;
    private static final int MAX_BYTES = 200_000;

    private static final String CONTENTS =
            "select path, pg_read_file(path, 0, " + MAX_BYTES + ", true) from unnest(array[%s]::text[]) path";

    /** Settings as if they were files; no row for those that the user may not read. */
    private static final String SETTINGS =
            "select name, setting from pg_settings where name in ('" + String.join("', '", Environment.SETTINGS) + "')";

    private final ServerLink link;
    private final Path proc;
    private final Set<String> unreadable = new HashSet<>();
    private boolean isRefused;

    /** Set if the server refuses, and runs on this machine; not while it does not answer. */
    private @Nullable LocalServer local;

    /** Whether it ever ran on this machine. */
    private boolean wasLocal;

    /** @param link receives notes about what cannot be read */
    public HostReader(ServerLink link) {
        this(link, Path.of("/proc"));
    }

    /** @param proc {@code /proc} of this machine */
    HostReader(ServerLink link, Path proc) {
        this.link = link;
        this.proc = proc;
    }

    @Override
    public @Nullable MachineFiles read(List<String> paths) {
        if (isRefused) {
            return wasLocal && isStillLocal() ? Objects.requireNonNull(local).files(paths) : null;
        }
        try {
            return new MachineFiles(read(link.open(), paths));
        } catch (SQLException e) {
            isRefused = ServerErrors.sessionIsAlive(e);
            if (isRefused && isForbidden(e) && isStillLocal()) {
                return Objects.requireNonNull(local).files(paths);
            }
            noteUnreadable(e);
            return null;
        }
    }

    /** Asks the server, which also shows that it answers. It may have been restarted. */
    private boolean isStillLocal() {
        local = link.query(control -> LocalServer.of(control, proc), Optional.<LocalServer>empty())
                .orElse(null);
        wasLocal |= local != null;
        return local != null;
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
            LocalServer own = local;
            Map<String, String> all = new HashMap<>(
                    own == null ? read(link.open(), paths) : own.files(paths).byPath());
            all.putAll(texts(link.open(), SETTINGS));
            return new MachineFiles(all);
        } catch (SQLException e) {
            link.failed("machine properties", e);
            return null;
        }
    }

    @Override
    public String processes() {
        LocalServer own = local;
        try {
            return own == null ? ServerProcesses.read(link.open()) : own.processes();
        } catch (SQLException e) {
            link.failed("CPU time of the server's processes", e);
            return "";
        } catch (IOException e) {
            link.note(RemarkCode.NOT_READABLE
                    .with("what", "CPU time of the server's processes")
                    .with("server", link.name())
                    .with("error", ServerErrors.messageOf(e))
                    .remark());
            return "";
        }
    }

    @Override
    public void hasNoCounters(String why) {
        link.note(RemarkCode.NOT_READABLE
                .with("what", "/proc")
                .with("server", link.name())
                .with("error", why)
                .remark());
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

    /** Reads each of some files that cannot be read together, and remembers those that fail. Files of control groups may be missing. */
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
        List<String> missed = failed.stream()
                .filter(path -> !MachineWatch.isOfControlGroup(path))
                .toList();
        if (!missed.isEmpty() && failed.size() == paths.size()) {
            throw together;
        }
        unreadable.addAll(failed);
        if (!missed.isEmpty()) {
            link.failed(String.join(", ", missed), together);
        }
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
    public void tidy() {
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

    /**
     * Reads {@code /proc/PID/stat} of a server's own processes, in which servers on one machine differ: that of the postmaster, of its
     * children, and of the sessions if the kernel does not list children. The first line of {@code /proc/stat} is read right after the
     * children, so that both are of the same period also if a full machine delays all this. Requires what {@link HostReader} requires.
     */
    static final class ServerProcesses {
        private static final int MAX_ATTEMPTS = 10;

        /** 12,000 processes. */
        private static final int MAX_BYTES = 4_000_000;

        private static final String CHILDREN =
                "pg_read_file('/proc/' || pid || '/task/' || pid || '/children', 0, " + MAX_BYTES + ", true)";

        private static final String POSTMASTER = """
            with postmaster (pid) as (
                select substring(pg_read_file('postmaster.pid', 0, 20, true) from '^[0-9]+'))
            """;

        private static final String STATS = String.format(Locale.ROOT, POSTMASTER + """
            , processes (pid) as (
                select pid::text from pg_stat_activity
                union select unnest(string_to_array(trim(%s), ' ')) from postmaster)
            select concat(
                string_agg(pg_read_file('/proc/' || pid || '/stat', 0, 2000, true), ''),
                substring(pg_read_file('/proc/stat', 0, 300, true) from E'^cpu [^\\n]*'))
            from processes where pid ~ '^[0-9]+$' and exists (select from postmaster where pid is not null)
            """, CHILDREN);

        private static final String THEN = String.format(Locale.ROOT, POSTMASTER + """
            select pg_read_file('/proc/' || pid || '/stat', 0, 2000, true),
                coalesce(%s, (select string_agg(pid::text, ' ') from pg_stat_activity)),
                pg_read_file('/proc/' || pid || '/stat', 0, 2000, true)
            from postmaster where pid is not null
            """, CHILDREN);

        /** Without absolute paths, a program reads the files. The postmaster's number is the first line of its file. */
        private static final String COPY = "copy (select 1) to program 'cat > /dev/null; p=$(head -n 1"
                + " postmaster.pid); k=/proc/$p/task/$p/children; (for c in $(cat $k); do cat /proc/$c/stat; done; head -n"
                + " 1 /proc/stat; echo; for f in /proc/$p/stat $k /proc/$p/stat; do echo \"$(cat $f)\"; done) > "
                + HostReader.COPY + " 2> /dev/null; true'";

        private static final String COPIED =
                "select pg_read_file('" + HostReader.COPY + "', 0, " + MAX_BYTES + ", true)";

        private ServerProcesses() {}

        /** One line per process, and one for the machine's CPUs; without a line per process if unknown. */
        static String read(Connection connection) throws SQLException {
            for (int attempt = 1; ; attempt++) {
                try {
                    ProcessFiles files = HostReader.hasAbsolute(connection) ? files(connection) : copied(connection);
                    if (files.areOfOneMoment() || attempt == MAX_ATTEMPTS) {
                        return files.lines();
                    }
                } catch (SQLException e) { // perhaps of a process that ended after its file had been opened
                    if (attempt == MAX_ATTEMPTS || !ServerErrors.sessionIsAlive(e)) {
                        throw e;
                    }
                }
            }
        }

        private static ProcessFiles files(Connection connection) throws SQLException {
            String stats = ControlSql.text(connection, STATS).orElse("");
            return ControlSql.first(
                            connection,
                            THEN,
                            row -> new ProcessFiles(stats, row.getString(1), row.getString(2), row.getString(3)))
                    .orElse(ProcessFiles.NONE);
        }

        /** Of servers before 11; {@link HostReader#tidy} removes the file. */
        static ProcessFiles copied(Connection connection) throws SQLException {
            ControlSql.execute(connection, COPY);
            return ProcessFiles.copied(ControlSql.text(connection, COPIED).orElse(""));
        }
    }
}
