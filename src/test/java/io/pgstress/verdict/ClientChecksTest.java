package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import org.junit.jupiter.api.Test;

/** When the client or its machine affected the figures. */
final class ClientChecksTest {
    /** None of its threads waited. */
    private static final ClientTurns TURNS = new ClientTurns(0.0, 40.0, 50, 90, new ClientTurns.Typical(300, 300));

    @Test
    void clientWhoseThreadsWaitedForCoresIsTheLimit() {
        Remarks remarks = new Remarks();
        new ClientChecks(remarks)
                .machine(
                        1.9, 2, new ClientTurns(0.5, 200.0, 300, 900, new ClientTurns.Typical(300, 300)), 0, -1, false);
        assertThat(Remark.texts(remarks.all()))
                .containsExactly("the client used 1.90 of 2 cores, and its threads waited for CPU time");
    }

    @Test
    void warnsAboutAClientAtItsLimit() {
        Remarks remarks = new Remarks();
        new ClientChecks(remarks).machine(1.4, 2, TURNS, 0.01, 0.95, false);
        new ClientChecks(remarks).machine(0, 2, TURNS, 0, -1, false);
        assertThat(remarks.all()).isEmpty();
        new ClientChecks(remarks).machine(1.41, 2, TURNS, 0.02, 0.96, true);
        assertThat(Remark.texts(remarks.all()))
                .containsExactly(
                        "the client used 1.41 of 2 cores",
                        "the client's garbage collector paused 2.0% of the time",
                        "client and server share a host, which was idle under 5% of the time: they compete for its cores");
        assertThat(remarks.reasons()).isEmpty();
    }

    @Test
    void queuesOnAFullHostThatTheServerSharesAreOneWarning() {
        ClientTurns queued = new ClientTurns(0.5, 200.0, 300, 900, new ClientTurns.Typical(300, 300));
        String waits =
                "for about 0.20 of the 0.30 ms of an average operation, the answer had arrived and the client was"
                        + " waiting for its turn";
        Remarks remarks = new Remarks();
        new ClientChecks(remarks).machine(0.5, 2, queued, 0, 0.96, true);
        new ClientChecks(remarks).turns(queued, new Evidence.Host(0.96, true));
        assertThat(Remark.texts(remarks.all()))
                .containsExactly(
                        "client and server share a host, which was idle under 5% of the time: they compete for its"
                                + " cores; " + waits);

        Remarks apart = new Remarks();
        new ClientChecks(apart).turns(queued, new Evidence.Host(0.96, false));
        assertThat(apart.all()).singleElement().asString().contains("inside the load tester: " + waits);
    }

    @Test
    void busyHostWithoutAServerIsNamedAlone() {
        Remarks remarks = new Remarks();
        new ClientChecks(remarks).machine(0.5, 2, TURNS, 0, 0.96, false);
        new ClientChecks(remarks).machine(0.5, 2, TURNS, 0, 0.5, true);
        assertThat(Remark.texts(remarks.all()))
                .containsExactly(
                        "the client's host was idle under 5% of the time",
                        "client and server share a host: they compete for its cores");
    }

    @Test
    void warnsIfTheJvmWasStillCompiling() {
        Remarks remarks = new Remarks();
        new ClientChecks(remarks).compiler(0.16, 8);
        assertThat(remarks.all()).isEmpty();
        new ClientChecks(remarks).compiler(0.17, 8);
        assertThat(remarks.all())
                .singleElement()
                .asString()
                .contains("compiler used 0.17 s of the client's 8.00 s of CPU time", "warm up");
        assertThat(remarks.reasons()).isEmpty();
    }

    @Test
    void readingsOfAnotherSpanThanTheMeasurementAreNotValid() {
        Remarks remarks = new Remarks();
        new ClientChecks(remarks).readings(10.2, 10);
        new ClientChecks(remarks).readings(1.2, 1);
        assertThat(remarks.reasons()).isEmpty();
        new ClientChecks(remarks).readings(20, 8);
        assertThat(remarks.reasons()).isNotEmpty();
        assertThat(Remark.texts(remarks.all()))
                .containsExactly("the run's own thread was delayed: CPU and network figures cover 20.0 s, not the 8.0 s"
                        + " that were measured");
    }

    @Test
    void warnsAboutAChangedClock() {
        Remarks remarks = new Remarks();
        new ClientChecks(remarks).clock(0.09, 10);
        new ClientChecks(remarks).clock(-0.5, 60);
        assertThat(remarks.all()).isEmpty();
        new ClientChecks(remarks).clock(-0.2, 10);
        assertThat(remarks.all()).extracting(Remark::code).containsExactly(RemarkCode.WALL_CLOCK);
    }

    @Test
    void clientsBusyElsewhereAreNotTheRequestedLoad() {
        Remarks remarks = new Remarks();
        new ClientChecks(remarks).busy(new LittlesLaw(1000, 10, 950_000, 950_000, 0.01, false, 0), false);
        assertThat(remarks.all()).isEmpty();
        new ClientChecks(remarks).busy(new LittlesLaw(1000, 10, 480_000, 480_000, 0.01, false, 0), false);
        assertThat(remarks.reasons())
                .singleElement()
                .asString()
                .contains("only 48% of the time", "480.0 clients, not 1,000");
    }

    @Test
    void findsAnImpossibleRateDespiteFailures() {
        Remarks remarks = new Remarks();
        new ClientChecks(remarks).busy(new LittlesLaw(1000, 10, 480_000, 480_000, 0.01, false, 0), true);
        assertThat(remarks.all()).isEmpty();
        new ClientChecks(remarks).busy(new LittlesLaw(8, 4, 16, 16, 3.006, false, 24), true);
        assertThat(remarks.reasons()).isNotEmpty();
    }
}
