package io.pgstress.target.embedded;

import io.pgstress.target.driver.TargetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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
                    .filter(f ->
                            Files.isExecutable(f.resolve("bin/pg_ctl")) || Files.exists(f.resolve("bin/pg_ctl.exe")))
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
