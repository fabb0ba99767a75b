package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.result.Bottleneck.FilledByOthers;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.verdict.LongTimes.Suspect;
import io.pgstress.verdict.LongTimes.Suspect.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the client or its machine affected the figures. */
final class ClientChecksTest {
    /** None of its threads waited. */
    private static final ClientTurns TURNS = new ClientTurns(40, 3_000);

    private final Remarks remarks = new Remarks();
    private final ClientChecks checks = new ClientChecks(remarks);

    @Test
    void clientWhoseThreadsWaitedForCoresIsTheLimit() {
        checks.machine(1.9, 2, new ClientTurns(1_700, 2_000), 0, new Evidence.Host(-1, false), 0.1, null);
        assertThat(remarks.all())
                .containsExactly(
                        RemarkCode.CLIENT_CPU.with("cores", 1.9).with("cpus", 2).remark());
    }

    @Test
    void warnsAboutAClientAtItsLimit() {
        checks.machine(1.4, 2, TURNS, 0.01, new Evidence.Host(0.95, false), 0.1, null);
        checks.machine(0, 2, TURNS, 0, new Evidence.Host(-1, false), 0.1, null);
        assertThat(remarks.all()).isEmpty();
        checks.machine(1.41, 2, TURNS, 0.02, new Evidence.Host(0.96, true), 0.1, null);
        assertThat(remarks.all())
                .containsExactly(
                        RemarkCode.CLIENT_CPU
                                .with("cores", 1.41)
                                .with("cpus", 2)
                                .remark(),
                        RemarkCode.CLIENT_COLLECTOR.with("percent", 2.0).remark(),
                        RemarkCode.SHARED_HOST_FULL.remark());
        assertThat(remarks.reasons()).isEmpty();
    }

    @Test
    void waitsOnAFullHostThatOnlyTheServerSharesAreOneWarning() {
        ClientTurns queued = new ClientTurns(1_700, 2_000);
        checks.machine(0.5, 2, queued, 0, new Evidence.Host(0.96, true), 0.1, null);
        checks.turns(queued, new Evidence.Host(0.96, true), 0.1);
        assertThat(remarks.all()).extracting(Remark::code).containsExactly(RemarkCode.SHARED_HOST_WAITS);
        assertThat(remarks.all().get(0).text()).contains("1.70 ms", "(85%)");
        checks.machine(0.5, 2, queued, 0, new Evidence.Host(0.96, true), -1, null);
        assertThat(remarks.all().get(1))
                .as("others may fill it, as of a host of a fleet")
                .isEqualTo(RemarkCode.SHARED_HOST_FULL.remark());
    }

    @Test
    void clientThatMostlyWaitsIsNotTheServersLatency() {
        Evidence.Host shared = new Evidence.Host(0.96, true);
        assertThat(turns(new ClientTurns(42_000, 106_000), shared, 0.6)).containsExactly(RemarkCode.CLIENT_STARVED);
        assertThat(turns(new ClientTurns(42_000, 106_000), new Evidence.Host(0.96, false), -1))
                .as("another machine than the server's")
                .containsExactly(RemarkCode.CLIENT_STARVED);
        assertThat(turns(new ClientTurns(42_000, 106_000), new Evidence.Host(0.5, true), 0.1))
                .as("a shared machine that is not full")
                .containsExactly(RemarkCode.CLIENT_STARVED);
        assertThat(turns(new ClientTurns(42_000, 106_000), shared, -1))
                .as("others may fill the machine, or the server")
                .containsExactly(RemarkCode.CLIENT_WAITS);
        assertThat(turns(new ClientTurns(15_000, 106_000), shared, 0.6)).containsExactly(RemarkCode.CLIENT_WAITS);
        assertThat(turns(new ClientTurns(5_000, 106_000), shared, 0.6)).isEmpty();
        assertThat(turns(new ClientTurns(220, 500), new Evidence.Host(0.21, true), 0.1))
                .as("an idle machine has CPU time for all: its threads take long to wake up")
                .containsExactly(RemarkCode.CLIENT_WAKES);
        assertThat(turns(new ClientTurns(220, 500), new Evidence.Host(0.48, 1, true), 0.1))
                .as("it may use only CPUs that are full, while the others idle")
                .containsExactly(RemarkCode.CLIENT_WAITS);
    }

