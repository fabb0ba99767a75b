package io.pgstress.probe.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.OperationAt.RunningOperation;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Timeline;
import io.pgstress.probe.waits.SessionQuery.Session;
import io.pgstress.probe.waits.SessionQuery.Sessions;
import io.pgstress.probe.waits.WaitSamples.Questions;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialects;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Samples of sessions, and the clients that answer for them. */
final class SessionSampleTest {
    /** A sample that the server took at 1000 s of its clock, known to 200 us. */
    private static SessionSample sample(long number, long nanos, Map<Integer, Session> sessions) {
        return new SessionSample(
                (sample, client, running) -> {},
                number,
                0,
                new SessionSample.Time(nanos, nanos, nanos, 200_000, 1000, 0),
                new Sessions(1000, 0, sessions, List.of(), Map.of(), Map.of(), Set.of()),
                null);
    }

    /** @param began when it began its statement, by the server's clock in seconds */
    private static Session session(double began) {
        return new Session("active", null, null, List.of(), 1, false, began);
    }

    /** A coordinator of Postgres-XL has no wait event while it waits for a datanode. */
    @ParameterizedTest
    @CsvSource({
        "postgres-xl, true, waiting for datanodes or on CPU",
        "postgres-xl, false, on CPU",
        "citus, true, on CPU",
        "postgres, true, on CPU"
    })
    void sessionWithoutAWaitEventIsNotCalledBusyIfItMayWaitForDatanodes(
            String target, boolean takesClients, String inTotals) throws SQLException {
        Dialect dialect = Dialects.of(target, null);

        assertThat(session(0).inTotals(WaitSamples.withoutEvent(dialect, takesClients), Set.of()))
                .isEqualTo(inTotals);
    }

    /** Waits have PostgreSQL's usual notation, as everywhere else. */
    @ParameterizedTest
    @CsvSource({
        "active, Lock, tuple, Lock:tuple",
        "active, Client, ClientRead, Client:ClientRead",
        "idle, Client, ClientRead, idle",
        "idle in transaction, Client, ClientRead, idle in transaction",
        "idle, LWLock, ProcArray, idle (LWLock:ProcArray)",
        "idle, , , idle",
        ", Lock, tuple, unknown state (Lock:tuple)"
    })
    void sessionsAreNamedByTheirWaitOrState(String state, String type, String event, String inTotals) {
        assertThat(new Session(state, type, event, List.of(), 1, false, 0).inTotals("CPU", Set.of()))
                .isEqualTo(inTotals);
    }

    /** While the coordinator of Citus waits for workers, its event is that of a session that waits for its client. */
    @ParameterizedTest
    @CsvSource({
        "active, Client, ClientRead, false, waiting for workers",
        "active, Extension, Extension, false, waiting for workers (Extension:Extension)",
        "active, Client, ClientRead, true, Client:ClientRead",
        "active, Lock, tuple, false, Lock:tuple",
        "idle in transaction, Client, ClientRead, false, idle in transaction"
    })
    void coordinatorOfCitusWaitsForWorkersAndNotForItsClient(
            String state, String type, String event, boolean copies, String inTotals) throws SQLException {
        Set<String> ofNodes = Objects.requireNonNull(Dialects.of("citus", null).sessionNumbers())
                .waits();

        assertThat(new Session(state, type, event, List.of(), 1, copies, 0).inTotals("CPU", ofNodes))
                .isEqualTo(inTotals);
    }

    /** A transaction has one number on all nodes of Postgres-XL, and a session another one for each of its transactions. */
    @Test
    void numberOfATransactionIsThatOfTheNearestSampleInItsOperation() {
        Questions questions = new Questions();
        RunningOperation running = running(7, 1_000, 1_000);
        questions.sampled(0, 900, Map.of(7, 41L));
        questions.sampled(0, 2_000, Map.of(7, 42L, 8, 50L));
        questions.sampled(0, 3_000, Map.of(8, 50L));
        questions.sampled(0, 9_000, Map.of(7, 43L));

        assertThat(questions.number(0, running, 1_001)).isEqualTo(42);
        assertThat(questions.number(0, running, 3_000)).isEqualTo(42);
        assertThat(questions.number(0, running, 8_000)).isEqualTo(43);
        assertThat(questions.number(1, running, 3_000))
                .as("another coordinator")
                .isNull();
        assertThat(questions.number(0, running(9, 1_000, 1_000), 3_000)).isNull();
    }

