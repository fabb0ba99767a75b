package io.pgstress.probe.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.probe.waits.OperationSamples.StatementOperations;
import io.pgstress.report.Reports;
import io.pgstress.report.ReportsTest;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.OperationWaits.Blocker;
import io.pgstress.result.OperationWaits.Share;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import io.pgstress.testing.ResultSchema;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TcpProxy;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What slow operations waited for, with causes that are planted on a real server. */
@Slow
final class WaitSamplesTest {
    private static String url;

    @BeforeAll
    static void createTable() {
        url = TestServer.freshDatabase("waits");
        TestServer.table(url, "docs", 200);
    }

    /** Runs 8 clients for 2.2 s, with this SQL beside them from the first interval on. */
    private static OperationWaits run(String options, String beside) throws InterruptedException, IOException {
        return waits(run("-T 2.2 --url " + url + " " + options, () -> beside(url, beside)));
    }

    private static void beside(String server, String sql) {
        TestServer.execute(server, "set application_name = 'reports'", sql);
    }

    private static RunResult run(String options, Runnable beside) throws InterruptedException, IOException {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Void> planted = begun.thenRunAsync(beside);
        RunListener plant = new RunListener() {
            @Override
            public void interval(IntervalResult result) {
                begun.complete(null);
            }
        };
        RunResult result = Runs.runner(Runs.spec("-t docs -c 8 --warmup 0 -P 0.3 " + options), plant)
                .run();
        planted.join();
        assertThat(new ResultSchema().problems(ReportsTest.text(Reports.JSON, result)))
                .isEmpty();
        return result;
    }

    private static OperationWaits waits(RunResult result) {
        return Objects.requireNonNull(result.serverProfile().operationWaits());
    }

    /** Takes locks for 0.3 s, five times. */
    private static String locks(String statement) {
        return "do $$ begin for i in 1..5 loop " + statement
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
        assertThat(first.statement()).isEqualTo("do ?");
    }

    @Test
    void serverThatDoesNotTellWhatSessionsDoIsNamed() throws InterruptedException, IOException {
        RunResult result = run("-T 1 --url " + url + " --op find_first --set track_activities=off", () -> {});

        assertThat(result.serverProfile().notes()).extracting(Remark::code).contains(RemarkCode.ACTIVITIES_UNTRACKED);
    }

    @Test
    void lockOnTheTableIsNamed() throws InterruptedException, IOException {
        OperationWaits waits = run("--op find_first", locks("lock docs in access exclusive mode"));

        assertThat(codes(waits)).as(waits.operations().toString()).containsExactly(RemarkCode.SLOW_ON_LOCKS);
        assertThat(waits.operations().get(0).slow().waits()).containsKey("Lock:relation");
        assertThat(waits.blockers().get(0).name()).isEqualTo("reports");
    }

    @Test
    void waitOnAWorkerOfCitusIsNamedWithTheWorker() throws InterruptedException, IOException {
        String citus = System.getenv("PGSTRESS_TEST_CITUS_URL");
        assumeTrue(citus != null, "PGSTRESS_TEST_CITUS_URL names no server");
        TestServer.execute(
                citus,
                "drop table if exists docs",
                "create table docs (_id int primary key, data jsonb)",
                "select create_distributed_table('docs', '_id', shard_count => 2)",
                "insert into docs select i, '{\"name\": \"a\"}' from generate_series(1, 200) i");
        String[] shard = TestServer.text(
                        citus,
                        "select nodename || ' ' || nodeport || ' ' || shardid from citus_shards where table_name ="
                                + " 'docs'::regclass order by nodeport desc limit 1")
                .split(" ", -1);
        String worker = citus.replaceFirst("//[^/]*/", "//" + shard[0] + ":" + shard[1] + "/");

        OperationWaits waits = waits(run(
                "-T 6 --op find_update --url " + citus,
                () -> beside(worker, locks("perform 1 from docs_" + shard[2] + " for update"))));

        assertThat(codes(waits)).as(waits.operations().toString()).contains(RemarkCode.SLOW_ON_LOCKS);
        assertThat(waits.operations().get(0).slow().waits())
                .containsKey("worker " + shard[0] + ":" + shard[1] + " Lock:transactionid");
        assertThat(waits.blockers().get(0).name()).isEqualTo("reports");
        TestServer.execute(citus, "drop table docs");
    }