    private static List<RemarkCode> turns(ClientTurns turns, Evidence.Host host, double others) {
        Remarks remarks = new Remarks();
        new ClientChecks(remarks).turns(turns, host, others);
        return remarks.all().stream().map(Remark::code).toList();
    }

    @Test
    void othersThatFilledTheClientsMachineExplainItsWaits() {
        FilledByOthers clients = new FilledByOthers("this machine", 75, true);
        checks.others(clients, new ClientTurns(42_000, 106_000));
        checks.others(clients, new ClientTurns(15_000, 106_000));
        checks.others(clients, null);
        checks.others(new FilledByOthers("the server", 75, false), new ClientTurns(42_000, 106_000));
        assertThat(remarks.all())
                .containsExactly(
                        RemarkCode.OTHERS_STARVED_CLIENT
                                .with("machine", "this machine")
                                .with("percent", 75.0)
                                .with("ownMillis", 42.0)
                                .with("meanMillis", 106.0)
                                .remark(),
                        RemarkCode.OTHERS_FILLED_MACHINE
                                .with("machine", "this machine")
                                .with("percent", 75.0)
                                .remark(),
                        RemarkCode.OTHERS_FILLED_MACHINE
                                .with("machine", "this machine")
                                .with("percent", 75.0)
                                .remark(),
                        RemarkCode.OTHERS_FILLED_MACHINE
                                .with("machine", "the server")
                                .with("percent", 75.0)
                                .remark());
        assertThat(remarks.reasons()).extracting(Remark::code).containsExactly(RemarkCode.OTHERS_STARVED_CLIENT);
    }

    @Test
    void clientThatStoodStillIsSaid() {
        assertThat(standstills(9, new Suspect(Kind.STANDSTILL, 4, 5.3)))
                .containsExactly(RemarkCode.CLIENT_STOOD_STILL_LONG);
        assertThat(standstills(60, new Suspect(Kind.STANDSTILL, 4, 5.3)))
                .containsExactly(RemarkCode.CLIENT_STOOD_STILL);
        assertThat(standstills(9, new Suspect(Kind.STANDSTILL, -2, -1)))
                .as("in the warm-up")
                .isEmpty();
        assertThat(standstills(9, new Suspect(Kind.COLLECTOR, 4, 5.3))).isEmpty();
    }

    private static List<RemarkCode> standstills(double seconds, Suspect suspect) {
        return standstills(seconds, suspect, true).stream().map(Remark::code).toList();
    }

    private static List<Remark> standstills(double seconds, Suspect suspect, boolean isClosed) {
        Evidence evidence = new Evidence();
        evidence.suspect(suspect);
        Remarks remarks = new Remarks();
        new ClientChecks(remarks).standstills(evidence, seconds, isClosed);
        return remarks.all();
    }

    /** An open loop makes up for the operations afterwards. */
    @Test
    void rateOfAClosedLoopIsLowerByTheStop() {
        Suspect stop = new Suspect(Kind.STANDSTILL, 4, 4.7);
        assertThat(standstills(5, stop, true))
                .singleElement()
                .satisfies(remark ->
                        assertThat((double) remark.figures().get("percent")).isCloseTo(14, within(1e-6)));
        assertThat(standstills(5, stop, false))
                .singleElement()
                .satisfies(remark -> assertThat(remark.figures()).doesNotContainKey("percent"));
        assertThat(standstills(100, stop, true))
                .singleElement()
                .satisfies(remark -> assertThat(remark.figures()).doesNotContainKey("percent"));
    }

