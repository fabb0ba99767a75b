package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.pgstress.measure.Phase;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run does and reports if the server terminates sessions or fails statements. */
@Slow
final class FaultsTest extends UnderFault {
    private static final String TERMINATE =
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pgstress'";
    private static final String REFUSE = "alter database faults with allow_connections false";

    @Test
    void replacesAndReportsTerminatedSessions() throws InterruptedException {
        long start = System.nanoTime();
        RunResult result =
                run(atInterval(2, () -> TestServer.execute(url, TERMINATE)), "-T 2 -P 0.4 --drain 2" + PACED);

        assertThat((System.nanoTime() - start) / 1e9).isLessThan(0.5 + 2 + 2 + 3);
        OperationResult operation = result.operations().get("find_first");
        assertThat(operation.errors()).containsKey("57P01");
        assertThat(operation.failed()).isGreaterThanOrEqualTo(8);
        IntervalResult last = result.intervals().get(4);
        assertThat(last.counts().ok()).isPositive();
        assertThat(last.counts().failed()).isZero();
        assertThat(operation.okInWindow())
                .isEqualTo(result.intervals().stream()
                        .filter(i -> i.in(Phase.MEASURE))
                        .mapToLong(i -> i.counts().ok())
                        .sum());
        assertThat(operation.opsPerSecond()).isCloseTo(operation.okInWindow() / 2.0, withinPercentage(0.1));
    }

    /** The server answers quickly and without errors, but nothing is found: downtime for users. */
    @ParameterizedTest
    @ValueSource(strings = {"", "-R 300"})
    void rowsThatAreGoneAreAnOutageAndNotValid(String load) throws InterruptedException {
        TestServer.table(url, "gone", 1_000);
        RunListener empties = atInterval(2, () -> TestServer.execute(url, "truncate gone"));

        RunResult result = Runs.runner(
                        Runs.spec("-t gone -c 8 --warmup 0.2 -T 2 -P 0.25 --url " + url, load.isEmpty() ? PACED : load),
                        empties)
                .run();

        assertThat(result.reasons())
                .extracting(Remark::code)
                .contains(RemarkCode.TOO_MANY_MISSES)
                .doesNotContain(RemarkCode.MOSTLY_IDLE); // the same fact
        assertThat(result.load().outages()).hasSize(1);
        assertThat(result.load().outages().get(0).fromSeconds()).isBetween(0.25, 1.75);
        assertThat(result.reasons()).noneMatch(reason -> reason.code() == RemarkCode.BELOW_TARGET); // by the misses
        TestServer.execute(url, "drop table gone");
    }

    /** The table is reset in pauses, by a session of the run that the server may end as it ends those of clients. */
    @Test
    void sessionThatResetsTheTableIsReplaced() throws InterruptedException {
        TestServer.table(url, "reset_often", 100);
        String terminate = "do $$ begin for i in 1..100 loop perform pg_stat_clear_snapshot();"
                + " perform pg_terminate_backend(pid) from pg_stat_activity where application_name ="
                + " 'pgstress control' and datname = 'faults' and pid <> pg_backend_pid();"
                + " perform pg_sleep(0.005); end loop; end $$";

        RunResult result = Runs.runner(
                        Runs.spec("-t reset_often -c 4 --op find_insert --warmup 0.2 -T 1 -P 0.25 --url " + url),
                        atInterval(1, () -> after(() -> TestServer.execute(url, terminate), 0)))
                .run();

        assertThat(result.reasons()).extracting(Remark::code).doesNotContain(RemarkCode.ENDED_EARLY);
        assertThat(result.intervals()
                        .get(result.intervals().size() - 1)
                        .counts()
                        .ok())
                .isPositive();
        TestServer.execute(url, "drop table reset_often, reset_often_copy");
    }

    @Test
    void resetWaitsForALockForALimitedTime() throws InterruptedException {
        TestServer.execute(
                url, "create table locked as select * from docs", "alter table locked add primary key (_id)");
        run(RunListener.NONE, "-t locked --op find_insert -T 0.2");
        after(() -> TestServer.execute(url, "begin; lock table locked_copy; select pg_sleep(13); commit"), 0);

        assertThatThrownBy(() -> {
                    while (true) { // until the lock is held
                        run(RunListener.NONE, "-t locked --op find_insert -T 0.2");
                    }
                })
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("table locked_copy could not be reset")
                .hasMessageContaining("lock timeout");
    }

    @Test
    void poolWithoutConnectionsDoesNotDelayTheEnd() throws InterruptedException {
        long start = System.nanoTime();
        RunResult result = run(
                atInterval(2, () -> TestServer.execute(TestServer.maintenanceUrl(), REFUSE, TERMINATE)),
                "-T 2.5 -P 0.5 --drain 1 --pool hikari" + PACED);
        double seconds = (System.nanoTime() - start) / 1e9;
        TestServer.execute(TestServer.maintenanceUrl(), "alter database faults with allow_connections true");

        assertThat(seconds).isLessThan(0.5 + 2.5 + 1 + 5);
        assertThat(result.load().outages()).hasSize(1);
        assertThat(result.load().outages().get(0).toSeconds()).isBetween(2.4, 3.6);
        assertThat(result.operations().get("find_first").unfinished()).isEqualTo(8);
        assertThat(result.valid()).isFalse();
    }

    @Test
    void clientsContinueWhenTheServerIsBack() throws InterruptedException {
        RunResult result = run(
                atInterval(2, () -> {
                    TestServer.execute(TestServer.maintenanceUrl(), REFUSE, TERMINATE);
                    after(
                            () -> TestServer.execute(
                                    TestServer.maintenanceUrl(), "alter database faults with allow_connections true"),
                            1_000);
                }),
                "-T 4 -P 0.4" + PACED);

        assertThat(result.load().outages()).isNotEmpty();
        var outage = result.load().outages().get(0);
        assertThat(outage.toSeconds() - outage.fromSeconds()).isBetween(0.6, 2.5);
        assertThat(result.intervals().get(9).counts().ok()).isPositive();
        assertThat(result.operations().get("find_first").errors()).containsKeys("57P01", "55000");
    }

    @Test
    void retriesAndCountsSerializationFailures() throws InterruptedException {
        TestServer.execute(
                url,
                "create table hot (_id int primary key, data jsonb)",
                "insert into hot select i, '{}' from generate_series(1, 3) i");
        RunResult result = run(
                RunListener.NONE,
                "-t hot --op find_update -T 0.4 --transaction --max-tries 50 --set 'default_transaction_isolation=repeatable read'");

        OperationResult operation = result.operations().get("find_update");
        assertThat(operation.retries()).isPositive();
        assertThat(operation.retriedErrors()).containsOnlyKeys("40001");
        assertThat(operation.ok()).isPositive();
        assertThat(operation.failed()).isLessThan(operation.ok());
        assertThat(result.servers().get(0).settings())
                .containsEntry("default_transaction_isolation", "repeatable read");
    }

    @Test
    void firstErrorStopsTheRunIfRequested() throws InterruptedException {
        TestServer.execute(url, "create table gone as select * from docs", "alter table gone add primary key (_id)");
        RunResult result = run(
                atInterval(1, () -> TestServer.execute(url, "drop table gone")),
                "-t gone -P 0.25 -T 30 --on-error stop" + PACED);

        assertThat(result.run().partial()).isTrue();
        assertThat(result.valid()).isFalse();
        assertThat(result.operations().get("find_first").errors()).containsKey("42P01");
    }
}
