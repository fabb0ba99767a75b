package io.pgstress.target.embedded;

import io.pgstress.plan.server.ServerRequest;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.embedded.EmbeddedServer.PrivateDirectory;
import io.pgstress.target.embedded.EmbeddedServer.TemporaryDirectory;
import io.pgstress.target.loop.Daemons;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLConnection;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The programs of a server.
 *
 * @param bin the folder that contains {@code postgres}
 * @param origin the jar they are from, or the folder; {@code bundled} for those of this program's jar
 * @param sha256 the checksum of that jar, of the bundled archive, or of {@code postgres} in a folder
 */
public record ServerBuild(Path bin, String origin, String sha256) {
    private static final Pattern URL = Pattern.compile("\\w{2,}:.*");

    /** Of one build, with the checksum that Maven Central has. */
    record Pinned(String version, String sha256) {
        boolean is(String requested) {
            return version.equals(requested) || version.startsWith(requested + ".");
        }
    }

    /**
     * Finds the builds that are asked for. Those of the publisher are fetched once and kept unpacked in the user's data directory.
     *
     * @param notes receives a line for each that is fetched
     * @param check throws after a signal
     */
    record Finder(Path dataHome, String binaries, Consumer<String> notes, Runnable check) {
        private static final String CENTRAL = "https://repo1.maven.org/maven2";
        private static final int TIMEOUT_MILLIS = 20_000;
        private static final int POLL_MILLIS = 100;
        private static final ServerArchive ARCHIVE = ServerArchive.ofThisPlatform();

        /** @throws TargetException if it is not known, cannot be fetched, or is not what the checksum says */
        ServerBuild find(ServerRequest request) {
            String name = request.buildName();
            try {
                return request.isVersion() ? ofVersion(name, pinned()) : installed(Path.of(name));
            } catch (IOException e) {
                throw new TargetException(
                        "cannot get " + request + " into " + dataHome + ": " + EmbeddedServer.reason(e), e);
            }
        }

        private static ServerBuild installed(Path bin) throws IOException {
            for (String program : List.of("postgres", "initdb", "pg_ctl")) {
                if (!Files.isRegularFile(bin.resolve(program)) && !Files.isRegularFile(bin.resolve(program + ".exe"))) {
                    throw new TargetException("--server: " + bin + " does not contain " + program
                            + "; name a folder such as /usr/lib/postgresql/17/bin");
                }
            }
            Path postgres = bin.resolve("postgres");
            Path file = Files.exists(postgres) ? postgres : bin.resolve("postgres.exe");
            return new ServerBuild(
                    bin.toAbsolutePath(), bin.toAbsolutePath().toString(), sha256(Files.readAllBytes(file)));
        }

        /** @param known the newest last */
        ServerBuild ofVersion(String version, List<Pinned> known) throws IOException {
            Pinned wanted = known.stream()
                    .filter(build -> build.is(version))
                    .reduce((older, newer) -> newer)
                    .orElseThrow(() -> new TargetException("--server: PostgreSQL " + version + " is not known for "
                            + ARCHIVE.system() + " " + ARCHIVE.machine() + "; known: "
                            + String.join(
                                    ", ", known.stream().map(Pinned::version).toList())
                            + "; for others, name the folder of their programs"));
            Path builds = dataHome.resolve("builds");
            Path home = builds.resolve(wanted.version());
            Path source = home.resolve("source");
            Optional<ServerBuild> kept = kept(home, source, wanted);
            if (kept.isPresent()) {
                return kept.get();
            }
            check.run();
            Path made = TemporaryDirectory.make(dataHome);
            try {
                String origin = unpack(wanted, made);
                Files.writeString(made.resolve("source"), origin);
                Files.createDirectories(builds);
                PrivateDirectory.secure(builds);
                EmbeddedServer.deleteAll(home);
                Files.move(made, home);
            } finally {
                EmbeddedServer.deleteAll(made);
            }
            return kept(home, source, wanted).orElseThrow();
        }

        /** What is unpacked already, if it is what is wanted. */
        private static Optional<ServerBuild> kept(Path home, Path source, Pinned wanted) throws IOException {
            if (!Files.exists(source)) {
                return Optional.empty();
            }
            List<String> lines = Files.readAllLines(source);
            return Optional.of(new ServerBuild(home.resolve("bin"), lines.get(0), lines.get(1)))
                    .filter(build -> build.sha256().equals(wanted.sha256())
                            || wanted.sha256().isEmpty());
        }

