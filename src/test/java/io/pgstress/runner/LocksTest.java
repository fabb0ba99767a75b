package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.IntervalResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.EveryJdk;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a run does and reports if others hold locks on its tables. */
@EveryJdk
@Slow
final class LocksTest extends UnderFault {
    @Test
    void clientsBlockedSinceTheWarmupMakeTheRunInvalid() throws InterruptedException {
        TestServer.execute(url, "create table held as select * from docs", "alter table held add primary key (_id)");
        RunListener inWarmup = new RunListener() {
            private boolean done;

            @Override
            public void interval(IntervalResult result) {
                if (!done) {
                    done = true;
                    after(() -> TestServer.execute(url, "begin; lock table held; select pg_sleep(3); commit"), 0);
                }
            }
        };
        RunResult result = run(inWarmup, "-t held --warmup 1 -P 0.4 -T 0.8 --drain 0.4" + PACED);

        assertThat(result.valid()).isFalse();
        assertThat(result.remarks()).contains(hung(Map.of("an answer of the server", 8)));
        Remark locks = result.remarks().stream()
                .filter(remark -> remark.code() == RemarkCode.OPEN_LOCKS)
                .findFirst()
                .orElseThrow();
        assertThat(locks.figures())
                .containsEntry("sessions", 8)
                .containsEntry("lock", "Lock:relation")
                .containsEntry("holding", "select pg_sleep(?)");
        assertThat(String.valueOf(locks.figures().get("waiting"))).contains("\"held\"");
    }

    /** Those without a connection wait for their neighbors, not for the server. */
    @Test
    void clientsWithoutAConnectionOfThePoolAreToldFromThoseThatTheServerHolds() throws InterruptedException {
        TestServer.execute(
                url, "create table pooled as select * from docs", "alter table pooled add primary key (_id)");
        AtomicBoolean isLocked = new AtomicBoolean();
        RunListener inWarmup = new RunListener() {
            @Override
            public void interval(IntervalResult result) {
                if (!isLocked.getAndSet(true)) {
                    after(() -> TestServer.execute(url, "begin; lock table pooled; select pg_sleep(3.5); commit"), 0);
                }
            }
        };
        RunResult result =
                run(inWarmup, "-t pooled --pool hikari --pool-size 2 --warmup 1 -P 0.4 -T 0.8 --drain 0.4" + PACED);

        assertThat(result.remarks())
                .contains(hung(Map.of("an answer of the server", 2, "a connection of the pool", 6)));
    }

    private static Remark hung(Map<String, Integer> waiting) {
        return RemarkCode.HUNG_CLIENTS
                .with("clients", 8)
                .with("waiting", new TreeMap<>(waiting))
                .remark();
    }

    @Test
    void countsBlockedStatementsAndEndsTheRun() throws InterruptedException {
        TestServer.execute(url, "create table stuck as select * from docs", "alter table stuck add primary key (_id)");
        long start = System.nanoTime();
        RunResult result = run(
                atInterval(
                        1,
                        () -> after(
                                () -> TestServer.execute(url, "begin; lock table stuck; select pg_sleep(3); commit"),
                                0)),
                "-t stuck -P 0.5 -T 1.7 --drain 0.5" + PACED);

        assertThat((System.nanoTime() - start) / 1e9).isLessThan(0.5 + 1.7 + 0.5 + 5);
        OperationResult operation = result.operations().get("find_first");
        assertThat(operation.unfinished()).isEqualTo(8);
        assertThat(
                        TestServer.number(
                                url,
                                "select count(*) from pg_stat_activity where application_name = 'pgstress' and state = 'active'"))
                .isZero();
        assertThat(operation.latencyMicros().get("total").max()).isGreaterThan(1_000_000.0);
        assertThat(result.remarks())
                .filteredOn(remark -> remark.code() == RemarkCode.OPEN_LOCKS)
                .singleElement()
                .satisfies(remark -> assertThat(remark.figures()).containsEntry("sessions", 8));
    }

    @Test
    void serverEnforcesTheStatementTimeout() throws InterruptedException {
        RunResult result = run(
                atInterval(
                        1,
                        () -> after(
                                () -> TestServer.execute(url, "begin; lock table docs; select pg_sleep(0.6); commit"),
                                0)),
                "-P 0.4 -T 1.2 --statement-timeout 200ms" + PACED);

        assertThat(result.operations().get("find_first").errors()).containsKey("57014");
        assertThat(result.operations().get("find_first").unfinished()).isZero();
    }
}
