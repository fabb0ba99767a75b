package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Child;
import io.pgstress.testing.EveryJdk;
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
@EveryJdk
@Slow
final class StartTest {
    @TempDir
    private Path directory;

    /** The log of the classes that a command loads in a JVM of its own; with an archive of classes, it loads more. */
    private String loaded(String arguments) throws Exception {
        Path log = directory.resolve("classes");
        try (Child child = new Child(
                directory, Map.of("JDK_JAVA_OPTIONS", "-Xshare:off -Xlog:class+load:file=" + log), arguments)) {
            child.exit();
        }
        return Files.readString(log);
    }

    @ParameterizedTest
    @ValueSource(strings = {"import missing", "generate --help", "settings restore now"})
    void commandsThatRunNoLoadDeclareNoOptionsOfRuns(String arguments) throws Exception {
        assertThat(loaded(arguments))
                .contains("io.pgstress.cli.Main ")
                .doesNotContain(
                        "io.pgstress.plan.RunOptions ", "io.pgstress.operation.", "io.pgstress.report.Reports ");
    }

    @Test
    void versionNeedsNoCommandLineParser() throws Exception {
        assertThat(loaded("--version"))
                .contains("io.pgstress.cli.Version ")
                .doesNotContain("io.pgstress.plan.RunOptions ", "io.pgstress.operation.", "picocli.CommandLine$Model");
    }

    @Test
    void runOnOneHostLoadsNothingOfGroupsAndMetrics() throws Exception {
        String url = TestServer.freshDatabase("start");
        TestServer.table(url, "docs", 10);

        assertThat(loaded("-t docs --warmup 0 -T 200ms -P 100ms --url " + url))
                .contains("io.pgstress.runner.LocalClients ")
                .doesNotContain("org.jgroups.", "io.pgstress.fleet.", "io.micrometer.", "com.google.protobuf.");
    }
}
