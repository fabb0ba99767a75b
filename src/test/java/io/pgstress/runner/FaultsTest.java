package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.pgstress.result.IntervalResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.result.RunResult.PhaseLength;
import io.pgstress.target.TargetException;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What a run does, and tells, when its server freezes, throws its sessions out or is gone. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "signals are sent by kill")
final class FaultsTest {
    private static String url;

    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final List<Future<?>> failures = new ArrayList<>();

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("faults");
        TestServer.table(url, "docs", 5_000);
    }

    @AfterEach
    void nothingFailedMeanwhile() throws InterruptedException, ExecutionException {
        for (Future<?> done : failures) {
            done.get();
        }
        later.shutdown();
    }

    /** Does something once, at the end of a measured interval. */
    private static RunListener atInterval(int index, Runnable action) {
        return new RunListener() {
            private int seen;

            @Override
            public void interval(String phase, IntervalResult result) {
                if (phase.equals("measure") && ++seen == index) {
                    action.run();
                }
            }
        };
    }

    private RunResult run(RunListener listener, String... more) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("warmup", "0.5"));
        all.addAll(List.of(more));
        return Runs.runner(Runs.spec(Runs.findFirst(url, 8, all.toArray(String[]::new))), listener)
                .run();
    }

    private void after(Runnable action, long seconds) {
        failures.add(later.schedule(action, seconds, TimeUnit.SECONDS));
    }

    /** Every process of the server stands still for two seconds. */
    private void freeze() {
        List<String> pids = serverProcesses();
        signal("-STOP", pids);
        after(() -> signal("-CONT", pids), 2);
    }

    private static List<String> serverProcesses() {
        try {
            long postmaster =
                    Long.parseLong(Files.readAllLines(Path.of("target/test-server/postgresql-18/data/postmaster.pid"))
                            .get(0)
                            .trim());
            List<String> pids = new ArrayList<>(List.of(Long.toString(postmaster)));
            ProcessHandle.of(postmaster).orElseThrow().descendants().forEach(p -> pids.add(Long.toString(p.pid())));
            return pids;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void signal(String signal, List<String> pids) {
        try {
            List<String> command = new ArrayList<>(List.of("kill", signal));
            command.addAll(pids);
            new ProcessBuilder(command).start().waitFor();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void openLoadShowsAFrozenServerInItsPercentiles() throws InterruptedException {
        RunResult result = run(atInterval(3, this::freeze), "rate", "1000", "duration", "10");

        var response = result.operations().get("find_first").latencyMicros().get("response");
        assertThat(response.p99()).isBetween(1_800_000.0, 2_200_000.0);
        assertThat(response.p90()).isBetween(800_000.0, 1_200_000.0);
        assertThat(result.scheduleLagMicros()).isNotNull();
        assertThat(result.scheduleLagMicros().max()).isGreaterThan(1_800_000.0);
        assertThat(result.operations().get("find_first").ok()).isBetween(9_990L, 10_010L);
    }

    @Test
    void closedLoadWarnsOfAFrozenServer() throws InterruptedException {
        RunResult result = run(atInterval(1, this::freeze), "duration", "5");

        assertThat(result.warnings()).anyMatch(w -> w.contains("a stall"));
        assertThat(result.operations().get("find_first").errors()).isEmpty();
    }

    @Test
    void terminatedSessionsAreReplacedAndTold() throws InterruptedException {
        long start = System.nanoTime();
        RunResult result = run(
                atInterval(
                        2,
                        () -> TestServer.execute(
                                url,
                                "select pg_terminate_backend(pid) from pg_stat_activity"
                                        + " where application_name = 'pgstress'")),
                "duration",
                "4",
                "interval",
                "0.5",
                "drain",
                "2");

        assertThat((System.nanoTime() - start) / 1e9).isLessThan(0.5 + 4 + 2 + 3);
        OperationResult operation = result.operations().get("find_first");
        assertThat(operation.errors()).containsKey("57P01");
        assertThat(operation.failed()).isGreaterThanOrEqualTo(8);
        IntervalResult last = result.intervals().get(7);
        assertThat(last.ok()).isPositive();
        assertThat(last.failed()).isZero();
        assertThat(operation.ok())
                .isEqualTo(result.intervals().stream()
                        .mapToLong(IntervalResult::ok)
                        .sum());
        assertThat(operation.opsPerSecond()).isCloseTo(operation.ok() / 4.0, withinPercentage(0.1));
    }

    @Test
    void aPoolWithoutConnectionsDoesNotHoldUpTheEnd() throws InterruptedException {
        long start = System.nanoTime();
        RunResult result = run(
                atInterval(
                        2,
                        () -> TestServer.execute(
                                TestServer.maintenanceUrl(),
                                "alter database faults with allow_connections false",
                                "select pg_terminate_backend(pid) from pg_stat_activity"
                                        + " where application_name = 'pgstress'")),
                "duration",
                "3",
                "interval",
                "0.5",
                "drain",
                "1",
                "pool",
                "hikari");
        double seconds = (System.nanoTime() - start) / 1e9;
        TestServer.execute(TestServer.maintenanceUrl(), "alter database faults with allow_connections true");

        assertThat(seconds).isLessThan(0.5 + 3 + 1 + 5);
        assertThat(result.outages()).hasSize(1);
        assertThat(result.outages().get(0).toSeconds()).isBetween(2.9, 4.1);
        assertThat(result.operations().get("find_first").unfinished()).isEqualTo(8);
        assertThat(result.valid()).isFalse();
    }

    @Test
    void clientsReturnWhenTheServerIsBack() throws InterruptedException {
        RunResult result = run(
                atInterval(2, () -> {
                    TestServer.execute(
                            TestServer.maintenanceUrl(),
                            "alter database faults with allow_connections false",
                            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pgstress'");
                    after(
                            () -> TestServer.execute(
                                    TestServer.maintenanceUrl(), "alter database faults with allow_connections true"),
                            2);
                }),
                "duration",
                "7",
                "interval",
                "0.5");

        assertThat(result.outages()).isNotEmpty();
        var outage = result.outages().get(0);
        assertThat(outage.toSeconds() - outage.fromSeconds()).isBetween(1.0, 3.5);
        assertThat(result.intervals().get(12).ok()).isPositive();
        assertThat(result.operations().get("find_first").errors()).containsKeys("57P01", "55000");
    }

    @Test
    void clientsThatHangSinceTheWarmupMakeTheRunInvalid() throws InterruptedException {
        TestServer.execute(url, "create table held as select * from docs", "alter table held add primary key (_id)");
        RunListener inWarmup = new RunListener() {
            private boolean done;

            @Override
            public void interval(String phase, IntervalResult result) {
                if (!done) {
                    done = true;
                    after(() -> TestServer.execute(url, "begin; lock table held; select pg_sleep(6); commit"), 0);
                }
            }
        };
        RunResult result =
                run(inWarmup, "table", "held", "warmup", "2", "interval", "0.5", "duration", "1", "drain", "0.5");

        assertThat(result.valid()).isFalse();
        assertThat(result.warnings()).anyMatch(w -> w.startsWith("8 clients took no part in the measurement"));
    }

    @Test
    void aSlowOpenLoadIsMeasuredToItsEnd() throws InterruptedException {
        RunResult result = run(RunListener.NONE, "rate", "1", "duration", "2.5", "warmup", "0");

        double measured = result.run().phases().stream()
                .filter(p -> p.name().equals("measure"))
                .mapToDouble(PhaseLength::seconds)
                .sum();
        assertThat(measured).isEqualTo(2.5);
        assertThat(result.operations().get("find_first").ok()).isEqualTo(2);
    }

    @Test
    void statementsThatHangAreCountedAndTheRunEnds() throws InterruptedException {
        TestServer.execute(url, "create table stuck as select * from docs", "alter table stuck add primary key (_id)");
        long start = System.nanoTime();
        RunResult result = run(
                atInterval(
                        1,
                        () -> after(
                                () -> TestServer.execute(url, "begin; lock table stuck; select pg_sleep(6); commit"),
                                0)),
                "table",
                "stuck",
                "duration",
                "3",
                "drain",
                "1");

        assertThat((System.nanoTime() - start) / 1e9).isLessThan(0.5 + 3 + 1 + 5);
        OperationResult operation = result.operations().get("find_first");
        assertThat(operation.unfinished()).isEqualTo(8);
        assertThat(
                        TestServer.number(
                                url,
                                "select count(*) from pg_stat_activity where application_name = 'pgstress' and state = 'active'"))
                .isZero();
        assertThat(operation.latencyMicros().get("total").max()).isGreaterThan(2_000_000.0);
        assertThat(result.warnings()).anyMatch(w -> w.contains("had not ended"));
    }

    @Test
    void statementTimeoutIsTheServers() throws InterruptedException {
        RunResult result = run(
                atInterval(
                        1,
                        () -> after(
                                () -> TestServer.execute(url, "begin; lock table docs; select pg_sleep(1); commit"),
                                0)),
                "duration",
                "4",
                "statement-timeout",
                "200ms");

        assertThat(result.operations().get("find_first").errors()).containsKey("57014");
        assertThat(result.operations().get("find_first").unfinished()).isZero();
    }

    @Test
    void serializationFailuresAreRetriedAndCounted() throws InterruptedException {
        TestServer.execute(
                url,
                "create table hot (_id int primary key, data jsonb)",
                "insert into hot select i, '{}' from generate_series(1, 3) i");
        RunResult result = run(
                RunListener.NONE,
                "table",
                "hot",
                "op",
                "find_update",
                "duration",
                "2",
                "transaction",
                "true",
                "max-tries",
                "50",
                "set",
                "default_transaction_isolation=repeatable read");

        OperationResult operation = result.operations().get("find_update");
        assertThat(operation.retries()).isPositive();
        assertThat(operation.ok()).isPositive();
        assertThat(operation.failed()).isLessThan(operation.ok());
        assertThat(result.servers().get(0).settings())
                .containsEntry("default_transaction_isolation", "repeatable read");
    }

    @Test
    void aResetWaitsForALockOnlySoLong() throws InterruptedException {
        TestServer.execute(
                url, "create table locked as select * from docs", "alter table locked add primary key (_id)");
        run(RunListener.NONE, "table", "locked", "op", "find_insert", "duration", "0.2");
        after(() -> TestServer.execute(url, "begin; lock table locked_copy; select pg_sleep(13); commit"), 0);

        assertThatThrownBy(() -> {
                    while (true) { // until the lock is held
                        run(RunListener.NONE, "table", "locked", "op", "find_insert", "duration", "0.2");
                    }
                })
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("table locked_copy could not be reset")
                .hasMessageContaining("lock timeout");
    }

    @Test
    void firstErrorStopsTheRunWhereAsked() throws InterruptedException {
        TestServer.execute(url, "create table gone as select * from docs", "alter table gone add primary key (_id)");
        RunResult result = run(
                atInterval(1, () -> TestServer.execute(url, "drop table gone")),
                "table",
                "gone",
                "duration",
                "30",
                "on-error",
                "stop");

        assertThat(result.run().partial()).isTrue();
        assertThat(result.valid()).isFalse();
        assertThat(result.operations().get("find_first").errors()).containsKey("42P01");
    }

    @Test
    void overloadSaysByHowMuchItFellBehind() throws InterruptedException {
        RunResult result =
                run(RunListener.NONE, "rate", "300000", "duration", "1", "drain", "1", "latency-limit", "10ms");

        assertThat(result.valid()).isFalse();
        assertThat(result.warnings()).anyMatch(w -> w.contains("the load fell behind"));
        OperationResult operation = result.operations().get("find_first");
        assertThat(operation.unfinished()).isPositive();
        assertThat(operation.late()).isPositive();
        assertThat(operation.opsPerSecond()).isLessThan(200_000);
        assertThat(operation.ok() + operation.failed() + operation.unfinished()).isBetween(299_999L, 300_001L);
        assertThat(operation.latencyMicros().get("response").max()).isGreaterThan(900_000);
    }

    @Test
    void aServerThatIsNotThereIsToldBeforeTheRun() {
        assertThatThrownBy(() -> Runs.run("url", "jdbc:postgresql://127.0.0.1:1/x?user=u", "table", "t"))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("cannot connect to jdbc:postgresql://127.0.0.1:1/x");
    }
}
