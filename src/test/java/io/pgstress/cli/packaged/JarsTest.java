package io.pgstress.cli.packaged;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Packaged;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stress.jar}, and the two jars that {@code release/slim-jar} makes of it: what they contain, and that they run. */
@Packaged
final class JarsTest {
    private static final long MAX_SLIM_BYTES = 20_000_000;
    private static final Path FULL = Path.of("target/stress.jar");

    @TempDir
    private static Path jars;

    @TempDir
    private Path directory;

    private Path output;

    private static Path slim;
    private static Path embedded;

    @BeforeAll
    static void split() throws Exception {
        Files.copy(FULL, jars.resolve("stress.jar"));
        ProcessBuilder script = new ProcessBuilder("release/slim-jar", jars.toString()).inheritIO();
        script.environment().put("JAVA_HOME", System.getProperty("java.home"));
        assertThat(script.start().waitFor()).isZero();
        slim = jars.resolve("stress-slim.jar");
        embedded = jars.resolve("stress-embedded.jar");
    }

    private record Ended(int code, String out) {}

    @BeforeEach
    void files() throws IOException {
        output = Files.createFile(directory.resolve("out"));
    }

    private Ended run(Path jar, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                jar.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        builder.environment().put("PGSTRESS_HOME", directory.resolve("home").toString());
        builder.environment().put("PGSTRESS_TERMINAL", "false");
        Process process = builder.start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return new Ended(process.exitValue(), Files.readString(output));
    }

    /** The start-up cache takes classes in the format of Java 6 and newer, which picocli's published ones are not. */
    @Test
    void startUpCacheTakesThePicocliClasses() throws IOException {
        List<Integer> formats = new ArrayList<>();
        try (JarFile file = new JarFile(FULL.toFile())) {
            for (ZipEntry entry : file.stream().toList()) {
                if (entry.getName().matches("picocli/.*\\.class")) {
                    try (DataInputStream in = new DataInputStream(file.getInputStream(entry))) {
                        in.skipNBytes(Integer.BYTES + Short.BYTES); // magic number, minor version
                        formats.add(in.readUnsignedShort());
                    }
                }
            }
        }
        assertThat(formats).isNotEmpty().allMatch(major -> major >= 50);
    }

    private static Set<String> entries(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void slimJarIsSmallAndWithoutNativeCode() throws IOException {
        assertThat(Files.size(slim)).isLessThan(MAX_SLIM_BYTES);
        assertThat(entries(slim)).noneMatch(name -> name.matches(".*\\.(txz|so|dll|dylib|jnilib)"));
    }

    @Test
    void slimAndEmbeddedJarsAreTogetherTheWholeJar() throws IOException {
        Set<String> both = entries(slim);
        both.addAll(entries(embedded));
        assertThat(entries(FULL)).isEqualTo(both);
        assertThat(entries(embedded)).anyMatch(name -> name.startsWith("linux/amd64/libzstd-jni"));
    }

    @Test
    void slimJarSaysWhatToAddAndThenRuns() throws Exception {
        Path copy = Files.copy(slim, directory.resolve("stress-slim.jar"));
        String[] load = {"--op", "find_first", "--clients", "2", "--warmup", "0", "--duration", "200ms"};
        Ended without = run(copy, load);
        assertThat(without.code).isEqualTo(3);
        assertThat(without.out.strip())
                .contains("stress-slim.jar has no PostgreSQL server", "--url", "stress-embedded.jar");
        assertThat(without.out.strip().lines())
                .hasSize(2)
                .first()
                .asString()
                .contains("the embedded PostgreSQL starts");

        Files.copy(embedded, directory.resolve("stress-embedded.jar"));
        Ended with = run(copy, load);
        assertThat(with.out).contains("find_first on check_in").doesNotContain("errors 1");
        assertThat(with.code).as(with.out).isIn(0, 5); // so short a run need not be valid

        assertThat(run(FULL, load).out).contains("find_first on check_in");
    }

    /** What would differ between two machines; {@code release/reproducible} compares whole builds. */
    @Test
    void jarsTellNothingAboutTheMachineThatBuiltThem() throws IOException {
        String here = Path.of("").toAbsolutePath().toString();
        String home = System.getProperty("user.home");
        try (JarFile jar = new JarFile(FULL.toFile())) {
            for (ZipEntry entry : jar.stream().filter(JarsTest::isOwn).toList()) {
                try (InputStream in = jar.getInputStream(entry)) {
                    String content = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                    assertThat(content.contains(here) || (home.length() > 5 && content.contains(home)))
                            .as(entry.getName())
                            .isFalse();
                }
                if (entry.getName().startsWith("io/pgstress/")) {
                    assertThat(entry.getTimeLocal()).isEqualTo(LocalDateTime.of(2026, 11, 21, 0, 0));
                }
            }
        }
    }

    private static boolean isOwn(ZipEntry entry) {
        return !entry.isDirectory()
                && (entry.getName().startsWith("io/pgstress/")
                        || entry.getName().startsWith("META-INF/"));
    }
}
