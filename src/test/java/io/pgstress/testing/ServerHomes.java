package io.pgstress.testing;

import io.pgstress.target.embedded.EmbeddedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * Directories of embedded servers, copied from one that was made once for all JVMs of the build: unpacking the programs and
 * initializing the data takes seconds of CPU time. The data of all copies have the same system identifier.
 */
public final class ServerHomes {
    private static final Path ORIGINAL = Path.of("target", "new-server").toAbsolutePath();

    /** With all those of a user's server, each session that starts would cost a quarter more CPU time. */
    private static final int MAX_CONNECTIONS = 300;

    private ServerHomes() {}

    /** Makes the directory of a server, unless it is there. */
    public static synchronized void make(Path home) {
        if (Files.exists(home.resolve("postgresql-18"))) {
            return;
        }
        try {
            Files.createDirectories(ORIGINAL.getParent());
            try (FileChannel channel = FileChannel.open(
                            ORIGINAL.resolveSibling("new-server.lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                if (!Files.exists(ORIGINAL)) {
                    Path made = ORIGINAL.resolveSibling("new-server.made");
                    EmbeddedServer.open(made).close();
                    Files.writeString(
                            made.resolve("postgresql-18/data/postgresql.conf"),
                            "max_connections = " + MAX_CONNECTIONS + "\n",
                            StandardOpenOption.APPEND);
                    Files.move(made, ORIGINAL);
                }
                copy(ORIGINAL, home);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies the directory of a server that does not run. The programs are links, which take no space. */
    public static void copy(Path from, Path to) throws IOException {
        Path incomplete = to.resolveSibling(to.getFileName() + ".copied");
        EmbeddedServer.deleteAll(incomplete);
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path relative = from.relativize(file);
                Path copy = incomplete.resolve(relative);
                if (relative.toString().contains("PG-") && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createLink(copy, file);
                } else {
                    Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
                }
            }
        }
        Files.createDirectories(to);
        try (Stream<Path> parts = Files.list(incomplete)) {
            for (Path part : parts.toList()) {
                Files.move(part, to.resolve(part.getFileName()));
            }
        }
        Files.delete(incomplete);
    }
}
