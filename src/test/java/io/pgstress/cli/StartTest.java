package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Child;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command starts fast because it loads only what it needs. */
@Slow
final class StartTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"--version", "import missing", "generate --help", "settings restore now"})
    void commandsThatRunNoLoadDeclareNoOptionsOfRuns(String arguments) throws Exception {
        Path log = directory.resolve("classes");
        try (Child child =
                new Child(directory, Map.of("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + log), arguments)) {
            child.exit();
        }
        assertThat(Files.readString(log))
                .contains("io.pgstress.cli.Main ")
                .doesNotContain(
                        "io.pgstress.plan.RunOptions ", "io.pgstress.operation.", "io.pgstress.report.Reports ");
    }

    @Test
    void versionNeedsNoCommandLineParser() throws Exception {
        Path log = directory.resolve("classes");
        try (Child child =
                new Child(directory, Map.of("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + log), "--version")) {
            assertThat(child.exit()).isZero();
        }
        assertThat(Files.readString(log))
                .contains("io.pgstress.cli.Version ")
                .doesNotContain("picocli.CommandLine$Model");
    }

    @Test
    void runOnOneHostLoadsNothingOfGroups() throws Exception {
        String url = TestServer.freshDatabase("start");
        TestServer.table(url, "docs", 10);
        Path log = directory.resolve("classes");
        try (Child child = new Child(
                directory,
                Map.of("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + log),
                "-t docs --warmup 0 -T 200ms -P 100ms --url " + url)) {
            child.exit();
        }
        assertThat(Files.readString(log))
                .contains("io.pgstress.runner.LocalClients ")
                .doesNotContain("org.jgroups.", "io.pgstress.fleet.", "io.pgstress.fleet.", "io.pgstress.fleet.");
    }
}
