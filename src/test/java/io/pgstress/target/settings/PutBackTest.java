package io.pgstress.target.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.target.Cluster.ClusterNode;
import io.pgstress.target.Target;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A password that is only in the URL, not in the journal. */
final class PutBackTest {
    private static final String SETTING = "checkpoint_warning";

    @TempDir
    private Path home;

    private final String url = TestServer.maintenanceUrl();
    private final Path rules = Path.of(TestServer.text(url, "show hba_file"));
    private String before = "";

    @BeforeEach
    void askForAPassword() throws IOException {
        before = Files.readString(rules);
        Files.writeString(rules, "host all guarded all scram-sha-256\n" + before);
        TestServer.execute(url, "create role guarded superuser login password 'secret'", "select pg_reload_conf()");
    }

    @AfterEach
    void forget() throws IOException {
        Files.writeString(rules, before);
        TestServer.execute(url, "alter system reset " + SETTING, "drop role guarded", "select pg_reload_conf()");
    }

    @Test
    void restoresItsOwnChangesWithTheSameConnector() throws SQLException {
        String guarded = url.replaceFirst("user=[^&]*", "user=guarded&password=secret");
        var members = ClusterNode.of(Target.open(Runs.spec("-t docs --url " + guarded)));
        AlteredSettings altered = AlteredSettings.apply(members, Map.of(SETTING, "77s"), Journal.own(home));
        assertThat(TestServer.text(url, "show " + SETTING)).isEqualTo("77s");

        altered.close();

        assertThat(altered.failures()).isEmpty();
        assertThat(TestServer.text(url, "show " + SETTING)).isEqualTo("30s");
    }
}