    /** @param otherwise what it does for the other ids; long enough to be sampled on a full machine */
    @ParameterizedTest
    @ValueSource(strings = {"(select count(*) from generate_series(1, 3000))::text", "pg_sleep(0.005)::text"})
    void functionThatSleepsForSomeIdsIsNamed(String otherwise, @TempDir Path directory)
            throws InterruptedException, IOException {
        Path file = Files.writeString(directory.resolve("own.yaml"), """
            nap:
              parameters:
                n: {range: 1..1000}
              steps:
                - name: nap
                  sql: "select case when :n % 50 = 0 then pg_sleep(0.3)::text else OTHERWISE end"
            """.replace("OTHERWISE", otherwise));
        OperationWaits waits = run("--op nap --operations " + file, "select");

        assertThat(codes(waits)).as(waits.operations().toString()).containsExactly(RemarkCode.SLOW_ON_WAITS);
        assertThat(waits.operations().get(0).slow().waits().keySet()).first().isEqualTo("Timeout:PgSleep");
    }

    /** A slow disk is one on which a session holds the lock for writing WAL for long, as {@code commit_delay} makes it. */
    @Test
    void slowWriteOfWalIsNamed() throws InterruptedException, IOException {
        TestServer.execute(url, "create table if not exists others (n int)");
        String writes = "do $$ begin for i in 1..9 loop insert into others values (i); commit; "
                + "perform pg_sleep(0.1); end loop; end $$";
        OperationWaits waits;
        TestServer.execute(url, "alter system reset fsync");
        TestServer.reload("current_setting('fsync') = 'on'");
        try {
            waits = waits(run(
                    "-T 2.2 --op find_update --set synchronous_commit=on --url " + url,
                    () -> TestServer.execute(
                            url,
                            "set synchronous_commit = on",
                            "set commit_siblings = 0",
                            "set commit_delay = 100000",
                            writes)));
        } finally {
            TestServer.execute(url, "alter system set fsync = off");
            TestServer.reload("current_setting('fsync') = 'off'");
        }

        assertThat(codes(waits)).as(waits.operations().toString()).containsExactly(RemarkCode.SLOW_ON_IO);
        assertThat(waits.operations().get(0).slow().waits().keySet()).first().isEqualTo("LWLock:WALWrite");
    }

    /** What the client sends is held back. Whether that is a cause depends on the CPU, as SlowOperationsTest shows. */
    @Test
    void slowOperationsOfAStoppedClientWaitForIt(@TempDir Path directory) throws InterruptedException, IOException {
        OperationWaits waits;
        try (TcpProxy proxy = new TcpProxy(TestServer.port())) {
            waits = waits(run("-T 2.2 " + nap(directory, "pg_sleep(0.005)") + " --url " + proxy.through(url), () -> {
                for (int i = 0; i < 4; i++) {
                    proxy.hold(() -> TestServer.execute(url, "select pg_sleep(0.3)"));
                    TestServer.execute(url, "select pg_sleep(0.1)");
                }
            }));
        }

        OperationWaits.Profile nap = waits.operations().get(0);
        assertThat(nap.slow().waits().keySet()).as(nap.toString()).first().isEqualTo(OperationWaits.CLIENT);
        assertThat(nap.slow().waits().get(OperationWaits.CLIENT).low())
                .as(nap.toString())
                .isGreaterThan(share(nap.usual(), OperationWaits.CLIENT).high());
    }

    private static Share share(OperationWaits.Group group, String wait) {
        return group.waits().getOrDefault(wait, Share.of(0, 0, (double) group.sampledOperations()));
    }

    /** The options that run an operation which does this. */
    private static String nap(Path directory, String what) throws IOException {
        Path file = Files.writeString(
                directory.resolve("own.yaml"), "nap: {steps: [{name: nap, sql: \"select " + what + "\"}]}\n");
        return "--op nap --operations " + file;
    }

