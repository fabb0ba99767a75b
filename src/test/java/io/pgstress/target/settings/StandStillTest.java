package io.pgstress.target.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.target.Cluster.ClusterNode;
import io.pgstress.target.Target;
import io.pgstress.testing.CountingProxy;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that hangs when its settings are to be restored. */
@Slow
final class StandStillTest {
    private static final String SETTING = "checkpoint_warning";

    @TempDir
    private Path home;

    private final String url = TestServer.maintenanceUrl();

    @AfterEach
    void forget() {
        TestServer.execute(
                url, "alter system reset " + SETTING, "alter system reset log_temp_files", "select pg_reload_conf()");
    }

    @Test
    void abandonsAndReportsAHangingServerAndRestoresItLater() throws Exception {
        String port = String.valueOf(URI.create(url.substring("jdbc:".length())).getPort());
        try (CountingProxy proxy = new CountingProxy(Integer.parseInt(port))) {
            String through = url.replace(":" + port, ":" + proxy.port());
            Journal journal = Journal.own(home);
            AlteredSettings altered = AlteredSettings.apply(
                    ClusterNode.of(Target.open(Runs.spec("-t docs --url " + through))),
                    Map.of(SETTING, "77s", "log_temp_files", "7"),
                    journal,
                    1);
            proxy.standStill();

            altered.close();

            assertThat(altered.failures())
                    .hasSize(2)
                    .allMatch(line -> line.contains("stress settings restore") && line.contains(":" + proxy.port()))
                    .anyMatch(line -> line.contains("no answer within 1 s"))
                    .anyMatch(line -> line.contains("there: alter system reset " + SETTING));
            assertThat(TestServer.text(url, "show " + SETTING)).isEqualTo("77s");
            Files.writeString(journal.file(), Files.readString(journal.file()).replace(":" + proxy.port(), ":" + port));
        }
        List<String> failed = new ArrayList<>();
        assertThat(AlteredSettings.restore(Journal.own(home), failed)).hasSize(2);
        assertThat(failed).isEmpty();
        assertThat(TestServer.text(url, "show " + SETTING)).isEqualTo("30s");
    }

    @Test
    void severalHangingServersTakeTheTimeOfOne() throws SQLException {
        String port = String.valueOf(URI.create(url.substring("jdbc:".length())).getPort());
        try (CountingProxy one = new CountingProxy(Integer.parseInt(port));
                CountingProxy other = new CountingProxy(Integer.parseInt(port))) {
            String first = url.replace(":" + port, ":" + one.port());
            String second = url.replace(":" + port, ":" + other.port());
            AlteredSettings altered = AlteredSettings.apply(
                    ClusterNode.of(Target.open(Runs.spec("-t docs --url " + first + " --url " + second))),
                    Map.of(SETTING, "77s"),
                    Journal.own(home),
                    3);
            one.standStill();
            other.standStill();

            long start = System.nanoTime();
            altered.close();

            assertThat(altered.failures())
                    .hasSize(2)
                    .allMatch(line -> line.contains("no answer within 3 s"))
                    .anyMatch(line -> line.contains(":" + one.port()))
                    .anyMatch(line -> line.contains(":" + other.port()));
            assertThat((System.nanoTime() - start) / 1e9).isBetween(2.5, 5.5);
        }
    }
}
