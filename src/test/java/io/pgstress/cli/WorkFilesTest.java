package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent's copies of a test's files are its own, and do not outlive it for long. */
final class WorkFilesTest {
    @TempDir
    private Path parent;

    @Test
    void copiesArePrivateAndDeletedAtTheEnd() throws IOException {
        try (WorkFiles files = new WorkFiles(parent, Map.of("a/ops.yaml", "x: 1", "b/ops.yaml", "y: 2"))) {
            Path copy = Path.of(files.copyOf("a/ops.yaml"));
            assertThat(copy).hasContent("x: 1").hasFileName("ops.yaml");
            assertThat(Path.of(files.copyOf("b/ops.yaml"))).hasContent("y: 2").hasFileName("ops.yaml");
            assertThat(files.copyOf("another")).isEqualTo("another");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy.getParent())))
                    .isEqualTo("rwx------");
            WorkFiles.deleteAbandoned(parent);
            assertThat(copy).exists(); // this process lives
        }
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void filesOfAKilledAgentAreDeleted() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        assertThat(ended.waitFor()).isZero();
        Path left = Files.createDirectory(parent.resolve("pgstress-agent-" + ended.pid() + "-123"));
        Files.writeString(left.resolve("0.yaml"), "x: 1");
        Path foreign = Files.createDirectory(parent.resolve("pgstress-agent-other"));

        WorkFiles.deleteAbandoned(parent);
        assertThat(left).doesNotExist();
        assertThat(foreign).exists();
    }
}
