package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.file.ResultFile;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Block;
import io.pgstress.testing.Child;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Several clusters of each build that {@code compare} varies. */
@Slow
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "signals are sent by kill")
final class StartedClustersTest {
    private static final String OPTIONS = " --op find_first -c 1 --warmup 20ms -T 200ms -P 100ms ";

    @TempDir
    private Path directory;

    private static String bin() {
        TestServer.port(); // which unpacks the programs
        return TestServer.DIRECTORY
                .resolve("postgresql-18")
                .resolve("PG-18")
                .resolve("bin")
                .toString();
    }

    private static void assertNothingIsLeft(Path home) throws IOException {
        try (Stream<Path> left = Files.list(home.resolve("temporary"))) {
            assertThat(left).isEmpty();
        }
    }

    /** The servers of the clusters, each with its data directory. */
    private static long clusters(Path home) throws IOException {
        try (Stream<Path> all = Files.list(home.resolve("temporary"))) {
            return all.filter(each -> Files.exists(each.resolve("data").resolve("postmaster.pid")))
                    .count();
        }
    }

    @Test
    void eachVariantRunsOnSeveralClustersAndAnInterruptedComparisonRemovesThem() throws Exception {
        Path home = directory.resolve("home");
        Path json = directory.resolve("found.json");
        String command = "compare --vary server=%1$s,%1$s --clusters 2".formatted(bin()) + OPTIONS;
        Map<String, String> environment = Map.of("PGSTRESS_HOME", home.toString());
        try (Child child = new Child(directory, environment, command + "--rounds 10000 --json " + json)) {
            child.awaitErr("round 4:");
            assertThat(clusters(home)).isEqualTo(4);
            child.signal("INT");
            child.exit();
            assertThat(child.err()).doesNotContain("embedded");
        }
        assertNothingIsLeft(home);
        Comparison found = (Comparison) ResultFile.read(json);
        assertThat(found.clusters()).isEqualTo(2);
        assertThat(found.blocks()).extracting(Block::cluster).containsOnly(1, 2);
        assertThat(found.servers()).hasSize(2);
        assertThat(found.effects()).isNotEmpty();
    }

    @Test
    void dryRunCountsTheServers() {
        Ended ended = stress(
                "compare --dry-run --vary server=%1$s,%1$s --clusters 4 --spread 5%%".formatted(bin()) + OPTIONS);

        assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.DONE);
        assertThat(ended.out()).contains("4 clusters", "8 servers");
    }
}
