package io.pgstress.probe.server;

import io.pgstress.machine.MachineFiles;
import io.pgstress.target.driver.ControlSql;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A server that runs on this machine, so that {@code /proc} tells about it what its role may not read. It is recognized by its backend's
 * number, name and age: behind a tunnel, or in another container, the process with this number is another one, or none. Immutable.
 *
 * @param proc {@code /proc}
 * @param postmaster the number of its postmaster
 */
record LocalServer(Path proc, long postmaster) {
    /** USER_HZ, in which the kernel shows all times to programs (times(2)). */
    private static final double TICKS_PER_SECOND = 100;

    /** A backend notes its start right after that of its process, unless the machine is full. */
    private static final double MAX_SECONDS = 1;

    private static final int MAX_ATTEMPTS = 10;
    private static final String OF_PROCESS = "/proc/self/";

    private static final String BACKEND = "select pid, extract(epoch from clock_timestamp() - backend_start)"
            + " from pg_stat_activity where pid = pg_backend_pid()";

    /** The fields of {@code /proc/PID/stat} that follow the name: those after {@code state} have the numbers of proc(5) minus 3. */
    private record ProcessStat(String name, List<String> fields) {
        private static final int PARENT = 1;
        private static final int START = 19;

        static Optional<ProcessStat> of(String stat) {
            int end = stat.lastIndexOf(") ");
            List<String> fields = end < 0
                    ? List.of()
                    : List.of(stat.substring(end + 2).strip().split(" ", -1));
            return fields.size() <= START
                    ? Optional.empty()
                    : Optional.of(new ProcessStat(stat.substring(stat.indexOf('(') + 1, end), fields));
        }

        long parent() {
            return Long.parseLong(fields.get(PARENT));
        }

        /** In seconds since the machine was started. */
        double start() {
            return Long.parseLong(fields.get(START)) / TICKS_PER_SECOND;
        }
    }

    /** A session's own process. */
    private record Backend(long pid, double ageSeconds) {}

    /** The server of a session; empty if it is not known to be on this machine. */
    static Optional<LocalServer> of(Connection session, Path proc) throws SQLException {
        double before = uptime(proc);
        Optional<Backend> backend =
                ControlSql.first(session, BACKEND, row -> new Backend(row.getLong(1), row.getDouble(2)));
        double after = uptime(proc);
        return backend.flatMap(found -> of(found.pid, before - found.ageSeconds, after - found.ageSeconds, proc));
    }

    /** @param from, to its backend started between these times, in seconds since the machine was started */
    static Optional<LocalServer> of(long backend, double from, double to, Path proc) {
        return ProcessStat.of(text(proc.resolve(backend + "/stat")))
                .filter(process -> process.name.contains("postgres")
                        && process.start() >= from - MAX_SECONDS
                        && process.start() <= to + MAX_SECONDS)
                .map(process -> new LocalServer(proc, process.parent()));
    }

    /** Seconds since the machine was started; not a number if unknown. */
    private static double uptime(Path proc) {
        String text = text(proc.resolve("uptime"));
        return text.isEmpty() ? Double.NaN : Double.parseDouble(text.split(" ", 2)[0]);
    }

    /** The text of a file; empty for one of a process that has ended, or that this user may not read. */
    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /** The machine's files; those about the process that reads are about the postmaster. */
    MachineFiles files(List<String> paths) {
        Map<String, String> texts = new HashMap<>();
        MachineFiles found =
                MachineFiles.local(paths.stream().map(this::ofPostmaster).toList());
        paths.forEach(path -> texts.put(path, found.byPath().getOrDefault(ofPostmaster(path), "")));
        return new MachineFiles(texts);
    }

    private String ofPostmaster(String path) {
        return path.startsWith(OF_PROCESS) ? proc + "/" + postmaster + "/" + path.substring(OF_PROCESS.length()) : path;
    }

    /** A line for each of the server's processes, and one for the machine's CPUs. */
    String processes() throws IOException {
        for (int attempt = 1; ; attempt++) {
            ProcessFiles files = processFiles();
            if (files.areOfOneMoment() || attempt == MAX_ATTEMPTS) {
                return files.lines();
            }
        }
    }

    private ProcessFiles processFiles() throws IOException {
        String stats = String.join("", children().values());
        String cpus = text(proc.resolve("stat")).lines().limit(1).collect(Collectors.joining());
        Path own = proc.resolve(postmaster + "/stat");
        return new ProcessFiles(
                stats + cpus, orNull(text(own)), String.join(" ", children().keySet()), orNull(text(own)));
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** {@code /proc/PID/stat} of each child of the postmaster. Not every kernel lists the children of a process. */
    private Map<String, String> children() throws IOException {
        Map<String, String> children = new HashMap<>();
        for (Path process : numbered()) {
            String stat = text(process.resolve("stat"));
            ProcessStat.of(stat)
                    .filter(found -> found.parent() == postmaster)
                    .ifPresent(found -> children.put(process.getFileName().toString(), stat));
        }
        return children;
    }

    private List<Path> numbered() throws IOException {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            processes.forEach(all::add);
        }
        return all;
    }
}
