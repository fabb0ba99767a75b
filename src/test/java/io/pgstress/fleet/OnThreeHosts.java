package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.HostResult;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Tests on the three {@linkplain ThreeAgents#shared() shared} agents, with a database of their own. */
abstract class OnThreeHosts {
    static String url;
    static ThreeAgents fleet;

    @TempDir
    static Path directory;

    @BeforeAll
    static void open() {
        url = TestServer.freshDatabase("fleet");
        fleet = ThreeAgents.shared();
    }

    /** Options of a load on a table of the database. */
    static String[] on(String table, String options) {
        return Runs.words("-t " + table + " --url " + url, options);
    }

    /** Runs a load on a table, without losing a host. */
    static RunResult run(String table, String options) throws IOException {
        RunResult result = fleet.run(on(table, options));
        assertThat(result.hosts()).extracting(HostResult::name).containsExactly("h1", "h2", "h3");
        assertThat(result.hosts()).noneMatch(HostResult::wasLost);
        return result;
    }
}
