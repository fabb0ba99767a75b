package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.report.Reports;
import io.pgstress.report.ReportsTest;
import io.pgstress.result.Explained.SlowStatement;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import io.pgstress.runner.Runner;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.statement.SlowPlans;
import io.pgstress.testing.ResultSchema;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plans of slow statements, as auto_explain of a real server reports them. */
final class SlowStatementsTest {
    @TempDir
    private Path directory;

    /** Runs an operation whose first two statements sleep for long, and then each hundredth, a little longer each time. */
    private RunResult run(String url) throws InterruptedException, IOException {
        Path file = Files.writeString(directory.resolve("own.yaml"), """
            nap:
              parameters:
                n: {sequence: 1}
              steps:
                - name: nap
                  sql: >-
                    select count(*) from (select pg_sleep(
                    case when :n <= 2 then 0.6 when :n % 100 = 0 then :n / 10000.0 else 0 end)) nap
            """);
        Runner runner = Runs.runner(
                Runs.spec("--op nap -c 2 --warmup 1.2 -P 0.3 -T 1.5 --explain-slow --operations " + file + " --url "
                        + url),
                new RunListener() {});
        return runner.run();
    }

    @Test
    void slowestStatementsHaveTheirPlans() throws InterruptedException, IOException {
        RunResult result = run(TestServer.freshDatabase("slow"));

        List<SlowStatement> slowest =
                Objects.requireNonNull(result.serverProfile().explained().slowest());
        assertThat(slowest)
                .as("the end of the warm-up decides what is slow, not its beginning")
                .hasSizeBetween(1, 5)
                .allMatch(slow -> slow.micros() > 10_000 && slow.micros() < 600_000);
        assertThat(slowest.get(0).plan())
                .anyMatch(line -> line.contains("pg_sleep"))
                .anyMatch(line -> line.contains("Aggregate"));
        assertThat(new ResultSchema().problems(ReportsTest.text(Reports.JSON, result)))
                .isEmpty();
    }

    @Test
    void thresholdOutlivesTheFailureOfTheNextTransaction() throws SQLException {
        SlowPlans plans = new SlowPlans();
        SlowPlans.Session session = plans.new Session();
        try (Connection connection =
                TestServer.connector(TestServer.maintenanceUrl()).open(SessionPurpose.LOAD)) {
            session.open(connection);
            connection.setAutoCommit(false);
            plans.setMinMillis(7);
            session.follow(connection);
            connection.rollback();

            assertThat(ControlSql.text(connection, "show auto_explain.log_min_duration"))
                    .contains("7ms");
        }
    }

    @Test
    void roleWithoutTheRightIsToldBeforeTheLoad() {
        String url = TestServer.freshDatabase("slow_role");
        TestServer.execute(url, "drop role if exists slow_reader", "create role slow_reader login");

        assertThatThrownBy(() -> run(url.replaceFirst("user=[^&]*", "user=slow_reader")))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("--explain-slow needs auto_explain and a superuser's role");
    }
}
