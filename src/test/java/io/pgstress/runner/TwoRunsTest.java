package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.measure.Phase;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two simultaneous runs that would empty each other's tables. */
@Slow
final class TwoRunsTest {
    private static final String LOCKS = "select count(*) from pg_locks where locktype = 'advisory'";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch running = new CountDownLatch(1);
    private String url;

    @BeforeEach
    void makeTable() {
        url = TestServer.emptyDatabase("two_runs");
        TestServer.table(url, "docs", 2_000);
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private Runner runner(String op, String duration) {
        return Runs.runner(
                Runs.spec("-t docs --op %s -c 2 --warmup 0 -T %s --url %s".formatted(op, duration, url)),
                new RunListener() {
                    @Override
                    public void phase(Phase phase, double seconds) {
                        if (phase == Phase.MEASURE) {
                            running.countDown();
                        }
                    }
                });
    }

    private Future<RunResult> measuring(Runner runner) throws InterruptedException {
        Future<RunResult> result = threads.submit(runner::run);
        assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
        return result;
    }

    private RunResult second(String op) {
        return Runs.run("-t docs --op " + op + " -c 2 --think 2ms --warmup 0 -T 0.15 --url " + url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"find_insert", "find_delete", "tpcb", "oltp_insert", "bulk_insert", "shard_insert"})
    void refusesTheSecondRunAndNamesTheFirst(String op) throws Exception {
        Runner first = runner(op, "20");
        Future<RunResult> result = measuring(first);

        assertThatThrownBy(() -> second(op))
                .isInstanceOf(TargetException.class)
                .hasMessageMatching(
                        "table \\w+ is in use by another run \\(pgstress run \\w{8}, pid \\d+, from \\S+, since"
                                + " [-0-9: ]+\\): wait until it has ended, stop it there, or end it by select"
                                + " pg_terminate_backend\\(\\d+\\)");

        first.stop(StopCause.MEASURED_ENOUGH);
        assertThat(Runs.reasonsOfTheRunItself(result.get())).isEmpty();
        assertThat(TestServer.number(url, LOCKS)).isZero();
        assertThatCode(() -> second(op)).doesNotThrowAnyException();
    }

    @Test
    void allowsReaders() throws Exception {
        Runner first = runner("find_insert", "20");
        Future<RunResult> result = measuring(first);

        assertThat(second("find_first").operations().get("find_first").ok()).isPositive();

        first.stop(StopCause.MEASURED_ENOUGH);
        result.get();
    }

    @Test
    void crashedRunLeavesNoLocks() throws Exception {
        Runner first = runner("find_insert", "20");
        Future<RunResult> result = measuring(first);
        TestServer.execute(
                url,
                "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database()"
                        + " and application_name like 'pgstress run %'");

        assertThat(second("find_insert").run().partial()).isFalse();

        first.stop(StopCause.MEASURED_ENOUGH);
        assertThat(result.get().reasons())
                .as("the other run is the reason")
                .filteredOn(reason -> reason.code() == RemarkCode.COPY_TABLE_RESET)
                .singleElement()
                .satisfies(reason -> assertThat(reason.figures()).containsEntry("table", "docs_copy"));
    }

    @Test
    void markOfTheCopyTableNamesTheRun() {
        second("find_insert");

        assertThat(List.of(TestServer.text(url, "select obj_description('docs_copy'::regclass, 'pg_class')")))
                .allMatch(c -> c.matches("stress: a copy table, emptied and filled by operations; last by run \\w{8}"));
    }
}
