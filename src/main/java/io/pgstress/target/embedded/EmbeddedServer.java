package io.pgstress.target.embedded;

import io.pgstress.target.driver.TargetException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The PostgreSQL in the jar. Its data is kept between commands, one directory per major version; it listens on
 * loopback only. Commands that run at the same time share one server: the first starts it, the last one to end stops it,
 * and a server that a killed command left behind is taken over.
 */
public final class EmbeddedServer implements AutoCloseable {
    static final String MAJOR = "18";

    /** System property: the directory of the server's binaries, with {@code bin} and {@code lib}; the jar's if it is not set. */
    private static final String BINARIES = "pgstress.postgresql";

    private static final int PORT_LINE = 3;

    private final Path home;
    private final ServerFiles files;
    private final int port;
    private final String repaired;
    private boolean closed;

    private EmbeddedServer(Path home, ServerFiles files, int port, String repaired) {
        this.home = home;
        this.files = files;
        this.port = port;
        this.repaired = repaired;
    }

    /**
     * Starts the server, or uses the one that is running.
     *
     * @param dataHome the user's data directory: see {@link DataHome}
     * @throws TargetException if the server cannot run here
     */
    public static EmbeddedServer open(Path dataHome) {
        Path home = dataHome.resolve("postgresql-" + MAJOR);
        ServerFiles files = new ServerFiles(
                home, Optional.ofNullable(System.getProperty(BINARIES)).map(Path::of));
        try {
            String repaired = Files.exists(home) ? PrivateDirectory.secure(home) : "";
            Files.createDirectories(home.resolve("users"));
            PrivateDirectory.secure(home);
            try (FileChannel channel = lockFile(home);
                    FileLock lock = channel.lock()) {
                Files.writeString(userFile(home), "");
                return new EmbeddedServer(home, files, startOrJoin(files), repaired);
            }
        } catch (IOException e) {
            throw new TargetException(
                    "cannot use " + home + " for the embedded PostgreSQL: " + reason(e)
                            + "; name a server with --url, or another directory with PGSTRESS_HOME",
                    e);
        }
    }

    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException file) {
            return file.getFile() + ": permission denied";
        }
        if (e instanceof FileSystemException file && file.getReason() != null) {
            return file.getReason();
        }
        return e.toString();
    }

    private static int startOrJoin(ServerFiles files) throws IOException {
        OptionalInt running = runningPort(files);
        if (running.isPresent()) {
            return running.getAsInt();
        }
        if (!files.areComplete()) {
            files.make();
        }
        int port = freePort();
        control(files).start(port);
        return port;
    }

    private static PgCtl control(ServerFiles files) {
        Path binaries =
                files.binaries().orElseThrow(() -> new TargetException("no server binaries in " + files.data()));
        return new PgCtl(binaries, files.data(), files.log());
    }

    /** The port of a running server on the data directory that answers; empty if the pid file is stale. */
    private static OptionalInt runningPort(ServerFiles files) throws IOException {
        Path pidFile = files.data().resolve("postmaster.pid");
        if (!Files.exists(pidFile)) {
            return OptionalInt.empty();
        }
        List<String> lines = Files.readAllLines(pidFile);
        try {
            boolean alive = ProcessHandle.of(Long.parseLong(lines.get(0).trim()))
                    .map(ProcessHandle::isAlive)
                    .orElse(false);
            int port = Integer.parseInt(lines.get(PORT_LINE).trim());
            return alive && answers(port) ? OptionalInt.of(port) : OptionalInt.empty();
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return OptionalInt.empty(); // incomplete: the server is not up
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static FileChannel lockFile(Path home) throws IOException {
        return FileChannel.open(home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static Path userFile(Path home) {
        return home.resolve("users")
                .resolve(Long.toString(ProcessHandle.current().pid()));
    }

    /** The URL of its database. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
    }

    /** What was repaired in the directory's permissions; empty if nothing was. */
    public String repaired() {
        return repaired;
    }

    /** The port it listens on, on loopback. */
    public int port() {
        return port;
    }

    /** Stops the server, unless another command uses it. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (FileChannel channel = lockFile(home);
                FileLock lock = channel.lock()) {
            Files.deleteIfExists(userFile(home));
            if (!isUsedByAnother()) {
                control(files).stop();
            }
        } catch (IOException e) {
            throw new TargetException("the embedded PostgreSQL in " + home + " could not be stopped: " + e, e);
        }
    }

    private boolean isUsedByAnother() throws IOException {
        try (Stream<Path> users = Files.list(home.resolve("users"))) {
            for (Path user : users.toList()) {
                long pid = Long.parseLong(user.getFileName().toString());
                if (ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)) {
                    return true;
                }
                Files.deleteIfExists(user);
            }
        }
        return false;
    }

    /** The directory in which the program keeps this user's data between commands. */
    public static final class DataHome {
        private DataHome() {}

        /** {@code PGSTRESS_HOME}, or the platform's directory for a user's data. */
        public static Path of(Map<String, String> environment) {
            String home = environment.get("PGSTRESS_HOME");
            if (home != null && !home.isEmpty()) {
                return Path.of(home).toAbsolutePath();
            }
            String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
            Path user = Path.of(System.getProperty("user.home", "."));
            if (os.contains("win")) {
                String local = environment.get("LOCALAPPDATA");
                return (local == null ? user.resolve("AppData/Local") : Path.of(local)).resolve("pgstress");
            }
            if (os.contains("mac")) {
                return user.resolve("Library/Application Support/pgstress");
            }
            String data = environment.get("XDG_DATA_HOME");
            return (data == null || data.isEmpty() ? user.resolve(".local/share") : Path.of(data)).resolve("pgstress");
        }
    }

    /** A directory that only its owner may use, because programs are run from it. */
    static final class PrivateDirectory {
        private static final Set<PosixFilePermission> OWNERS = PosixFilePermissions.fromString("rwx------");

        private PrivateDirectory() {}

        /**
         * Restricts the directory to this user, if the platform has such permissions.
         *
         * @return what was repaired, to be reported; empty if nothing was
         * @throws TargetException if it belongs to another user, who could replace its contents
         */
        static String secure(Path directory) throws IOException {
            PosixFileAttributeView view =
                    Files.getFileAttributeView(directory, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
            if (view == null || !Files.exists(directory)) {
                return "";
            }
            UserPrincipal owner = view.readAttributes().owner();
            UserPrincipal self = self();
            if (!owner.equals(self)) {
                throw new TargetException(directory + " belongs to " + owner.getName() + ", not to " + self.getName()
                        + ": the programs in it are not run; remove it, or set PGSTRESS_HOME to another directory");
            }
            Set<PosixFilePermission> found = view.readAttributes().permissions();
            if (found.equals(OWNERS)) {
                return "";
            }
            view.setPermissions(OWNERS);
            return found.contains(PosixFilePermission.OTHERS_WRITE) || found.contains(PosixFilePermission.GROUP_WRITE)
                    ? directory + " was writable by other users (" + PosixFilePermissions.toString(found)
                            + ") and is private now; if others use this machine, remove it, and it will be unpacked again"
                    : "";
        }

        /** The user who owns the files that this process creates. */
        private static UserPrincipal self() throws IOException {
            Path made = Files.createTempFile("pgstress", ".owner");
            try {
                return Files.getOwner(made);
            } finally {
                Files.delete(made);
            }
        }
    }

    /**
     * The files of the embedded server: binaries, unpacked from the jar, and a data directory, created on first use. A container image has
     * unpacked binaries, because programs in the directory of the data may not be executable there.
     *
     * @param installed the directory of binaries that need not be unpacked, if there is one
     */
    record ServerFiles(Path home, Optional<Path> installed) {
        /** Differences from a new cluster's configuration. Durability: a crash may lose the last commits, never the rest. */
        private static final List<String> CONFIGURATION = List.of(
                "listen_addresses = '127.0.0.1'",
                "unix_socket_directories = ''",
                "max_connections = 2100",
                "shared_buffers = 256MB",
                "synchronous_commit = off",
                "max_wal_size = 4GB",
                "shared_preload_libraries = 'pg_stat_statements'",
                "timezone = 'UTC'",
                "log_timezone = 'UTC'");

        Path data() {
            return home.resolve("data");
        }

        Path log() {
            return home.resolve("server.log");
        }

        /** The directory of the binaries; empty if they are not unpacked yet. */
        Optional<Path> binaries() {
            if (installed.isPresent()) {
                return installed;
            }
            if (!Files.isDirectory(home)) {
                return Optional.empty();
            }
            try (Stream<Path> files = Files.list(home)) {
                return files.filter(f -> f.getFileName().toString().startsWith("PG-"))
                        .filter(f -> Files.isExecutable(f.resolve("bin/pg_ctl"))
                                || Files.exists(f.resolve("bin/pg_ctl.exe")))
                        .findFirst();
            } catch (IOException e) {
                throw new TargetException("cannot read " + home + ": " + e.getMessage(), e);
            }
        }

        boolean areComplete() {
            return Files.exists(home.resolve("complete")) && binaries().isPresent();
        }

        /** Unpacks and initializes; an incomplete directory of an earlier attempt is replaced. */
        void make() {
            PgCtl.checkPossible();
            try {
                Files.createDirectories(home);
                deleteAll(data());
                Path programs = installed.isPresent() ? installed.get() : unpacked();
                Path made = home.resolve("made");
                deleteAll(made);
                PgCtl.initialize(programs, made);
                Files.move(made, data());
                Files.write(
                        data().resolve("postgresql.conf"),
                        Stream.concat(Stream.of("", "# pgstress"), CONFIGURATION.stream())
                                .toList(),
                        StandardOpenOption.APPEND);
                Files.writeString(home.resolve("complete"), "");
            } catch (IOException e) {
                throw new TargetException(
                        "the embedded PostgreSQL could not be set up in " + home + ": " + e.getMessage()
                                + " (name a server with --url instead)",
                        e);
            }
        }

        private Path unpacked() throws IOException {
            Path programs = home.resolve("PG-" + EmbeddedServer.MAJOR);
            deleteAll(programs);
            ServerArchive.ofThisPlatform().unpack(programs);
            return programs;
        }

        private static void deleteAll(Path directory) throws IOException {
            if (!Files.exists(directory)) {
                return;
            }
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
