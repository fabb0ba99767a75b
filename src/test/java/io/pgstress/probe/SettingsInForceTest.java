package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.probe.SettingsInForce.ServerState;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.target.driver.ReachedServer;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SettingsInForceTest {
    private static ServerState state(int port, boolean isStandby, String fsync) {
        return new ServerState(
                new ReachedServer("10.0.0.1", port, "2026-01-01", "7", isStandby), Map.of("fsync", fsync, "jit", "on"));
    }

    @Test
    void settingThatAnotherSessionChangedIsToldWithBothValues(@TempDir Path directory) throws IOException {
        String url = TestServer.emptyDatabase("settings_changed");
        Path file = Files.writeString(directory.resolve("my.yaml"), """
                mine:
                  steps: [{name: alter, sql: "alter database settings_changed set synchronous_commit = local"}]
                """);

        RunResult run =
                Runs.run("-c 1 --think 20ms --warmup 0 -T 0.1 --op mine --operations " + file + " --url " + url);

        assertThat(run.warnings())
                .contains(RemarkCode.SETTINGS_CHANGED
                        .with("server", run.servers().get(0).url())
                        .with("settings", "synchronous_commit (off, then local)")
                        .remark());
    }

    @Test
    void serverThatIsNoStandbyAnyMoreWasPromoted() {
        assertThat(state(5432, true, "on").changes("one", state(5432, false, "on")))
                .containsExactly(RemarkCode.PROMOTED.with("server", "one").remark());
        assertThat(state(5432, true, "on").changes("one", state(5432, true, "off")))
                .containsExactly(RemarkCode.SETTINGS_CHANGED
                        .with("server", "one")
                        .with("settings", "fsync (on, then off)")
                        .remark());
    }

    @Test
    void anotherServerIsNoChange() {
        assertThat(state(5432, true, "on").changes("one", state(5433, false, "off")))
                .isEmpty();
    }
}
