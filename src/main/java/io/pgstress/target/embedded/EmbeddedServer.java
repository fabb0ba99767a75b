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
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
}
