package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.operation.TableCheck;
import io.pgstress.probe.PostRunChecks.TimedChecks;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The checks of the tables after a load, on a slow server. */
@Slow
final class PostRunChecksTest {
    private static final String RUNNING = "select count(*) from pg_stat_activity where state = 'active'"
            + " and application_name = 'pgstress control' and query like 'select pg_sleep%'";

    private static final Remark ALL_THERE = RemarkCode.COUNTS_AGREE
            .with("check", "rows")
            .with("found", 1L)
            .with("acknowledged", 1L)
            .remark();

    private final List<String> told = new ArrayList<>();
    private String url;

    @BeforeEach
    void makeDatabase() {
        url = TestServer.freshDatabase("last_look");
    }

    private TimedChecks look(int checkSeconds, boolean stopRequested) {
        TableCheck.Query check = control -> {
            try (Statement statement = control.createStatement()) {
                statement.execute("select pg_sleep(" + checkSeconds + ")");
                return List.of(ALL_THERE);
            }
        };
        return new TimedChecks(
                List.of(check),
                TestServer.connector(url),
                (phase, seconds) -> told.add(phase.label() + " " + seconds),
                () -> stopRequested);
    }

    @Test
    void cancelsAndReportsASlowCheck() throws InterruptedException {
        assertThat(look(60, false).run(1))
                .containsExactly(
                        RemarkCode.CHECKS_TOO_SLOW.with("limitSeconds", 1L).remark());

        assertThat(TestServer.number(url, RUNNING)).isZero();
        assertThat(told).isEmpty();
    }

    /** Neither a smaller table nor a faster server would help. */
    @Test
    void namesTheLockThatACheckWaitsFor() throws Exception {
        TestServer.table(url, "docs", 3);
        TableCheck.Query count = control -> {
            try (Statement statement = control.createStatement()) {
                statement.execute("select count(*) from docs");
                return List.of(ALL_THERE);
            }
        };
        TimedChecks checks =
                new TimedChecks(List.of(count), TestServer.connector(url), (phase, seconds) -> {}, () -> false);
        try (Connection holder = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("set application_name = 'nightly_report'");
            statement.execute("lock table docs");

            assertThat(checks.run(1))
                    .containsExactly(RemarkCode.CHECKS_BLOCKED
                            .with("limitSeconds", 1L)
                            .with("lock", "Lock:relation")
                            .with("holder", "session nightly_report")
                            .remark());
        }
    }

    @Test
    void announcesALongCheck() throws InterruptedException {
        assertThat(look(3, true).run(TimedChecks.MAX_SECONDS)).containsExactly(ALL_THERE);

        assertThat(told).hasSize(1).allMatch(phase -> phase.startsWith("check "));
    }

    @Test
    void reportsACheckThatFails() throws InterruptedException {
        TableCheck.Query check = control -> {
            throw new IllegalStateException("no number");
        };
        TimedChecks checks =
                new TimedChecks(List.of(check), TestServer.connector(url), (phase, seconds) -> {}, () -> false);

        assertThat(checks.run(TimedChecks.MAX_SECONDS))
                .containsExactly(RemarkCode.CHECKS_REFUSED
                        .with("error", "java.lang.IllegalStateException: no number")
                        .remark());
    }
}