    /** The server was not sampled from 1.2 s on, although a sample was due at 0.4 s. */
    @Test
    void sampleStandsForTheTimeToTheMiddleBetweenItAndItsNeighbours() {
        long millis = 1_000_000;
        List<SessionSample> samples = Stream.of(0, 100, 200, 400, 1200)
                .map(at -> sample(at, at * millis, Map.of()))
                .toList();
        samples.get(1).follow(samples.get(0), 100 * millis);
        samples.get(2).follow(samples.get(1), 100 * millis);
        samples.get(3).follow(samples.get(2), 200 * millis);
        samples.get(4).follow(samples.get(3), 200 * millis);
        samples.get(4).isLast(100 * millis);
        samples.get(2).inTotals = Map.of("Lock:relation", 6L, "idle", 2L);
        samples.get(1).inTotals = Map.of("idle", 8L);
        Map<String, Double> seconds = new TreeMap<>();
        samples.forEach(sample -> sample.addTo(seconds));

        assertThat(samples).extracting(sample -> sample.weight() / millis).containsExactly(50L, 100L, 150L, 300L, 250L);
        assertThat(seconds).containsOnlyKeys("Lock:relation", "idle");
        assertThat(seconds.get("Lock:relation")).isCloseTo(0.9, within(1e-9));
        assertThat(seconds.get("idle")).isCloseTo(1.1, within(1e-9));
    }

    /** Of an hour of samples. A second client hangs from the second one on, and a third after half of the time. */
    @Test
    void samplesOfClientsThatHangAreFewAndTheSame() {
        int max = 100;
        int taken = 200_000;
        Timeline timeline = new Timeline(IntervalGrid.of(1), List.of(new OperationShape("op", List.of())), 1);
        List<SampledClient> clients = new ArrayList<>();
        List<SessionSample> samples = new ArrayList<>();
        for (int number = 0; number < taken; number++) {
            if (number == 0 || number == 1 || number == taken / 2) {
                clients.add(new SampledClient(new ClientRecorder(timeline, 0, 0)));
            }
            SessionSample sample = sample(number, number, Map.of(1, session(0)));
            sample.asked(clients.size());
            clients.forEach(client -> client.add(sample, max));
            samples.add(sample);
        }

        for (SampledClient client : clients) {
            assertThat(client.open).hasSizeBetween(max / 4, max);
        }
        List<SessionSample> kept =
                samples.stream().filter(sample -> !sample.sessions().isEmpty()).toList();
        assertThat(kept).hasSizeLessThan(2 * max).containsAll(clients.get(0).open);
        assertThat(kept.get(0).number).isLessThan(taken / 20);
        assertThat(kept.get(kept.size() - 1).number).isGreaterThan(taken - taken / 20);
    }

    /** The time of a sample is not exact: the session may still run the statement of the operation before. */
    @Test
    void sampleOfAStatementThatBeganBeforeTheOperationIsNotOfIt() {
        long now = 5_000_000_000L;
        SessionSample sample = sample(0, now, Map.of(7, session(999.98), 8, session(999.9999)));

        assertThat(sample.isOfEarlier(running(7, now - 70_000, now - 70_000))).isTrue();
        assertThat(sample.isOfEarlier(running(7, now - 20_100_000, now - 20_100_000)))
                .isFalse();
        assertThat(sample.isOfEarlier(running(8, now - 70_000, now - 70_000)))
                .as("not surely")
                .isFalse();
        assertThat(sample.isOfEarlier(running(9, now - 70_000, now - 70_000)))
                .as("runs no statement")
                .isFalse();
        assertThat(sample.isOfEarlier(running(7, now - 70_000, now + 1)))
                .as("waits for the connection, which another client uses")
                .isFalse();
        assertThat(sample.isOfEarlier(running(7, now - 30_000_000, now - 50_000)))
                .as("another client used the connection before")
                .isTrue();
    }

    private static RunningOperation running(int session, long start, long connected) {
        return new RunningOperation(session, 0, true, start, connected, start + 100_000_000);
    }
}
