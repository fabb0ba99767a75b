package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.probe.WaitSamples.Pace;
import io.pgstress.report.Reports;
import io.pgstress.report.ReportsTest;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.OperationWaits.Blocker;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import io.pgstress.testing.ResultSchema;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What slow operations waited for, with causes that are planted on a real server. */
final class WaitSamplesTest {
    private static String url;

    @BeforeAll
    static void createTable() {
        url = TestServer.freshDatabase("waits");
        TestServer.table(url, "docs", 200);
    }

    /** Runs 8 clients for 3 s, with this SQL beside them from the first interval on; empty: none. */
    private static OperationWaits run(String options, String beside) throws InterruptedException, IOException {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Void> planted =
                begun.thenRunAsync(() -> TestServer.execute(url, "set application_name = 'reports'", beside));
        RunListener plant = new RunListener() {
            @Override
            public void interval(IntervalResult result) {
                begun.complete(null);
            }
        };
        RunResult result = Runs.runner(
                        Runs.spec("-t docs -c 8 --warmup 0 -P 0.3 -T 3 --url " + url + " " + options), plant)
                .run();
        planted.join();
        assertThat(new ResultSchema().problems(ReportsTest.text(Reports.JSON, result)))
                .isEmpty();
        return Objects.requireNonNull(result.serverProfile().operationWaits());
    }

    /** Takes locks for 0.3 s, seven times. */
    private static String locks(String statement) {
        return "do $$ begin for i in 1..7 loop " + statement
                + "; perform pg_sleep(0.3); commit; perform pg_sleep(0.1); end loop; end $$";
    }

    private static List<RemarkCode> codes(OperationWaits waits) {
        return waits.causes().stream().map(Remark::code).toList();
    }

    @Test
    void rowLocksOfAnotherSessionAreNamedWithTheSession() throws InterruptedException, IOException {
        OperationWaits waits = run("--op find_update", locks("update docs set data = data"));

        assertThat(codes(waits)).as(waits.operations().toString()).containsExactly(RemarkCode.SLOW_ON_LOCKS);
        Blocker first = waits.blockers().get(0);
        assertThat(first.kind()).isEqualTo(Blocker.Kind.OTHER);
        assertThat(first.name()).isEqualTo("reports");
        assertThat(first.operation()).isEqualTo("find_update");
        assertThat(first.statement()).startsWith("do $$");
    }

    @Test
    void lockOnTheTableIsNamed() throws InterruptedException, IOException {
        OperationWaits waits = run("--op find_first", locks("lock docs in access exclusive mode"));

        assertThat(codes(waits)).as(waits.operations().toString()).containsExactly(RemarkCode.SLOW_ON_LOCKS);
        assertThat(waits.operations().get(0).slow().waits()).containsKey("Lock:relation");
        assertThat(waits.blockers().get(0).name()).isEqualTo("reports");
    }

    @Test
    void functionThatSleepsForSomeIdsIsNamed(@TempDir Path directory) throws InterruptedException, IOException {
        Path file = Files.writeString(directory.resolve("own.yaml"), """
            nap:
              parameters:
                n: {range: 1..1000}
              steps:
                - name: nap
                  sql: select pg_sleep(case when :n % 50 = 0 then 0.05 else 0 end)
            """);
        OperationWaits waits = run("--op nap --operations " + file, "");

        assertThat(codes(waits)).as(waits.operations().toString()).containsExactly(RemarkCode.SLOW_ON_WAITS);
        assertThat(waits.operations().get(0).slow().waits().keySet()).first().isEqualTo("Timeout:PgSleep");
    }

    @Test
    void nothingIsClaimedWithoutACause() throws InterruptedException, IOException {
        OperationWaits waits = run("--op find_first", "");

        // a machine that others use, too, explains these two
        assertThat(codes(waits))
                .as(waits.operations().toString())
                .isSubsetOf(RemarkCode.SLOW_ON_CPU, RemarkCode.SLOW_ON_CLIENT);
        assertThat(waits.blockers()).isEmpty();
        assertThat(waits.operations().get(0).usual().samples()).isPositive();
        assertThat(waits.sampling().serverCores()).isBetween(0.0, 0.01);
    }

    @Test
    void expensiveSamplesAreTakenLessOften() {
        Pace pace = new Pace();
        pace.cost(TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(pace.nanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
        pace.cost(1);
        assertThat(pace.nanos()).isEqualTo(Pace.MIN_NANOS);
    }
}
