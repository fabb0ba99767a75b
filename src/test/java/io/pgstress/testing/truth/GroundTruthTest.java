package io.pgstress.testing.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
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
    private static final long WARMUP = Duration.ofMillis(300).toNanos();
    private static String real;

    @TempDir
    static Path directory;

    @BeforeAll
    static void start() throws Exception {
        real = TestServer.freshDatabase("ground_truth");
        Files.writeString(directory.resolve("truth.yaml"), StressRun.OPERATION);
    }

    /** A run on a server of its own, and what that server did. */
    private record Load(OperationResult reported, List<Served> served, long measure) {
        static Load of(Profile profile, String options) {
            // the stall takes two seconds
            Duration measure = Duration.ofMillis(profile == Profile.STALL ? 3_000 : 1_000);
            String phases = " --warmup 300ms -T " + measure.toMillis() + "ms ";
            return of(profile.during(WARMUP, measure.toNanos()), measure, phases + options);
        }

        static Load of(ServiceTime times, Duration measure, String options) {
            try (TruthServer server = new TruthServer(TestServer.port())) {
                server.answerAfter(times);
                OperationResult reported = Runs.run(
                                "-c " + CLIENTS + " --op truth --operations " + directory.resolve("truth.yaml"),
                                "--url " + through(server),
                                options)
                        .operations()
                        .get("truth");
                return new Load(reported, server.served(), measure.toNanos());
            }
        }

        /** A run that goes on beside the test. */
        static CompletableFuture<Load> beside(Profile profile, String options) {
            return CompletableFuture.supplyAsync(() -> of(profile, options));
        }

        Latency times(String kind) {
            return Objects.requireNonNull(reported.latencyMicros().get(kind));
        }

        OperationResult.StatementResult statement() {
            return Objects.requireNonNull(reported.statements().get("answer"));
        }

        Truth truth(List<Truth.Operation> operations) {
            int firstMeasured = (int) (statement().callsInAll() - statement().calls());
            return Truth.of(operations, firstMeasured, measure);
        }

        /** Every statement that the server answered was counted, and every measured one is in the figures. */
        void assertCounts() {
            assertThat(statement().callsInAll()).isEqualTo(served.size());
            assertThat(reported.ok()).isEqualTo(statement().calls());
        }
    }

    private static String through(TruthServer server) {
        return real.replace(":" + TestServer.port() + "/", ":" + server.port() + "/");
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void loadIsNeverReportedFasterThanTheServerWas(Profile profile) {
        CompletableFuture<Load> beside = Load.beside(profile, "-R 200");
        Load closed = Load.of(profile, "");
        Truth truth = closed.truth(Truth.closed(closed.served()));

        closed.assertCounts();
        assertNeverBelow(truth, closed.times("total"));
        assertNeverBelow(truth, closed.times("service"));
        double onePerClient = CLIENTS / (closed.measure() / 1e9);
        assertThat(closed.reported().opsPerSecond()).isLessThanOrEqualTo(truth.perSecond() + 2 * onePerClient);

        Load open = beside.join();
        long[] scheduled = Truth.uniform(200, open.served().size());
        open.assertCounts();
        assertNeverBelow(
                open.truth(Truth.open(CLIENTS, scheduled, Truth.asServed(open.served()))), open.times("response"));
        assertThat(open.reported().ok()).isCloseTo(200 * open.measure() / 1_000_000_000, within(1L));
    }

    @Test
    void stallIsTheMaximumOfAClosedLoadAndInThePercentilesOfAnOpenOne() {
        CompletableFuture<Load> beside = Load.beside(Profile.STALL, "");
        Latency open = Load.of(Profile.STALL, "-R 1000").times("response");
        assertThat(open.max()).isGreaterThanOrEqualTo(1.9e6);
        assertThat(open.p99()).as("two thirds of all were due while it lasted").isGreaterThanOrEqualTo(1.8e6);
        assertThat(open.p90()).isGreaterThanOrEqualTo(1e6);

        assertThat(beside.join().times("total").max())
                .as("the next operation reaches the server when the stall has begun")
                .isGreaterThanOrEqualTo(1.9e6);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"plain,extended", "extended,extended", "prepared,extended", "plain,simple"})
    void answersTheMarkedStatementInEveryModeWithoutTheRealServer(String mode, String queryMode) {
        TestServer.execute(
                real, "select pg_stat_statements_reset(0, oid, 0) from pg_database where datname = current_database()");
        Load load = Load.of(
                (number, since) -> 1_000_000,
                Duration.ofMillis(300),
                "--warmup 0 -T 300ms -M " + mode + " --query-mode " + queryMode);
        assertThat(load.reported().errors()).isEmpty();
        assertThat(load.reported().ok()).isPositive();
        load.assertCounts();
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
        try (TruthServer server = new TruthServer(TestServer.port());
                Connection connection = TestServer.connector(through(server)).open(SessionPurpose.CONTROL);
                Statement statement = connection.createStatement()) {
            server.answerAfter((number, since) -> Duration.ofHours(1).toNanos());
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.executeQuery(TruthServer.STATEMENT))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
            assertThat(statement.executeQuery("select 1").next())
                    .as("the session lives on")
                    .isTrue();
            assertThat(server.served()).isEmpty();
        }
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
