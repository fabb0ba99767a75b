package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.Endpoint;
import io.pgstress.target.Cluster.ClusterNode;
import io.pgstress.target.Target;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.settings.AlteredSettings;
import io.pgstress.target.settings.Journal;
import io.pgstress.testing.Child;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --alter-system}: settings are changed for a run and restored, however the run ends. */
@Slow
final class AlteredSettingsTest {
    private static final String SETTING = "checkpoint_warning";
    private static String url;

    @TempDir
    private Path home;

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("altered");
        TestServer.table(url, "docs", 100);
    }

    @AfterEach
    void forget() {
        TestServer.execute(url, "alter system reset " + SETTING, "select pg_reload_conf()");
    }

    private static List<ClusterNode> members() throws SQLException {
        return ClusterNode.of(Target.open(Runs.spec("-t docs --url " + url)));
    }

    private static String shown() {
        return TestServer.text(url, "select current_setting('" + SETTING + "')");
    }

    private static String altered() {
        return TestServer.text(
                url,
                "select coalesce(max(setting), 'none') from pg_file_settings where name = '" + SETTING
                        + "' and sourcefile like '%auto.conf'");
    }

    private boolean journalIsEmpty() throws IOException {
        try (var files = Files.list(home)) {
            return files.noneMatch(f -> f.getFileName().toString().startsWith("altered-settings"));
        }
    }

    @Test
    void settingIsInForceUntilClosed() throws SQLException, IOException {
        try (AlteredSettings open = AlteredSettings.apply(members(), Map.of(SETTING, "77s"), Journal.own(home))) {
            assertThat(open.failures()).isEmpty();
            assertThat(shown()).isEqualTo("77s");
            assertThat(journalIsEmpty()).isFalse();
        }
        assertThat(shown()).isEqualTo("30s");
        assertThat(altered()).isEqualTo("none");
        assertThat(journalIsEmpty()).isTrue();
    }

    /** As after a full disk, or a crash in the middle of a line. */
    @Test
    void aLineThatWasCutOffHidesNoOther() throws SQLException, IOException {
        Journal journal = Journal.own(home);
        Files.writeString(journal.file(), "{\"url\":\"jdbc:postg");
        AlteredSettings.apply(members(), Map.of(SETTING, "77s"), journal);
        assertThat(shown()).isEqualTo("77s");

        List<String> failed = new ArrayList<>();
        assertThat(AlteredSettings.restore(Journal.own(home), failed)).hasSize(1);
        assertThat(failed).isEmpty();
        assertThat(shown()).isEqualTo("30s");
    }

    @Test
    void restoresAnEarlierAlteredValue() throws SQLException {
        TestServer.execute(url, "alter system set " + SETTING + " = '45s'", "select pg_reload_conf()");

        AlteredSettings.apply(members(), Map.of(SETTING, "77s"), Journal.own(home))
                .close();

        assertThat(altered()).isEqualTo("45s");
    }

    @Test
    void valueThatAnotherSessionSetMeanwhileIsLeftAndTold() throws SQLException, IOException {
        AlteredSettings open = AlteredSettings.apply(members(), Map.of(SETTING, "77s"), Journal.own(home));
        TestServer.execute(url, "alter system set " + SETTING + " = '45s'", "select pg_reload_conf()");

        open.close();

        assertThat(altered()).isEqualTo("45s");
        assertThat(open.failures()).isEmpty();
        assertThat(open.taken()).singleElement().asString().contains(SETTING, "was set to 45s by another session");
        assertThat(journalIsEmpty()).isTrue();
    }

    @Test
    void refusesASettingThatCannotBeAlteredBeforeAnyChange() throws SQLException, IOException {
        List<ClusterNode> members = members();
        Journal journal = Journal.own(home);

        assertThatThrownBy(() -> AlteredSettings.apply(members, Map.of("max_connections", "10"), journal))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("restart");
        assertThatThrownBy(() -> AlteredSettings.apply(members, Map.of("no_such_setting", "1"), journal))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("has no setting no_such_setting");
        assertThatThrownBy(() -> AlteredSettings.apply(members, Map.of(SETTING, "much"), journal))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("22023");
        assertThat(altered()).isEqualTo("none");
        assertThat(journalIsEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-c 1", "tune --max-clients 2 --warmup 100ms"})
    void terminatedCommandRestoresSettings(String line) throws Exception {
        try (Child command = run(line)) {
            command.signal("TERM");

            assertThat(command.exit()).as(command.err()).isEqualTo(143);
        }
        assertThat(shown()).isEqualTo("30s");
        assertThat(journalIsEmpty()).isTrue();
    }

    /** Each killed run leaves a journal, without secrets; undone in another order, the first run's value would stay in force. */
    @Test
    void restoreUndoesTheLastKilledRunFirst() throws Exception {
        for (String value : List.of("77s", "78s")) {
            run(value, "-c 1").kill();
            assertThat(shown()).isEqualTo(value);
        }
        List<Journal> journals = Journal.leftBehind(home);
        assertThat(journals).hasSize(2).allSatisfy(journal -> {
            assertThat(journal.concerns(List.of(new Endpoint(url, 0)))).isTrue();
            assertThat(journal.concerns(List.of(new Endpoint("jdbc:postgresql://localhost:1/x", 0))))
                    .isFalse();
            assertThat(journal.file()).content().contains(SETTING).doesNotContain("sesame");
        });

        try (Child restore = stress("settings restore")) {
            assertThat(restore.exit()).as(restore.err()).isZero();
            assertThat(restore.out()).endsWith(": " + SETTING + " is 30s\n1 setting restored\n");
        }
        assertThat(altered()).isEqualTo("none");
        assertThat(journalIsEmpty()).isTrue();
    }

    @Test
    void settingsThatWereResetByHandAreNoLongerTold() throws Exception {
        for (String value : List.of("77s", "78s")) {
            run(value, "-c 1").kill();
        }
        String explain = "explain -t docs --op find_first --url " + url;
        TestServer.execute(url, "alter system reset " + SETTING);
        try (Child told = stress(explain)) {
            assertThat(told.exit()).as(told.err()).isZero();
            assertThat(told.err()).as("the server has not read it").contains("a killed run left altered settings");
        }
        TestServer.reload("current_setting('" + SETTING + "') = '30s'");

        try (Child told = stress(explain)) {
            assertThat(told.exit()).as(told.err()).isZero();
            assertThat(told.err()).doesNotContain("altered settings");
        }
        assertThat(journalIsEmpty()).isTrue();
    }

    /** A run in progress that has altered the setting. */
    private Child run(String line) throws IOException, InterruptedException {
        return run("77s", line);
    }

    private Child run(String value, String line) throws IOException, InterruptedException {
        String altered =
                " -t docs -T 60 -q --alter-system %s=%s --url %s&password=sesame".formatted(SETTING, value, url);
        Child run = stress(line + altered);
        run.await(() -> shown().equals(value));
        assertThat(shown()).as(run.err()).isEqualTo(value);
        return run;
    }

    private Child stress(String line) throws IOException {
        return new Child(home, Map.of("PGSTRESS_HOME", home.toString()), line);
    }
}