    /**
     * A checkpoint that is spread over time, as backups begin with one; after 2 s, it is hurried. A trigger that sleeps meanwhile for some
     * ids stands for the disk that it keeps busy, which differs from machine to machine.
     */
    @Test
    void checkpointThatMakesOperationsSlowIsNamed() throws InterruptedException, IOException {
        TestServer.execute(url, """
            create function sleep_in_checkpoint() returns trigger language plpgsql as $$ begin
                perform pg_sleep(0.3) from pg_stat_activity
                where backend_type = 'checkpointer' and wait_event is distinct from 'CheckpointerMain';
                return null;
            end $$""", """
            create trigger sleep_in_checkpoint after update on docs
            for each row when (new._id % 10 = 0) execute function sleep_in_checkpoint()
            """);
        OperationWaits waits;
        try {
            waits = waits(run(
                    "-T 7 --op find_update --url " + url,
                    () -> TestServer.execute(
                            url,
                            "set statement_timeout = '2s'",
                            "do $$ begin perform pg_backup_start('planted'); exception when query_canceled then null; end"
                                    + " $$",
                            "set statement_timeout = 0",
                            "checkpoint")));
        } finally {
            TestServer.execute(url, "drop function sleep_in_checkpoint cascade");
        }

        assertThat(codes(waits))
                .as(waits.operations().toString())
                .containsExactly(RemarkCode.SLOW_ON_WAITS, RemarkCode.SLOW_DURING);
        assertThat(waits.operations().get(0).slow().waits().keySet()).first().isEqualTo("Timeout:PgSleep");
        assertThat(waits.causes().get(1).figures()).containsEntry("what", "checkpoint");
        assertThat(waits.overTime().during()).containsKey("checkpoint");
    }

    @Test
    void burstOfWalIsMarked() throws InterruptedException, IOException {
        OperationWaits waits = run(
                "--op find_first",
                "create table burst with (autovacuum_enabled = false) as select repeat(md5(i::text), 30) from"
                        + " generate_series(1, 60000) i");

        assertThat(waits.overTime().during()).containsKey("WAL burst");
    }

    @Test
    void temporaryFilesAndSlotsThatLagAreMarked() throws InterruptedException, IOException {
        OperationWaits waits = run(
                "--op find_first",
                "set work_mem = '64kB'; select pg_create_physical_replication_slot('waits', true); create unlogged"
                        + " table sorted as select i from generate_series(1, 300000) i order by -i; do $$ begin for i in"
                        + " 1..5 loop perform pg_switch_wal(); create table sorted_2 (); drop table sorted_2; end loop;"
                        + " end $$; select pg_sleep(0.3); select pg_drop_replication_slot('waits')");

        assertThat(waits.overTime().during()).containsKeys("temporary files", "replication slot waits lags");
    }

    /**
     * All operations sleep for the same time, so none is slow for a reason. Of 200, two are beyond the p99, fewer than a remark about them
     * needs: not even that nothing explains them.
     */
    @Test
    void nothingIsClaimedWithoutACause(@TempDir Path directory) throws InterruptedException, IOException {
        OperationWaits waits = run("-R 100 -T 2 " + nap(directory, "pg_sleep(0.02)"), "select");

        assertThat(waits.causes()).as(waits.operations().toString()).isEmpty();
        assertThat(waits.blockers()).isEmpty();
        assertThat(waits.operations().get(0).usual().waits().keySet())
                .as("it was sampled")
                .first()
                .isEqualTo("Timeout:PgSleep");
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

    @Test
    void statementsWithLiteralsAreNotAllKept() {
        StatementOperations statements = new StatementOperations();
        for (int statement = 1; statement <= 2 * StatementOperations.MAX; statement++) {
            statements.learn(statement, 0);
        }
        statements.learn(1, 1);

        assertThat(statements.size()).isEqualTo(StatementOperations.MAX);
        assertThat(List.of(statements.mayRun(1, 0), statements.mayRun(1, 1), statements.mayRun(1, 2)))
                .containsExactly(true, true, false);
        assertThat(statements.mayRun(2 * StatementOperations.MAX, 2))
                .as("not known")
                .isTrue();
    }

    /** Wilson's intervals, as published for 0 of 1, 0 of 10, 5 of 10 and 20 of 40. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 0.793",
        "0, 0, 10, 0, 0.278",
        "0.5, 0, 10, 0.237, 0.763",
        "0.5, 0.00625, 10, 0.352, 0.648",
    })
    void intervalOfAShare(double share, double variance, double clusters, double low, double high) {
        Share found = Share.of(share, variance, clusters);

        assertThat(found.low()).isCloseTo(low, within(0.001));
        assertThat(found.high()).isCloseTo(high, within(0.001));
    }
}
