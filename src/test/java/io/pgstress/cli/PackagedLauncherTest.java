package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.EveryJdk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code stress} in a package, with a shell script in place of its JVM. {@code release/test} tries real packages. */
@EveryJdk
@DisabledOnOs(OS.WINDOWS)
final class PackagedLauncherTest {
    private static final String JAVA = """
            #!/bin/sh
            [ -z "${PGSTRESS_CHECK:-}" ] || exit 75
            for argument in "$@"; do
              case $argument in
                -XX:AOTCacheOutput=*) echo cache >"${argument#*=}" ;;
              esac
              printf '<%s>' "$argument"
            done
            echo
            """;

    @TempDir
    private Path directory;

    private Path installed;
    private final Map<String, String> environment = new TreeMap<>();

    @BeforeEach
    void install() throws IOException {
        directory = directory.toRealPath();
        installed = directory.resolve("with a space/stress");
        Files.createDirectories(installed.resolve("bin"));
        Files.copy(Path.of("stress"), installed.resolve("bin/stress"));
        Files.createDirectories(installed.resolve("lib"));
        Files.writeString(installed.resolve("lib/stress.jar"), "jar");
        Files.writeString(installed.resolve("lib/stress.aot"), "cache");
        Path java = Files.createDirectories(installed.resolve("runtime/bin")).resolve("java");
        Files.writeString(java, JAVA);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(installed.resolve("runtime/release"), "JAVA_VERSION=\"25.0.1\"\n");
        environment.put("JAVA_HOME", directory.resolve("no such JDK").toString());
        environment.put("XDG_CACHE_HOME", directory.resolve("cache").toString());
        List.of("STRESS_AOT", "STRESS_JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")
                .forEach(name -> environment.put(name, ""));
    }

    @Test
    void itsOwnRuntimeRunsItsOwnJarWithItsOwnCache() throws Exception {
        assertThat(stress(installed.resolve("bin/stress"), "--op", "find_first"))
                .contains("<-XX:AOTCache=" + installed.resolve("lib/stress.aot") + ">")
                .contains("<-XX:+UseParallelGC><-XX:+UseCompressedOops><-XX:MaxRAMPercentage=25>")
                .endsWith("<-jar><" + installed.resolve("lib/stress.jar") + "><--op><find_first>\n");
        assertThat(directory.resolve("cache")).as("nothing is written").doesNotExist();
    }

    @Test
    void linksToTheLauncherFindThePackage() throws Exception {
        Path link = Files.createDirectory(directory.resolve("bin")).resolve("stress");
        Files.createSymbolicLink(link, Path.of("../with a space/stress/bin/stress"));
        Path second = Files.createSymbolicLink(directory.resolve("load"), link);
        assertThat(stress(second, "--version"))
                .endsWith("<-jar><" + installed.resolve("lib/stress.jar") + "><--version>\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"STRESS_AOT=off", "STRESS_JAVA_OPTS=-Xshare:off", "JDK_JAVA_OPTIONS=-XX:AOTMode=off"})
    void theCacheIsNotUsedIfTheUserSaysSo(String variable) throws Exception {
        String[] parts = variable.split("=", 2);
        environment.put(parts[0], parts[1]);
        assertThat(stress(installed.resolve("bin/stress"), "--op", "find_first"))
                .doesNotContain("-XX:AOTCache=", "CompressedOops");
    }

    @Test
    void heapOfTheUserIsNotLimited() throws Exception {
        environment.put("STRESS_JAVA_OPTS", "-Xmx40g");
        assertThat(stress(installed.resolve("bin/stress")))
                .contains("-XX:AOTCache=", "<-Xmx40g>")
                .doesNotContain("CompressedOops");
    }

    @Test
    void anotherCollectorHasACacheOfItsOwn() throws Exception {
        environment.put("STRESS_JAVA_OPTS", "-XX:+UseZGC");
        assertThat(stress(installed.resolve("bin/stress")))
                .contains("making a start-up cache", "<-XX:AOTCache=" + directory.resolve("cache/pgstress"))
                .doesNotContain("Parallel", "CompressedOops");
    }

    @Test
    void theProgramKnowsHowItWasCalled() throws Exception {
        Path java = installed.resolve("runtime/bin/java");
        Files.writeString(java, "#!/bin/sh\necho \"$PGSTRESS_COMMAND\"\n");
        Path launcher = installed.resolve("bin/stress");
        assertThat(stress(launcher)).isEqualTo(launcher + "\n");
        environment.put("PATH", installed.resolve("bin") + ":" + System.getenv("PATH"));
        assertThat(stress(launcher)).isEqualTo("stress\n");
    }

    static Stream<Path> scripts() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("release"))) {
            return files
                    .filter(file -> Files.isRegularFile(file)
                            && !file.getFileName().toString().contains("."))
                    .filter(PackagedLauncherTest::isScript)
                    .toList()
                    .stream();
        }
    }

    /** A script is cheap to break, and seldom run. */
    @ParameterizedTest
    @MethodSource("scripts")
    void scriptsThatMakePackagesParse(Path script) throws Exception {
        assertThat(run(new ProcessBuilder("bash", "-n", script.toString()))).isEmpty();
    }

    private static boolean isScript(Path file) {
        try {
            String text = Files.readString(file);
            return text.startsWith("#!") || text.startsWith("# shellcheck");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String stress(Path command, String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(Stream.of(command.toString()), Stream.of(arguments))
                .toList());
        builder.environment().putAll(environment);
        return run(builder);
    }

    private static String run(ProcessBuilder builder) throws Exception {
        Process process = builder.redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }
}
