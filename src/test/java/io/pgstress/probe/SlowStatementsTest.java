package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.report.Reports;
import io.pgstress.report.ReportsTest;
import io.pgstress.result.Explained.SlowStatement;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import io.pgstress.runner.Runner;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.ResultSchema;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plans of slow statements, as auto_explain of a real server reports them. */
final class SlowStatementsTest {
    @TempDir
    private Path directory;

    /** Runs an operation that sleeps for every two-hundredth id. */
    private RunResult run(String url) throws InterruptedException, IOException {
        Path file = Files.writeString(directory.resolve("own.yaml"), """
            nap:
              parameters:
                n: {range: 1..2000}
              steps:
                - name: nap
                  sql: select count(*) from (select pg_sleep(case when :n % 200 = 0 then 0.2 else 0 end)) nap
            """);
        Runner runner = Runs.runner(
                Runs.spec(
                        "--op nap -c 2 --warmup 0 -P 0.3 -T 1.5 --explain-slow --operations " + file + " --url " + url),
                new RunListener() {});
        return runner.run();
    }

    @Test
    void slowestStatementsHaveTheirPlans() throws InterruptedException, IOException {
        RunResult result = run(TestServer.freshDatabase("slow"));

        List<SlowStatement> slowest =
                Objects.requireNonNull(result.serverProfile().explained().slowest());
        assertThat(slowest).hasSizeBetween(1, 5);
        assertThat(slowest.get(0).micros()).isGreaterThan(200_000);
        assertThat(slowest.get(0).plan())
                .anyMatch(line -> line.contains("pg_sleep"))
                .anyMatch(line -> line.contains("Aggregate"));
        assertThat(new ResultSchema().problems(ReportsTest.text(Reports.JSON, result)))
                .isEmpty();
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
