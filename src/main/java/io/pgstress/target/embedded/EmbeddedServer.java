package io.pgstress.target.embedded;

import io.pgstress.plan.server.ServerRequest;
import io.pgstress.target.driver.TargetException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL that the program starts, on loopback only. The one in the jar keeps its data between commands, one directory per major
 * version. Commands that run at the same time share it: the first starts it, the last one to end stops it, and a server that a killed
 * command left behind is taken over. A {@linkplain #temporary temporary} server belongs to one command.
 */
public final class EmbeddedServer implements AutoCloseable {
    static final String MAJOR = "18";

    /** System property: the directory of the server's binaries, with {@code bin} and {@code lib}; the jar's if it is not set. */
    private static final String BINARIES = "pgstress.postgresql";

    private static final int PORT_LINE = 3;
    private static final int STOP_SECONDS = 10;

    private final Path home;
    private final ServerFiles files;
    private final int port;
    private final String repaired;
    private final @Nullable ServerBuild build;
    private boolean closed;

    private EmbeddedServer(Path home, ServerFiles files, int port, String repaired, @Nullable ServerBuild build) {
        this.home = home;
        this.files = files;
        this.port = port;
        this.repaired = repaired;
        this.build = build;
    }

    /**
     * Starts the server, or uses the one that is running.
     *
     * @param dataHome the user's data directory: see {@link DataHome}
     * @throws TargetException if the server cannot run here
     */
    public static EmbeddedServer open(Path dataHome) {
        Path home = dataHome.resolve("postgresql-" + MAJOR);
        return open(home, new ServerFiles(ServerRequest.EMBEDDED.toString(), home, unpackedBefore(), Map.of()), null);
    }

    /** The folder with the programs of the embedded server, if they need not be unpacked. */
    static Optional<Path> unpackedBefore() {
        return Optional.ofNullable(System.getProperty(BINARIES)).map(directory -> Path.of(directory, "bin"));
    }

    /**
     * Starts a server on new data, which are removed when it is closed.
     *
     * @param dataHome the user's data directory, which also keeps builds that were unpacked
     * @param check is called where a signal may end the start; it throws then
     * @throws TargetException if there is no such build, or it cannot run here
     */
    public static EmbeddedServer temporary(Path dataHome, ServerRequest request, Runnable check) {
        ServerBuild build = InstalledServers.ofThisMachine(dataHome, check).find(request);
        try {
            Path home = TemporaryDirectory.make(dataHome);
            try {
                return open(
                        home,
                        new ServerFiles(request.toString(), home, Optional.of(build.bin()), request.settings()),
                        build);
            } catch (TargetException e) {
                deleteAll(home);
                throw new TargetException("--server: " + e.getMessage(), e);
            }
        } catch (IOException e) {
            throw new TargetException("cannot start " + request + " in " + dataHome + ": " + reason(e), e);
        }
    }

    private static EmbeddedServer open(Path home, ServerFiles files, @Nullable ServerBuild build) {
        try {
            String repaired = Files.exists(home) ? PrivateDirectory.secure(home) : "";
            Files.createDirectories(home.resolve("users"));
            PrivateDirectory.secure(home);
            try (FileChannel channel = lockFile(home);
                    FileLock lock = channel.lock()) {
                Files.writeString(userFile(home), "");
                return new EmbeddedServer(home, files, startOrJoin(files), repaired, build);
            }
        } catch (IOException e) {
            throw new TargetException(
                    "cannot use " + home + " for " + files.name() + ": " + reason(e)
                            + "; name a server with --url, or another directory with PGSTRESS_HOME",
                    e);
        }
    }

    static String reason(IOException e) {
        if (e instanceof AccessDeniedException file) {
            return file.getFile() + ": permission denied";
        }
        if (e instanceof FileSystemException file && file.getReason() != null) {
            return file.getReason();
        }
        if (e.getClass() == IOException.class && e.getMessage() != null) {
            return e.getMessage();
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
        try {
            control(files).start(port);
        } catch (TargetException e) {
            if (files.installed().isEmpty()) {
                throw new TargetException(
                        e.getMessage() + "; if its data are damaged, delete " + files.home()
                                + ": the next command starts with the sample again, without what you imported",
                        e);
            }
            files.configure(List.of("shared_preload_libraries = ''")); // an installed build may lack contrib
            control(files).start(port);
        }
        return port;
    }

    private static PgCtl control(ServerFiles files) {
        Path binaries =
                files.binaries().orElseThrow(() -> new TargetException("no server binaries in " + files.data()));
        return new PgCtl(files.name(), binaries, files.data(), files.log());
    }

    /** The port of a running server on the data directory that answers; empty if the pid file is stale. */
    private static OptionalInt runningPort(ServerFiles files) throws IOException {
        Path pidFile = files.data().resolve("postmaster.pid");
        if (!Files.exists(pidFile)) {
            return OptionalInt.empty();
        }
        List<String> lines = Files.readAllLines(pidFile);
        try {
            boolean alive = isAlive(Long.parseLong(lines.get(0).trim()));
            int port = Integer.parseInt(lines.get(PORT_LINE).trim());
            return alive && answers(port) ? OptionalInt.of(port) : OptionalInt.empty();
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return OptionalInt.empty(); // incomplete: the server is not up
        }
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
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

    /** The programs it runs; null for the embedded server. */
    public @Nullable ServerBuild build() {
        return build;
    }

    /** Why a temporary server has crashed, for example because the disk is full; empty if it has not, or is not temporary. */
    public String crash() {
        return build == null ? "" : control(files).crash();
    }

    /** The size of its files. */
    public long bytes() {
        return bytes(home);
    }

    /** The size of a file, or of the files in a directory. */
    public static long bytes(Path path) {
        AtomicLong bytes = new AtomicLong();
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    bytes.addAndGet(attributes.size());
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                    if (e instanceof NoSuchFileException) { // the server has removed it meanwhile
                        return FileVisitResult.CONTINUE;
                    }
                    throw e;
                }
            });
        } catch (IOException e) {
            throw new TargetException("cannot read " + path + ": " + reason(e), e);
        }
        return bytes.get();
    }

    /** Stops the server, unless another command uses it, and removes the data if they are temporary. */
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
                control(files).stop(build == null ? "fast" : "immediate");
            }
        } catch (IOException e) {
            throw new TargetException(files.name() + " in " + home + " could not be stopped: " + e, e);
        }
        if (build != null) {
            try {
                deleteAll(home);
            } catch (IOException e) {
                throw new TargetException("cannot remove " + home + ": " + reason(e), e);
            }
        }
    }

    /** Deletes a directory with all that it has; nothing if it does not exist. */
    public static void deleteAll(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Directories that a command removes before it ends, or a later one if it was killed. */
    public static final class TemporaryDirectory {
        private TemporaryDirectory() {}

        private static Path parent(Path dataHome) {
            return dataHome.resolve("temporary");
        }

        /** A new one of this process. */
        static Path make(Path dataHome) throws IOException {
            Files.createDirectories(parent(dataHome));
            return Files.createTempDirectory(
                    parent(dataHome), ProcessHandle.current().pid() + "-");
        }

        /** Ends the servers and removes the directories of processes that were killed. */
        public static void removeLeft(Path dataHome) {
            removeOf(dataHome, pid -> !isAlive(pid));
        }

        /** Ends the servers and removes the directories of this process, which ends now. */
        public static void removeOwn(Path dataHome) {
            removeOf(dataHome, pid -> pid == ProcessHandle.current().pid());
        }

        private static void removeOf(Path dataHome, LongPredicate process) {
            if (!Files.isDirectory(parent(dataHome))) {
                return;
            }
            try (Stream<Path> all = Files.list(parent(dataHome))) {
                for (Path directory : all.toList()) {
                    String pid = String.valueOf(directory.getFileName()).replaceFirst("-.*", "");
                    if (process.test(Long.parseLong(pid))) {
                        end(directory.resolve("data").resolve("postmaster.pid"));
                        deleteAll(directory);
                    }
                }
            } catch (IOException e) {
                throw new TargetException("cannot clean up " + parent(dataHome) + ": " + reason(e), e);
            }
        }

        private static void end(Path pidFile) throws IOException {
            if (!Files.exists(pidFile)) {
                return;
            }
            Optional<ProcessHandle> server = ProcessHandle.of(
                            Long.parseLong(Files.readAllLines(pidFile).get(0).trim()))
                    .filter(process -> process.info().command().orElse("").contains("postgres"));
            if (server.isPresent() && server.get().destroy()) {
                server.get()
                        .onExit()
                        .orTimeout(STOP_SECONDS, TimeUnit.SECONDS)
                        .exceptionally(late -> null)
                        .join();
            }
        }
    }

    private boolean isUsedByAnother() throws IOException {
        try (Stream<Path> users = Files.list(home.resolve("users"))) {
            for (Path user : users.toList()) {
                long pid = Long.parseLong(user.getFileName().toString());
                if (isAlive(pid)) {
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
                            + ") and is private now; if others use this machine, remove it, and it will be unpacked"
                            + " again"
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
     * @param name the server's, in messages
     * @param installed the folder with {@code postgres}, if it need not be unpacked
     * @param settings further differences from a new cluster's configuration
     */
    record ServerFiles(String name, Path home, Optional<Path> installed, Map<String, String> settings) {
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

        /** The folder with {@code postgres}; empty if it is not unpacked yet. */
        Optional<Path> binaries() {
            if (installed.isPresent()) {
                return installed;
            }
            if (!Files.isDirectory(home)) {
                return Optional.empty();
            }
            try (Stream<Path> files = Files.list(home)) {
                return files.filter(f -> f.getFileName().toString().startsWith("PG-"))
                        .map(f -> f.resolve("bin"))
                        .filter(f -> Files.isExecutable(f.resolve("pg_ctl")) || Files.exists(f.resolve("pg_ctl.exe")))
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
            PgCtl.checkPossible(name);
            try {
                Files.createDirectories(home);
                deleteAll(data());
                Path programs = installed.isPresent() ? installed.get() : unpacked();
                Path made = home.resolve("made");
                deleteAll(made);
                PgCtl.initialize(programs, made);
                Files.move(made, data());
                configure(List.of("", "# pgstress"));
                configure(CONFIGURATION);
                configure(settings.entrySet().stream()
                        .map(s -> s.getKey() + " = '" + s.getValue().replace("'", "''") + "'")
                        .toList());
                Files.writeString(home.resolve("complete"), "");
            } catch (IOException e) {
                throw new TargetException(
                        name + " could not be set up in " + home + ": " + e.getMessage()
                                + " (name a server with --url instead)",
                        e);
            }
        }

        /** Adds lines to the configuration. */
        void configure(List<String> lines) throws IOException {
            Files.write(data().resolve("postgresql.conf"), lines, StandardOpenOption.APPEND);
        }

        private Path unpacked() throws IOException {
            Path programs = home.resolve("PG-" + EmbeddedServer.MAJOR);
            deleteAll(programs);
            ServerArchive.ofThisPlatform().unpack(programs);
            return programs.resolve("bin");
        }
    }
}
