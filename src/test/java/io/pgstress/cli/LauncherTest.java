package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The shell script {@code stress}, with a JDK that prints its arguments. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
    @TempDir
    private Path home;

    @BeforeEach
    void install() throws IOException {
        Files.copy(Path.of("stress"), home.resolve("stress"));
        Files.createDirectories(home.resolve("target"));
        Files.createFile(home.resolve("target/stress.jar"));
        Path java = home.resolve("jdk/bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    private List<String> started(String javaOptions) throws IOException, InterruptedException {
        File out = home.resolve("out").toFile();
        ProcessBuilder builder = new ProcessBuilder("sh", home.resolve("stress").toString(), "--op", "find first")
                .redirectErrorStream(true)
                .redirectOutput(out);
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());
        builder.environment().put("STRESS_JAVA_OPTS", javaOptions);
        assertThat(builder.start().waitFor()).isZero();
        return Files.readAllLines(out.toPath(), StandardCharsets.UTF_8);
    }

    private String jar() throws IOException {
        return home.toRealPath().resolve("target/stress.jar").toString();
    }

    @Test
    void parallelCollectorIsTheDefault() throws IOException, InterruptedException {
        assertThat(started("-Xmx64m -XX:+UseStringDeduplication"))
                .containsExactly(
                        "-XX:+UseParallelGC",
                        "-XX:MaxRAMPercentage=25",
                        "-Xmx64m",
                        "-XX:+UseStringDeduplication",
                        "-jar",
                        jar(),
                        "--op",
                        "find first");
    }

    @Test
    void collectorOfTheUserReplacesTheDefault() throws IOException, InterruptedException {
        assertThat(started("-XX:+UseSerialGC -Xmx64m"))
                .contains("-XX:+UseSerialGC")
                .doesNotContain("-XX:+UseParallelGC");
        assertThat(started("-XX:+UseZGC")).doesNotContain("-XX:+UseParallelGC");
    }
}
