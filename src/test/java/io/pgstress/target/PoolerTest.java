package io.pgstress.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.RunSpec;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.settings.SettingsCheck;
import io.pgstress.testing.EveryJdk;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import io.pgstress.testing.TransactionPooler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pooler in front of the server is detected before the load, and its errors end a run. */
@EveryJdk
@Slow
final class PoolerTest {
    private static final int SESSIONS = 20;
    private static String direct;

    private TransactionPooler pooler;
    private String url;

    @BeforeAll
    static void makeTable() {
        direct = TestServer.freshDatabase("pooler");
        TestServer.table(direct, "docs", 500);
    }

    @BeforeEach
    void start() {
        pooler = new TransactionPooler(TestServer.port(), SESSIONS);
        url = pooler.through(direct);
    }

    @AfterEach
    void stop() {
        pooler.close();
    }

    private RunResult run(String operation, String mode, String... more) {
        String what = " --op " + operation + " -M " + mode;
        return Runs.run("-t docs -c 8 --warmup 0 -T 0.3 -P 0.1 --url " + url + what, more);
    }

    private static long failed(RunResult result) {
        return result.operations().values().stream().mapToLong(o -> o.failed()).sum();
    }

    @Test
    void refusesCollidingPreparedStatementsBeforeTheLoad() {
        RunSpec spec = Runs.spec("-t docs -c 8 --url " + url);
        assertThatThrownBy(() -> Target.open(spec))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("transaction pooler")
                .hasMessageContaining("S_1")
                .hasMessageContaining("--statement plain or extended");
        assertThat(TestServer.number(url, "select count(*) from pg_prepared_statements"))
                .as("names left behind")
                .isZero();
    }

    @Test
    void detectsAPoolerThatLendsSessionsInTurn() {
        pooler.rotating();
        RunSpec spec = Runs.spec("-t docs -c 8 --url " + url);
        assertThatThrownBy(() -> Target.open(spec)).hasMessageContaining("transaction pooler");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "extended"})
    void runsUnnamedStatementsWithAWarning(String mode) {
        for (String operation : List.of("find_first", "find_update", "find_insert")) {
            RunResult result = run(operation, mode);
            assertThat(failed(result)).isZero();
            assertThat(Runs.reasonsOfTheRunItself(result)).isEmpty();
            assertThat(result.warnings()).anyMatch(w -> w.code() == RemarkCode.SHARED_SESSIONS);
        }
    }

    /** The server describes its steps before each run, and the driver names statements for that. */
    @Test
    void ownOperationsLeaveNoNames(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("own.yaml"),
                "read: {parameters: {id: {id: any}}, steps: [{sql: 'select data from ${table} where _id = :id'}]}\n");
        int sessions = 7; // a prime, so that questions of some transactions each reach all of them
        pooler.close();
        pooler = new TransactionPooler(TestServer.port(), sessions).rotating();
        url = pooler.through(direct);
        for (int i = 0; i < 2; i++) {
            RunResult result = run("read", "extended", "--operations", file.toString());
            assertThat(Runs.reasonsOfTheRunItself(result)).isEmpty();
        }
        for (int i = 0; i < sessions; i++) {
            assertThat(TestServer.number(url, "select count(*) from pg_prepared_statements"))
                    .isZero();
        }
    }

    @Test
    void runsMoreClientsThanSessionsInPlainMode() {
        RunResult result = run("tpcb", "plain", "--scale 1");
        assertThat(failed(result)).isZero();
        assertThat(Runs.reasonsOfTheRunItself(result)).isEmpty();
    }

    @Test
    void acceptsAPoolerThatSupportsPreparedStatements() {
        pooler.supportingPreparedStatements();
        for (String operation : List.of("find_first", "find_update", "tpcb")) {
            RunResult result = run(operation, "prepared");
            assertThat(failed(result)).isZero();
            assertThat(Runs.reasonsOfTheRunItself(result)).isEmpty();
            assertThat(result.warnings()).anyMatch(w -> w.code() == RemarkCode.SHARED_SESSIONS);
        }
    }

    @Test
    void keptSessionsAreNotShared() {
        pooler.keepingSessions();
        Target target = Target.open(Runs.spec("-t docs -c 2 --url " + url));
        assertThat(target.first().sharesSessions()).isFalse();
        assertThat(target.first().cautions()).isEmpty();
    }

    @Test
    void sessionsOfTheServerItselfAreNotShared() {
        Target target = Target.open(Runs.spec("-t docs -c 2 --url " + direct));
        assertThat(target.first().sharesSessions()).isFalse();
    }

    @Test
    void statementInAForeignSessionEndsAnInvalidRun() throws InterruptedException {
        pooler.keepingSessions();
        RunSpec spec = Runs.spec("-t docs -c 3 --op find_update -T 60s --warmup 0s -P 100ms --url " + url);
        RunResult result = Runs.runner(spec, new RunListener() {
                    @Override
                    public void interval(IntervalResult interval) {
                        pooler.sharingSessions();
                    }
                })
                .run();
        assertThat(result.valid()).isFalse();
        assertThat(result.reasons())
                .anyMatch(w -> (w.code() == RemarkCode.ENDED_EARLY || w.code() == RemarkCode.STOPPED_EARLY)
                        && w.text().contains("max_prepared_statements"));
        assertThat(result.run().phases().get(1).seconds()).isLessThan(30);
    }

    @Test
    void controlConnectionsPrepareNoNamedStatements() throws SQLException {
        TestServer.execute(url, "prepare \"S_1\" as select 1");
        try (Connection control = TestServer.connector(url).open(SessionPurpose.CONTROL);
                PreparedStatement statement = control.prepareStatement("select ?::int")) {
            for (int i = 0; i < 10; i++) {
                statement.setInt(1, i);
                assertThat(statement.execute()).isTrue();
            }
        }
        assertThat(TestServer.number(url, "select count(*) from pg_prepared_statements"))
                .isEqualTo(1);
    }

    @Test
    void setsSettingsBySqlIfStartupOptionsAreRefused() {
        pooler.keepingSessions().refusingOptions();
        RunSpec spec = Runs.spec("-t docs -c 2 --set work_mem=7MB --url " + url);
        Target target = Target.open(spec);
        SettingsCheck.check(target, Map.of("work_mem", "7MB"));
        assertThat(target.first().cautions())
                .anyMatch(c ->
                        c.code() == RemarkCode.SETTINGS_BY_SQL && c.figures().containsValue("work_mem"));
    }

    @Test
    void refusesSettingsThatATransactionPoolerWouldLose() {
        pooler.refusingOptions();
        RunSpec spec = Runs.spec("-t docs -c 2 -M plain --set work_mem=7MB --url " + url);
        assertThatThrownBy(() -> Target.open(spec))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("work_mem")
                .hasMessageContaining("session pooling");
        assertThat(TestServer.text(url, "show work_mem")).isEqualTo("4MB");
    }
}
