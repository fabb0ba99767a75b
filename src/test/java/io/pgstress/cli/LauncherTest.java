package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.EveryJdk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The start-up cache of {@code stress}, which runs here with a shell script in place of a JVM. */
@EveryJdk
@DisabledOnOs(OS.WINDOWS)
final class LauncherTest {
    private static final String JAVA = """
        #!/bin/sh
        if [ -n "${PGSTRESS_CHECK:-}" ]; then
          [ ! -f "DIRECTORY/wrong" ] || exit 2
          exit 75
        fi
        echo "$@" >>"DIRECTORY/calls"
        for argument in "$@"; do
          case $argument in
            -XX:AOTCacheOutput=*)
              [ ! -f "DIRECTORY/hangs" ] || exec sleep 60
              [ ! -f "DIRECTORY/fails" ] || exit 3
              echo cache >"${argument#*=}"
              ;;
          esac
        done
        """;

    @TempDir
    private Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private Path caches;

    @BeforeEach
    void install() throws IOException {
        directory = directory.toRealPath();
        Files.copy(Path.of("stress"), directory.resolve("stress"));
        Files.createDirectory(directory.resolve("target"));
        Files.writeString(directory.resolve("target/stress.jar"), "jar");
        Path java = Files.createDirectories(directory.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, JAVA.replace("DIRECTORY", directory.toString()));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        version("25.0.1");
        caches = directory.resolve("cache/pgstress");
        environment.put("JAVA_HOME", directory.resolve("jdk").toString());
        environment.put("XDG_CACHE_HOME", directory.resolve("cache").toString());
        List.of("STRESS_AOT", "STRESS_JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")
                .forEach(name -> environment.put(name, ""));
    }

