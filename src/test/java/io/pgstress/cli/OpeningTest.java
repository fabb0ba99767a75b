package io.pgstress.cli;

import static io.pgstress.cli.CommandLineTest.assertOneLine;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Child;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** All commands open servers, sample data and settings by the same rules. */
@Slow
final class OpeningTest {
    private static final String SETTING = "deadlock_timeout";

    @TempDir
    private Path directory;

    private String url;

    @BeforeEach
    void makeTable() {
        url = TestServer.freshDatabase("opening");
        TestServer.table(url, "docs", 10);
    }

    private Ended on(EveryCommand command, String more) {
        return Ended.ofWords(command.with(directory, "--table docs --url " + url, more));
    }

    /** A mistake on the command line is told before anything about a server. */
    @ParameterizedTest
    @ValueSource(strings = {"import", "rehearse", "diff"})
    void aMissingDumpIsTheOnlyLine(String command) {
        assertOneLine(Ended.stress(command + " nowhere"), ExitCode.USAGE, "nowhere: no such file or directory");
    }

    /** The child processes share the embedded server of the tests. */
    @ParameterizedTest
    @EnumSource(value = EveryCommand.class, mode = Mode.EXCLUDE, names = "IMPORT")
    void embeddedServerHasItsSampleDataWithAnyTable(EveryCommand command) throws Exception {
        TestServer.execute(
                TestServer.maintenanceUrl(),
                "drop table if exists check_in, check_in_copy, orders, orders_copy, stress_progress.stress_imports, stress_progress.stress_import_chunks");
        Map<String, String> home = Map.of("PGSTRESS_HOME", TestServer.DIRECTORY.toString());

        try (Child child = new Child(directory, home, command.with(directory, "--table", "check_im"))) {
            assertThat(child.exit()).as(child.err()).isEqualTo(ExitCode.TARGET);
            String start = command == EveryCommand.EXPLAIN // the others are quiet
                    ? "stress: no server is named, so the embedded PostgreSQL starts\n"
                    : "";
            assertThat(child.err()).isEqualTo(start + "stress: there is no table check_im; did you mean 'check_in'?\n");
        }
        assertThat(TestServer.number(TestServer.maintenanceUrl(), "select count(*) from orders"))
                .isPositive();
    }

    @ParameterizedTest
    @EnumSource(value = EveryCommand.class, mode = Mode.EXCLUDE, names = "IMPORT")
    void refusesASettingWithoutEffectBeforeTheRun(EveryCommand command) {
        String server = url.replaceAll("\\?.*", "");

        Ended unknown = on(command, "--set no_such_setting=1");
        assertThat(unknown.err())
                .startsWith("stress: " + server)
                .contains(" has no setting no_such_setting: ")
                .hasLineCount(1);
        assertThat(unknown.code()).isEqualTo(ExitCode.TARGET);

        Ended atStart = on(command, "--set max_connections=10");
        assertThat(atStart.err()).startsWith("stress: setting max_connections is read only when the server starts");
        assertThat(atStart.code()).isEqualTo(ExitCode.TARGET);
    }

    @ParameterizedTest
    @EnumSource(
            value = EveryCommand.class,
            names = {"RUN", "COMPARE", "TUNE"})
    void refusesAServerSettingThatCannotBeChanged(EveryCommand command) {
        Ended ended = on(command, "--alter-system max_connections=10");

        assertThat(ended.err()).contains("max_connections", "restart").hasLineCount(1);
        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
    }

    @Test
    void explainChangesNoSettings() {
        Ended ended = on(EveryCommand.EXPLAIN, "--alter-system " + SETTING + "=77s");

        assertThat(ended.err()).startsWith("stress: --alter-system: explain changes no settings of servers");
        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
    }

    /** The operation itself revokes the privilege that restoring the setting needs. */
    @ParameterizedTest
    @EnumSource(
            value = EveryCommand.class,
            names = {"RUN", "COMPARE", "TUNE"})
    void settingThatCannotBeRestoredGivesExitCodeThree(EveryCommand command) throws Exception {
        String role = "opening" + ProcessHandle.current().pid();
        Path own = Files.writeString(
                directory.resolve("own.yaml"), "quit: {steps: [{sql: alter role " + role + " nosuperuser}]}\n");
        Path home = Files.createDirectories(directory.resolve("home"));
        TestServer.execute(
                url,
                "drop role if exists " + role,
                "create role " + role + " login superuser",
                "grant select on docs to " + role);
        String[] args = command.with(
                directory,
                "-t docs --operations %s --op quit --alter-system %s=77s".formatted(own, SETTING),
                "--url " + url.replaceFirst("user=\\w+", "user=" + role));

        try (Child child = new Child(directory, Map.of("PGSTRESS_HOME", home.toString()), args)) {
            assertThat(child.exit()).as(child.err()).isEqualTo(ExitCode.TARGET);
            assertThat(child.err()).contains(SETTING + " was not restored: ", "stress settings restore");
            assertThat(journals(home)).isEqualTo(1);
        } finally {
            TestServer.execute(url, "alter system reset " + SETTING, "select pg_reload_conf()");
            TestServer.execute(url, "drop owned by " + role, "drop role " + role);
        }
    }

    private static long journals(Path home) throws IOException {
        try (var files = Files.list(home)) {
            return files.filter(f -> f.getFileName().toString().startsWith("altered-settings"))
                    .count();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = EveryCommand.class,
            names = {"RUN", "COMPARE"})
    void refusesMoreClientsThanConnections(EveryCommand command) {
        Ended ended = command == EveryCommand.RUN
                ? on(command, "--clients 5000")
                : Ended.stress("compare --url " + url + " -t docs --vary clients=1,5000 --rounds 8 -q");

        assertThat(ended.err())
                .contains("free connections (max_connections "
                        + TestServer.text(url, "show max_connections")
                        + "), but this run needs 5005: 5000 for clients and 5 for control.")
                .hasLineCount(1);
        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
    }
}
