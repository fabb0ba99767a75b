package io.pgstress.testing.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Reports about a server with known times. Nothing here depends on the speed or the load of the machine. */
@Slow
final class GroundTruthTest {
    private static final int CLIENTS = 4;
    private static final long WARMUP = Duration.ofMillis(500).toNanos();
    private static final long MEASURE = Duration.ofSeconds(3).toNanos();
    private static TruthServer server;
    private static String real;
    private static String url;

    @TempDir
    static Path directory;

    @BeforeAll
    static void start() throws Exception {
        real = TestServer.freshDatabase("ground_truth");
        server = new TruthServer(TestServer.port());
        url = real.replace(":" + TestServer.port() + "/", ":" + server.port() + "/");
        Files.writeString(directory.resolve("truth.yaml"), StressRun.OPERATION);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void closedLoadIsNeverReportedFasterThanTheServerWas(Profile profile) {
        server.answerAfter(profile.during(WARMUP, MEASURE));
        RunResult result = run();
        OperationResult reported = result.operations().get("truth");
        Truth truth = Truth.of(Truth.closed(server.served()), firstMeasured(reported), MEASURE);

        assertCounts(reported);
        assertNeverBelow(truth, reported.latencyMicros().get("total"));
        assertNeverBelow(truth, reported.latencyMicros().get("service"));
        double onePerClient = CLIENTS / (MEASURE / 1e9);
        assertThat(reported.opsPerSecond()).isLessThanOrEqualTo(truth.perSecond() + 2 * onePerClient);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void openLoadIsNeverReportedFasterThanTheServerWas(Profile profile) {
        server.answerAfter(profile.during(WARMUP, MEASURE));
        OperationResult reported = run("-R 200").operations().get("truth");
        List<Served> served = server.served();
        long[] scheduled = Truth.uniform(200, served.size());
        Truth truth =
                Truth.of(Truth.open(CLIENTS, scheduled, Truth.asServed(served)), firstMeasured(reported), MEASURE);

        assertCounts(reported);
        assertNeverBelow(truth, reported.latencyMicros().get("response"));
        assertThat(reported.ok()).as("600 are due in 3 s").isCloseTo(600, within(1L));
    }

    @Test
    void stallIsTheMaximumOfAClosedLoadAndInThePercentilesOfAnOpenOne() {
        server.answerAfter(Profile.STALL.during(WARMUP, MEASURE));
        Latency closed = run().operations().get("truth").latencyMicros().get("total");
        assertThat(closed.max()).isGreaterThanOrEqualTo(2e6);

        server.answerAfter(Profile.STALL.during(WARMUP, MEASURE));
        Latency open = run("-R 1000").operations().get("truth").latencyMicros().get("response");
        assertThat(open.max()).isGreaterThanOrEqualTo(1.9e6);
        assertThat(open.p99()).as("two thirds of all were due while it lasted").isGreaterThanOrEqualTo(1.8e6);
        assertThat(open.p90()).isGreaterThanOrEqualTo(1e6);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"plain,extended", "extended,extended", "prepared,extended", "plain,simple"})
    void answersTheMarkedStatementInEveryModeWithoutTheRealServer(String mode, String queryMode) {
        TestServer.execute(
                real, "select pg_stat_statements_reset(0, oid, 0) from pg_database where datname = current_database()");
        server.answerAfter((number, since) -> 1_000_000);
        OperationResult reported = run("-M " + mode + " --query-mode " + queryMode + " -T 500ms")
                .operations()
                .get("truth");
        assertThat(reported.errors()).isEmpty();
        assertThat(reported.ok()).isPositive();
        assertCounts(reported);
        assertThat(callsOnTheRealServer()).isZero();
        TestServer.execute(real, TruthServer.STATEMENT);
        assertThat(callsOnTheRealServer()).as("one that does reach it is seen").isOne();
    }

    private static long callsOnTheRealServer() {
        return TestServer.number(
                real,
                "select coalesce(sum(calls), 0) from pg_stat_statements where query = 'select $1'"
                        + " and dbid = (select oid from pg_database where datname = current_database())");
    }

    @Test
    void markedStatementCanBeCancelled() throws SQLException {
        server.answerAfter((number, since) -> Duration.ofHours(1).toNanos());
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.executeQuery(TruthServer.STATEMENT))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
            assertThat(statement.executeQuery("select 1").next())
                    .as("the session lives on")
                    .isTrue();
        }
        assertThat(server.served()).isEmpty();
    }

    @Test
    void queueOfAnOpenLoadIsFirstComeFirstServed() {
        List<Truth.Operation> operations = Truth.open(2, new long[] {0, 1, 2, 3}, (number, since) -> 10);
        assertThat(operations.stream().map(Truth.Operation::end)).containsExactly(10L, 11L, 20L, 21L);
    }

    @Test
    void rateCountsWhatEndedWithinTheWindow() {
        Truth truth = Truth.of(Truth.closed(8, (number, since) -> 3_000_000_000L, 4_000_000_000L), 0, 4_000_000_000L);
        assertThat(truth.perSecond()).isEqualTo(2.0);
        assertThat(truth.sorted())
                .as("those that ended later are in the percentiles")
                .hasSize(16);
        assertThat(truth.percentile(100)).isEqualTo(3_000_000_000L);
    }

    private static RunResult run(String... more) {
        String own = " --op truth --operations " + directory.resolve("truth.yaml");
        return Runs.run("-c " + CLIENTS + " --warmup 500ms -T 3s --url " + url + own, more);
    }

    private static int firstMeasured(OperationResult reported) {
        OperationResult.StatementResult statement = reported.statements().get("answer");
        return (int) (statement.callsInAll() - statement.calls());
    }

    /** Every statement that the server answered was counted, and every measured one is in the figures. */
    private static void assertCounts(OperationResult reported) {
        OperationResult.StatementResult statement = reported.statements().get("answer");
        assertThat(statement.callsInAll()).isEqualTo(server.served().size());
        assertThat(reported.ok()).isEqualTo(statement.calls());
    }

    /** Clients that start at the same time may be received in another order, which changes one rank each at the edge. */
    private static void assertNeverBelow(Truth truth, Latency reported) {
        assertThat(reported.count()).isEqualTo(truth.sorted().size());
        assertAtLeast(truth, 50, reported.p50());
        assertAtLeast(truth, 90, reported.p90());
        assertAtLeast(truth, 99, reported.p99());
        assertAtLeast(truth, 99.9, reported.p999());
        assertAtLeast(truth, 100, reported.max());
    }

    private static void assertAtLeast(Truth truth, double percent, double micros) {
        int rank = (int) Math.ceil(percent / 100 * truth.sorted().size()) - CLIENTS;
        assertThat(micros).as("p" + percent).isGreaterThanOrEqualTo(truth.atRank(rank) / 1e3);
    }
}