    @Test
    void cacheIsMadeOnceAndThenUsed() throws Exception {
        assertThat(stress("--op", "find_first")).contains("making a start-up cache");
        assertThat(calls()).hasSize(3);
        assertThat(calls().get(0))
                .contains("-XX:+UseParallelGC", "-XX:AOTCacheOutput=")
                .endsWith(" train");
        assertThat(calls().get(1)).contains("-XX:AOTMode=on").endsWith(" --version");
        assertThat(calls().get(2)).contains("-XX:AOTCache=" + caches).endsWith(" --op find_first");
        assertThat(stress("import", "dump")).isEmpty();
        assertThat(last()).contains("-XX:AOTCache=").endsWith(" import dump");
        assertThat(files()).hasSize(4).allMatch(name -> name.matches("stress-\\d+\\.(aot|key|log|sum)"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(caches)))
                .isEqualTo("rwx------");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--version",
                "compare --help",
                "help compare",
                "-?",
                "version",
                "report result.json",
                "completion bash",
                "suggest dump",
                "agent --listen 127.0.0.1"
            })
    void commandsWithoutLoadMakeNoCache(String arguments) throws Exception {
        assertThat(stress(arguments.split(" "))).isEmpty();
        assertThat(calls()).hasSize(1);
        assertThat(last()).doesNotContain("AOT").endsWith(arguments);
    }

    @Test
    void launchersKnowTheSameCommandsWithoutLoad() throws IOException {
        Set<String> words = words("stress", "\n +(agent [^)]+)\\) return 1", " \\| ");
        assertThat(words).contains("report", "--version");
        assertThat(words("stress.cmd", "for %%A in \\(([^)]+)\\)", " ")).isEqualTo(words);
    }

    /** Those without the name of a file. */
    @Test
    void launchersSayTheSame() throws IOException {
        List<String> said = Pattern.compile("echo stress: ([^%\\r\\n]+) 1>&2")
                .matcher(Files.readString(Path.of("stress.cmd")))
                .results()
                .map(line -> line.group(1))
                .toList();

        assertThat(said).hasSizeGreaterThan(3);
        assertThat(Files.readString(Path.of("stress"))).contains(said);
    }

    @Test
    void launcherOfWindowsHasTheLineEndsThatItsLabelsNeed() throws IOException {
        assertThat(Files.readString(Path.of("stress.cmd"))).doesNotContainPattern("[^\r]\n");
    }

    /** The words of a launcher's text that has this form. */
    private static Set<String> words(String launcher, String form, String separator) throws IOException {
        Matcher found = Pattern.compile(form).matcher(Files.readString(Path.of(launcher)));
        assertThat(found.find()).isTrue();
        return new TreeSet<>(List.of(found.group(1).split(separator)));
    }

    @Test
    void wrongUsageMakesNoCache() throws Exception {
        Files.createFile(directory.resolve("wrong"));
        Process process = start("--cleints", "8");
        assertThat(process.getInputStream().readAllBytes()).isEmpty();
        assertThat(process.waitFor()).isEqualTo(ExitCode.USAGE);
        assertThat(caches).doesNotExist();
        assertThat(directory.resolve("calls")).doesNotExist();
    }

    @Test
    void anotherJarOrJdkGetsANewCache() throws Exception {
        stress();
        Files.writeString(directory.resolve("target/stress.jar"), "another jar");
        stress("--version");
        assertThat(last()).as("the old cache is not used").doesNotContain("AOT");
        assertThat(stress()).contains("making a start-up cache");
        version("25.0.2");
        assertThat(stress()).contains("making a start-up cache");
        assertThat(stress()).isEmpty();
        assertThat(files()).as("the old ones are replaced").hasSize(4);
    }

    @Test
    void anotherCollectorHasACacheOfItsOwn() throws Exception {
        stress();
        environment.put("STRESS_JAVA_OPTS", "-Xmx1g -XX:+UseZGC");
        assertThat(stress()).contains("making a start-up cache");
        assertThat(calls().get(3)).startsWith("-XX:+UseZGC ").doesNotContain("Parallel", "-Xmx1g");
        assertThat(last()).contains("-XX:+UseZGC", "-Xmx1g").doesNotContain("Parallel");
        environment.put("STRESS_JAVA_OPTS", "");
        assertThat(stress()).isEmpty();
        assertThat(files()).hasSize(8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"STRESS_AOT=off", "STRESS_JAVA_OPTS=-XX:AOTCache=mine", "XDG_CACHE_HOME=/dev/null"})
    void noCacheIsMadeIfItCannotBeOrMustNotBe(String variable) throws Exception {
        String[] parts = variable.split("=", 2);
        environment.put(parts[0], parts[1]);
        assertThat(stress()).isEmpty();
        assertThat(calls()).hasSize(1);
        assertThat(last()).doesNotContain("-XX:AOTCache=/");
    }

    @Test
    void noHomeDirectoryIsNoError() throws Exception {
        environment.put("XDG_CACHE_HOME", "");
        environment.put("HOME", "");
        assertThat(stress()).isEmpty();
        assertThat(last()).doesNotContain("AOT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"17.0.15", "24.0.2"})
    void oldJdksHaveNoCache(String version) throws Exception {
        version(version);
        assertThat(stress()).isEmpty();
        assertThat(last()).doesNotContain("AOT");
    }

    @Test
    void failureToMakeACacheIsNoErrorAndIsNotRepeated() throws Exception {
        Files.createFile(directory.resolve("fails"));
        assertThat(stress()).contains("no start-up cache");
        assertThat(last()).doesNotContain("AOT");
        assertThat(stress()).isEmpty();
        assertThat(calls()).hasSize(3);
        assertThat(files()).hasSize(2).noneMatch(name -> name.endsWith(".aot"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cachf\n", "cac", ""})
    void damagedCacheIsNotUsedAndIsReplaced(String content) throws Exception {
        stress();
        Path cache = caches.resolve(file(".aot"));
        Files.writeString(cache, content);

        assertThat(stress("--version")).isEmpty();
        assertThat(last()).doesNotContain("AOT");
        assertThat(stress()).contains("making a start-up cache");
        assertThat(last()).contains("-XX:AOTCache=" + cache);
    }

    @ParameterizedTest
    @ValueSource(strings = {".aot", ".sum"})
    void cacheWithAMissingFileIsNotUsed(String end) throws Exception {
        stress();
        Files.delete(caches.resolve(file(end)));
        assertThat(stress("--version")).isEmpty();
        assertThat(last()).doesNotContain("AOT");

        assertThat(stress()).as("a load").contains("making a start-up cache");
        assertThat(last()).contains("-XX:AOTCache=");
    }

    @Test
    void onlyOneOfTwoCommandsMakesTheCache() throws Exception {
        Files.createFile(directory.resolve("hangs"));
        Process first = start();
        awaitCalls(1);
        assertThat(stress()).as("the second command does without it").isEmpty();
        assertThat(last()).doesNotContain("AOT");

        first.toHandle().destroy(); // SIGTERM, during the training
        assertThat(first.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(first.exitValue()).isEqualTo(ExitCode.TERMINATED);
        assertThat(files()).as("only the log remains").hasSize(1);

        Files.delete(directory.resolve("hangs"));
        assertThat(stress()).contains("making a start-up cache");
        assertThat(last()).contains("-XX:AOTCache=");
    }

    @Test
    void buildOfTheJarSaysWhatItDoes() throws Exception {
        Path jar = directory.resolve("target/stress.jar");
        Files.delete(jar);
        environment.put("STRESS_AOT", "off");
        maven("echo jar >" + jar);

        assertThat(stress("version").lines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("stress: building " + jar.toRealPath()),
                        line -> assertThat(line).matches("stress: building, \\d+ s: preparing .*"),
                        line -> assertThat(line).matches("stress: building, \\d+ s: compiling"));
        assertThat(last()).endsWith(" version");
    }

    @Test
    void buildThatFailsShowsWhyAndRunsNothing() throws Exception {
        Files.delete(directory.resolve("target/stress.jar"));
        maven("echo '[ERROR] no compiler'; exit 1");

        Process process = start("version");
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .endsWith(": compiling\n[ERROR] no compiler\nstress: the build failed\n");
        assertThat(process.waitFor()).isEqualTo(ExitCode.TARGET);
        assertThat(directory.resolve("calls")).doesNotExist();
    }

    /** A Maven that begins two goals and then does this. */
    private void maven(String end) throws IOException {
        Path bin = Files.createDirectory(directory.resolve("bin"));
        Path maven = Files.writeString(bin.resolve("mvn"), """
                #!/bin/sh
                echo '[INFO] Scanning for projects...'
                echo '[INFO] --- resources:3.3.1:resources (default-resources) @ stress ---'
                echo '[INFO] --- maven-compiler-plugin:3.14.0:compile (default-compile) @ stress ---'
                """ + end + "\n");
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
        environment.put("PATH", bin + ":" + System.getenv("PATH"));
    }

    @Test
    void lockOfADeadProcessIsTakenOver() throws Exception {
        stress();
        Path lock = Files.createDirectory(caches.resolve(file(".aot").replace(".aot", ".lock")));
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Files.writeString(lock.resolve("pid"), Long.toString(dead.pid()));
        version("25.0.2");
        assertThat(stress()).contains("making a start-up cache");
        assertThat(lock).doesNotExist();
    }

    @Test
    void everyLineOfTheTrainingParses() {
        assertThat(TrainCommand.lines()).hasSizeGreaterThan(10).allSatisfy(line -> {
            String[] arguments = line.split(" ");
            Commands.of(new Streams(System.out, System.err), List.of(arguments)).parseArgs(arguments);
        });
    }

    private void version(String version) throws IOException {
        Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"" + version + "\"\n");
    }

    /** Runs the launcher to its end, and returns what it printed. */
    private String stress(String... arguments) throws Exception {
        Process process = start(arguments);
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }

    private Process start(String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Stream.concat(Stream.of(directory.resolve("stress").toString()), Stream.of(arguments))
                        .toList());
        builder.environment().putAll(environment);
        return builder.redirectErrorStream(true).start();
    }

    private void awaitCalls(int count) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!Files.exists(directory.resolve("calls")) || calls().size() < count) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    /** The arguments of each call of the JVM. */
    private List<String> calls() throws IOException {
        return Files.readAllLines(directory.resolve("calls"));
    }

    private String last() throws IOException {
        return calls().get(calls().size() - 1);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(caches)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private String file(String end) throws IOException {
        return files().stream().filter(name -> name.endsWith(end)).findFirst().orElseThrow();
    }
}