        /** Returns where the build is from, and its checksum, in two lines. */
        private String unpack(Pinned wanted, Path directory) throws IOException {
            if (wanted.sha256().isEmpty()) {
                byte[] archive = resource(ARCHIVE.resource());
                ARCHIVE.unpack(new ByteArrayInputStream(archive), directory);
                return "bundled\n" + sha256(archive);
            }
            String file = ARCHIVE.artifact() + "-" + wanted.version() + ".jar";
            String path = "/io/zonky/test/postgres/" + ARCHIVE.artifact() + "/" + wanted.version() + "/" + file;
            String location = location(file, path);
            byte[] jar = read(location, path);
            String found = sha256(jar);
            if (!found.equals(wanted.sha256())) {
                throw new TargetException(location + " is not the file that pgstress knows: its SHA-256 checksum is "
                        + found + ", not " + wanted.sha256() + "; get it from " + CENTRAL + path);
            }
            ZipInputStream entries = new ZipInputStream(new ByteArrayInputStream(jar));
            for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                if (entry.getName().equals(ARCHIVE.resource())) {
                    ARCHIVE.unpack(entries, directory);
                    return location + "\n" + found;
                }
            }
            throw new TargetException(location + " does not contain " + ARCHIVE.resource());
        }

        /** The URL of a file in the repository, or in the folder, which is a repository or has the file itself. */
        private String location(String file, String path) {
            if (binaries.isEmpty() || URL.matcher(binaries).matches()) {
                return (binaries.isEmpty() ? CENTRAL : binaries.replaceFirst("/+$", "")) + path;
            }
            for (Path candidate : List.of(Path.of(binaries, path), Path.of(binaries, file))) {
                if (Files.exists(candidate)) {
                    return candidate.toUri().toString();
                }
            }
            throw new TargetException(
                    "--binaries: " + binaries + " does not contain " + file + "; it is " + CENTRAL + path);
        }

        /** Reads on a thread of its own: a signal ends the command also if the mirror does not answer. */
        private byte[] read(String location, String path) {
            notes.accept("fetching " + location);
            FutureTask<byte[]> all =
                    new FutureTask<>(() -> content(URI.create(location).toURL().openConnection()));
            Daemons.start("fetch", all);
            while (true) {
                try {
                    return all.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    check.run(); // it is still being read
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new TargetException("fetching " + location + " was interrupted", e);
                } catch (ExecutionException e) {
                    throw new TargetException(
                            "cannot fetch " + location + " (" + reason(e.getCause()) + "); save " + CENTRAL + path
                                    + " in a folder and name that, or name a mirror, with --binaries",
                            e);
                }
            }
        }

        private static byte[] content(URLConnection connection) throws IOException {
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            if (connection instanceof HttpURLConnection http && http.getResponseCode() != HttpURLConnection.HTTP_OK) {
                String to = http.getHeaderField("Location");
                throw new IOException("HTTP status " + http.getResponseCode() + (to == null ? "" : " to " + to));
            }
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            try (InputStream in = connection.getInputStream()) {
                in.transferTo(all);
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                // from JDK 25 on, the connection notices that bytes are missing
                throw all.size() == 0 ? e : ended(all, connection, e);
            }
            if (all.size() < connection.getContentLengthLong()) {
                throw ended(all, connection, null);
            }
            return all.toByteArray();
        }

        private static IOException ended(ByteArrayOutputStream all, URLConnection connection, @Nullable IOException e) {
            return new IOException(
                    "it ended after " + all.size() + " of " + connection.getContentLengthLong() + " bytes", e);
        }

        private static String reason(@Nullable Throwable e) {
            if (e instanceof SocketTimeoutException) {
                return "no answer for " + TIMEOUT_MILLIS / 1000 + " s";
            }
            if (e instanceof UnknownHostException) {
                return "unknown host " + e.getMessage();
            }
            return e instanceof IOException io ? EmbeddedServer.reason(io) : String.valueOf(e);
        }

        /** The known builds for this platform, the newest last. The bundled one has no checksum. */
        static List<Pinned> pinned() throws IOException {
            List<Pinned> known = new ArrayList<>();
            String platform = ARCHIVE.platform() + " ";
            String bundled = "";
            for (String line : new String(resource("embedded/builds.txt"), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (line.startsWith("bundled ") && ServerArchive.isBundled()) {
                    bundled = line.substring("bundled ".length());
                } else if (line.startsWith(platform)) {
                    String[] words = line.split(" ", -1);
                    known.add(new Pinned(words[1], words[2]));
                }
            }
            if (!bundled.isEmpty()) {
                String version = bundled;
                known.removeIf(build -> build.version().equals(version));
                known.add(new Pinned(version, ""));
            }
            return known;
        }

        private static byte[] resource(String name) throws IOException {
            try (InputStream in = ServerBuild.class.getResourceAsStream("/" + name)) {
                if (in == null) {
                    throw new IOException("the jar does not contain " + name);
                }
                return in.readAllBytes();
            }
        }

        private static String sha256(byte[] bytes) {
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JVM has SHA-256", e);
            }
        }
    }
}