    @Test
    void aStopIsNotAPauseOfTheCollector() {
        Evidence evidence = new Evidence();
        evidence.suspect(new Suspect(Kind.STANDSTILL, 4, 5.3));
        evidence.suspect(new Suspect(Kind.COLLECTOR, 3.9, 5.31));
        assertThat(evidence.collectedWhileStandingStill(9)).isCloseTo(1.3, within(1e-9));
        assertThat(evidence.collectedWhileStandingStill(5)).isCloseTo(1, within(1e-9));
    }

    @Test
    void busyHostWithoutAServerIsNamedAlone() {
        checks.machine(0.5, 2, TURNS, 0, new Evidence.Host(0.96, false), 0.1, null);
        checks.machine(0.5, 2, TURNS, 0, new Evidence.Host(0.5, true), 0.1, null);
        checks.machine(0.26, 2, TURNS, 0, new Evidence.Host(0.99, false), -1, 87.0);
        assertThat(remarks.all())
                .containsExactly(
                        RemarkCode.CLIENT_HOST_FULL.remark(),
                        RemarkCode.SHARED_HOST.remark(),
                        RemarkCode.CLIENT_HOST_FILLED.with("percent", 87.0).remark());
    }

    /** A server that sleeps and a client that waits do not compete. */
    @Test
    void sharedHostThatIsMostlyIdleIsNoWarning() {
        checks.machine(0.2, 2, TURNS, 0, new Evidence.Host(0.12, true), 0.1, null);
        assertThat(remarks.all()).isEmpty();

        checks.machine(0.2, 2, TURNS, 0, new Evidence.Host(-1, true), 0.1, null);
        assertThat(remarks.all()).as("unknown").containsExactly(RemarkCode.SHARED_HOST.remark());
    }

    @Test
    void warnsIfTheJvmWasStillCompiling() {
        checks.compiler(0.16, 8, 5, false);
        checks.compiler(0.17, 0.5, 10, false);
        assertThat(remarks.all()).isEmpty();
        checks.compiler(0.17, 8, 5, true);
        assertThat(remarks.all())
                .containsExactly(RemarkCode.CLIENT_COMPILER
                        .with("compilerSeconds", 0.17)
                        .with("clientSeconds", 8.0)
                        .remark());
        assertThat(remarks.reasons()).isEmpty();
    }

    @Test
    void readingsOfAnotherSpanThanTheMeasurementAreNotValid() {
        checks.readings(10.2, 10);
        checks.readings(1.2, 1);
        assertThat(remarks.reasons()).isEmpty();
        checks.readings(20, 8);
        assertThat(remarks.reasons())
                .containsExactly(RemarkCode.LATE_READINGS
                        .with("readSeconds", 20.0)
                        .with("measuredSeconds", 8.0)
                        .remark());
    }

    @Test
    void warnsAboutAChangedClock() {
        checks.clock(0.09, 10);
        checks.clock(-0.5, 60);
        assertThat(remarks.all()).isEmpty();
        checks.clock(-0.2, 10);
        assertThat(remarks.all()).extracting(Remark::code).containsExactly(RemarkCode.WALL_CLOCK);
    }

    @Test
    void clientsBusyElsewhereAreNotTheRequestedLoad() {
        checks.busy(new LittlesLaw(1000, 10, 950_000, 950_000, 0.01, false, 0), false);
        assertThat(remarks.all()).isEmpty();
        checks.busy(new LittlesLaw(1000, 10, 480_000, 480_000, 0.01, false, 0), false);
        assertThat(remarks.reasons())
                .containsExactly(RemarkCode.IDLE_CLIENTS
                        .with("percent", 48.0)
                        .with("busyClients", 480.0)
                        .with("clients", 1000)
                        .remark());
    }

    @Test
    void findsAnImpossibleRateDespiteFailures() {
        checks.busy(new LittlesLaw(1000, 10, 480_000, 480_000, 0.01, false, 0), true);
        assertThat(remarks.all()).isEmpty();
        checks.busy(new LittlesLaw(8, 4, 16, 16, 3.006, false, 24), true);
        assertThat(remarks.reasons()).isNotEmpty();
    }
}
