package io.pgstress.probe;

import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code /proc/PID/stat} of a server's own processes, in which servers on one machine differ: that of the postmaster, of its
 * children, and of the sessions if the kernel does not list children. Requires what {@link HostReader} requires.
 */
final class ServerProcesses {
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
        select string_agg(pg_read_file('/proc/' || pid || '/stat', 0, 2000, true), '')
        from processes where pid ~ '^[0-9]+$' and exists (select from postmaster where pid is not null)
        """, CHILDREN);

    private static final String THEN = String.format(Locale.ROOT, POSTMASTER + """
        select pg_read_file('/proc/' || pid || '/stat', 0, 2000, true),
            coalesce(%s, (select string_agg(pid::text, ' ') from pg_stat_activity)),
            pg_read_file('/proc/' || pid || '/stat', 0, 2000, true)
        from postmaster where pid is not null
        """, CHILDREN);

    /** Without absolute paths, a program reads the files. The postmaster's number is the first line of its file. */
    private static final String COPY = "copy (select 1) to program 'cat > /dev/null; p=$(head -n 1 postmaster.pid);"
            + " k=/proc/$p/task/$p/children; (for c in $(cat $k); do cat /proc/$c/stat; done; echo;"
            + " for f in /proc/$p/stat $k /proc/$p/stat; do echo \"$(cat $f)\"; done) > "
            + HostReader.COPY + " 2> /dev/null; true'";

    private static final String COPIED = "select pg_read_file('" + HostReader.COPY + "', 0, " + MAX_BYTES + ", true)";

    private ServerProcesses() {}

    /** One line per process; empty if unknown. */
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

    /**
     * Files of {@code /proc} about a server's processes, read one after the other.
     *
     * <p>Sessions may end meanwhile: clients disconnect when a measurement ends. The CPU time of a child that has ended is part of its
     * parent's ({@code cutime} and {@code cstime} of proc(5)). Each child must therefore be counted once, by its own file or by its
     * parent's. This is why the list of children is read again after the postmaster's file: a child that is no longer in it does not
     * count, because the postmaster has its time.
     *
     * @param children {@code stat} of the postmaster's children, a line each
     * @param postmaster {@code stat} of the postmaster; null if it cannot be read
     * @param pids the children that there still were afterwards
     * @param again {@code stat} of the postmaster after that
     */
    record ProcessFiles(
            String children,
            @Nullable String postmaster,
            @Nullable String pids,
            @Nullable String again) {
        static final ProcessFiles NONE = new ProcessFiles("", null, null, null);
        private static final int FILES = 3;

        /** Of a text that has the children's lines, an empty line, and a line for each of the other files. */
        static ProcessFiles copied(String text) {
            int end = text.startsWith("\n") ? 0 : text.indexOf("\n\n") + 1;
            String[] files = text.substring(end).strip().split("\n", FILES);
            return files.length < FILES ? NONE : new ProcessFiles(text.substring(0, end), files[0], files[1], files[2]);
        }

        /** Whether no child ended while the last three files were read. */
        boolean areOfOneMoment() {
            return Objects.equals(waitedFor(postmaster), waitedFor(again));
        }

        /** The children's part of the postmaster's time and the number of page faults, which a child without CPU time has, too. */
        private static @Nullable String waitedFor(@Nullable String stat) {
            if (stat == null) {
                return null;
            }
            String[] fields = stat.substring(stat.lastIndexOf(") ") + 2).strip().split(" ", -1);
            return fields.length < 15 ? stat : fields[8] + " " + fields[10] + " " + fields[13] + " " + fields[14];
        }

        /** The lines of the processes, each of them once. */
        String lines() {
            Set<String> there = Stream.of(
                            Objects.requireNonNullElse(pids, "").strip().split("\\s+", -1))
                    .collect(Collectors.toSet());
            Stream<String> alive = children.lines().filter(line -> there.contains(line.split(" ", 2)[0]));
            return Stream.concat(alive, Stream.ofNullable(postmaster).map(String::strip))
                    .collect(Collectors.joining("\n"));
        }
    }
}
