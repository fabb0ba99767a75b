package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.Outcome;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RateStep;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a result is not valid or gets a warning. */
final class ChecksTest {
    private static Remarks rate(long due, Long backlog) {
        Remarks remarks = new Remarks();
        new LoadChecks(remarks).rate(due, due - backlog, 10, List.of(), backlog);
        return remarks;
    }

    @Test
    void operationsInFlightAtTheEndAreNotLate() {
        // 20 a second of 150 ms each: three in flight at the end, none waits
        assertThat(rate(200, 0L).reasons().isEmpty()).isTrue();
    }

    @Test
    void backlogOfMoreThanOnePercentMeansFallingBehind() {
        assertThat(rate(1000, 10L).reasons().isEmpty()).isTrue();
        Remarks behind = rate(1000, 11L);
        assertThat(behind.reasons()).isNotEmpty();
        assertThat(behind.all())
                .containsExactly(
                        "overload: served 99 of 100 operations per second; the backlog grew by 1 per second, to 11");
    }

    @Test
    void oneLateOperationOfFewIsNoOverload() {
        assertThat(rate(60, 1L).all()).isEmpty();
        assertThat(rate(60, 2L).reasons()).isNotEmpty();
    }

    @Test
    void reportsOverloadInOperationsPerSecond() {
        Remarks remarks = new Remarks();
        new LoadChecks(remarks).rate(600_000, 450_000, 10, List.of(), 150_000L);

        assertThat(remarks.reasons())
                .containsExactly(
                        "overload: served 45,000 of 60,000 operations per second; the backlog grew by 15,000 per"
                                + " second, to 150,000");
    }

    @Test
    void stepsMayIncludeATooHighRate() {
        RateStep kept = new RateStep(0, 5, 1000, 1000, null, 0, true);
        RateStep lost = new RateStep(5, 5, 4000, 2000, null, 10_000, false);
        Remarks remarks = new Remarks();
        new LoadChecks(remarks).rate(25_000, 15_000, 10, List.of(kept, lost), 10_000L);

        assertThat(remarks.reasons()).isEmpty();
        assertThat(remarks.warnings().get(0)).endsWith("; the server kept up at 1,000 per second");
    }

    /** None of its threads waited. */
    private static final ClientTurns TURNS = new ClientTurns(0.0, 40.0, 50, 90, new ClientTurns.Typical(300, 300));

    @Test
    void clientWhoseThreadsWaitedForCoresIsTheLimit() {
        Remarks remarks = new Remarks();
        new ClientChecks(remarks)
                .machine(
                        1.9, 2, new ClientTurns(0.5, 200.0, 300, 900, new ClientTurns.Typical(300, 300)), 0, -1, false);
        assertThat(remarks.all())
                .containsExactly("the client used 1.90 of 2 cores, and its threads waited for CPU time");
    }

    @Test
    void warnsAboutAClientAtItsLimit() {
        Remarks remarks = new Remarks();
        new ClientChecks(remarks).machine(1.4, 2, TURNS, 0.01, 0.95, false);
        new ClientChecks(remarks).machine(0, 2, TURNS, 0, -1, false);
        assertThat(remarks.all()).isEmpty();
        new ClientChecks(remarks).machine(1.41, 2, TURNS, 0.02, 0.96, true);
        assertThat(remarks.all())
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
        assertThat(remarks.all())
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
        assertThat(remarks.all())
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
        assertThat(remarks.all())
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
        assertThat(remarks.all().get(0)).contains("wall clock moved by -0.2 s");
    }

    @Test
    void clientsBusyElsewhereAreNotTheRequestedLoad() {
        Remarks remarks = new Remarks();
        new ClientChecks(remarks).busy(new LittlesLaw(1000, 10, 950_000, 0.01, 0), false);
        assertThat(remarks.all()).isEmpty();
        new ClientChecks(remarks).busy(new LittlesLaw(1000, 10, 480_000, 0.01, 0), false);
        assertThat(remarks.reasons())
                .singleElement()
                .asString()
                .contains("only 48% of the time", "480.0 clients, not 1,000");
    }

    @Test
    void findsAnImpossibleRateDespiteFailures() {
        Remarks remarks = new Remarks();
        new ClientChecks(remarks).busy(new LittlesLaw(1000, 10, 480_000, 0.01, 0), true);
        assertThat(remarks.all()).isEmpty();
        new ClientChecks(remarks).busy(new LittlesLaw(8, 4, 16, 3.006, 24), true);
        assertThat(remarks.reasons()).isNotEmpty();
    }

    @Test
    void warnsAboutOperationsInFlightAtTheEndOfAnOpenLoad() {
        Remarks remarks = new Remarks();
        new LoadChecks(remarks).rate(1000, 700, 10, List.of(), 0L);
        assertThat(remarks.reasons()).isEmpty();
        assertThat(remarks.warnings()).singleElement().asString().startsWith("700 of the 1,000 operations");
    }

    @Test
    void warnsAboutFrequentPauses() {
        Remarks remarks = new Remarks();
        new LoadChecks(remarks).pauses(0, 0, 1000);
        new LoadChecks(remarks).pauses(2, 20_000, 1000);
        assertThat(remarks.all()).isEmpty();
        new LoadChecks(remarks).pauses(2, 2_000, 1000);
        assertThat(remarks.all().get(0)).contains("used up every 1,000 operations, and 1,000 clients");
    }

    @Test
    void warnsAboutMisses() {
        Remarks remarks = new Remarks();
        new OutcomeChecks(remarks)
                .emptyHanded(Map.of("find_first", result(990, 10, 0), "find_insert", result(90, 0, 0)));
        assertThat(remarks.all()).isEmpty();
        new OutcomeChecks(remarks).emptyHanded(Map.of("find_first", result(98, 2, 0)));
        new OutcomeChecks(remarks).emptyHanded(Map.of("find_insert", result(50, 0, 50)));
        assertThat(remarks.all())
                .containsExactly(
                        "2.0% of find_first matched no row; misses are excluded from rates",
                        "50.0% of find_insert met a duplicate key; duplicates are excluded from rates");
    }

    @Test
    void moreThanOnePercentOfFailuresIsNotValidByDefault() {
        assertThat(failed(100, 0).all()).isEmpty();
        Remarks few = failed(99, 1);
        assertThat(few.reasons()).isEmpty();
        assertThat(few.warnings())
                .containsExactly(
                        "1 of 100 operations failed (1.00%); they are excluded from rates and times; most often"
                                + " 40P01: deadlock");
        Remarks many = failed(98, 2);
        assertThat(many.reasons()).isNotEmpty();
        assertThat(many.reasons())
                .containsExactly(
                        "2 of 100 operations failed (2.00%), more than --max-error-rate 1%; most often 40P01: deadlock");
    }

    private static Remarks failed(long ok, long failed) {
        Remarks remarks = new Remarks();
        new OutcomeChecks(remarks)
                .operations(
                        0.01,
                        Map.of(
                                "find_update",
                                result(
                                        ok,
                                        0,
                                        0,
                                        failed == 0
                                                ? Map.of()
                                                : Map.of(
                                                        "40P01", new OperationResult.ErrorCount(failed, "deadlock")))));
        return remarks;
    }

    private static OperationResult result(long ok, long misses, long duplicates) {
        return result(ok, misses, duplicates, Map.of());
    }

    private static OperationResult result(
            long ok, long misses, long duplicates, Map<String, OperationResult.ErrorCount> errors) {
        return new OperationResult(ok, ok, misses, duplicates, 0, 0, 0, ok, errors, ok, ok, null, Map.of(), Map.of());
    }

    @Test
    void serverSilentDuringTheMeasurementMakesTheRunInvalid() {
        Remarks before = silences(1, new Silence("dn1", "datanode", null, -4, -4, -1, true));
        assertThat(before.reasons()).isEmpty();
        assertThat(before.warnings()).hasSize(1);
        Remarks during = silences(1, new Silence("dn1", "datanode", null, 4, 6, 12, true));
        assertThat(during.reasons())
                .containsExactly("dn1 (datanode) did not answer its checks between 4.0 s and 12.0 s");
    }

    @Test
    void serverSilentOnlyAfterTheMeasurementLeavesTheRunValid() {
        Remarks after = silences(1, new Silence("dn1", "datanode", null, 59, 60.5, 64, false));

        assertThat(after.reasons()).isEmpty();
        assertThat(after.warnings()).hasSize(1);
    }

    @Test
    void reportsSilenceOfAllServersWithWhatToCheck() {
        Silence first = new Silence("c1", "coordinator", null, 4, 5, 12, true);
        Silence other = new Silence("dn1", "datanode", null, 6, 7, 20, false);
        Silence before = new Silence("dn1", "datanode", null, 1, 2, 4.5, true);

        assertThat(silences(2, first, before, other).all())
                .endsWith("all 2 servers of the cluster were silent at once, at about 9 s: is the GTM up?");
        assertThat(silences(2, first, before).all()).noneMatch(w -> w.startsWith("all "));
        assertThat(silences(2, first).all()).hasSize(1);
    }

    private static Remarks silences(int servers, Silence... silences) {
        Evidence evidence = new Evidence();
        evidence.servers(servers, "is the GTM up?");
        List.of(silences).forEach(evidence::silence);
        return silences(evidence);
    }

    private static Remarks silences(Evidence evidence) {
        Remarks remarks = new Remarks();
        new OutcomeChecks(remarks).silences(evidence, 60);
        return remarks;
    }

    /**
     * One client's operations on a node end at one time and resume at another; the control connection is silent from 4 s to 12
     * s.
     */
    private static Remarks silentBeside(int fromMillis, int toMillis) {
        PlayedRun run = new PlayedRun(60_000, 1, 0);
        run.busy(0, 0, fromMillis)
                .operation(0, Outcome.OK, fromMillis, toMillis)
                .busy(0, toMillis, 60_000);
        return silentBeside(run);
    }

    @Test
    void serverWhoseOperationsContinuedIsNotUnavailable() {
        assertThat(silentBeside(30_000, 30_001).all())
                .containsExactly(
                        "c1 (coordinator) did not answer its checks between 4.0 s and 12.0 s, although operations on"
                                + " it continued");
    }

    /** The control connection is silent from 4 s to 12 s; the first check of it was sent at 5 s. */
    private static Remarks silentBeside(PlayedRun run) {
        Evidence evidence = new Evidence();
        evidence.answers(run.answers("url"));
        evidence.servers(1, "");
        evidence.silence(new Silence("c1", "coordinator", "url", 4, 5, 12, true));
        return silences(evidence);
    }

    private static void assertWentOn(PlayedRun run) {
        assertThat(silentBeside(run).all())
                .containsExactly(
                        "c1 (coordinator) did not answer its checks between 4.0 s and 12.0 s, although operations"
                                + " on it continued");
    }

    private static void assertWasUnavailable(PlayedRun run) {
        assertThat(silentBeside(run).reasons())
                .containsExactly("c1 (coordinator) did not answer its checks between 4.0 s and 12.0 s");
    }

    @Test
    void aLostControlConnectionBesideLongOperationsLeavesTheRunValid() {
        PlayedRun run = new PlayedRun(60_000, 9_000, 0, 0);
        for (int at = 0; at < 54_000; at += 9_000) {
            run.operation(0, Outcome.OK, at + 3_500, at + 12_600);
            run.operation(1, Outcome.OK, at + 3_800, at + 12_800);
        }

        assertWentOn(run);
    }

    @Test
    void aLostControlConnectionBesideALowRateLeavesTheRunValid() {
        PlayedRun run = new PlayedRun(60_000, 1, 0);
        for (int at = 3_000; at < 60_000; at += 5_000) {
            run.operation(0, Outcome.OK, at, at + 1);
        }

        assertWentOn(run);
    }

    @Test
    void aFrozenServerDelaysLongOperations() {
        PlayedRun run = new PlayedRun(60_000, 9_000, 0, 0);
        run.operation(0, Outcome.OK, 3_500, 19_500).operation(1, Outcome.OK, 3_800, 19_800);

        assertWasUnavailable(run);
    }

    @Test
    void operationsThatFailDuringASilenceDoNotContradictIt() {
        PlayedRun run = new PlayedRun(60_000, 1, 0);
        run.operation(0, Outcome.OK, 3_000, 3_001).operation(0, Outcome.FAILED, 7_000, 7_001);
        run.operation(0, Outcome.OK, 11_000, 11_001);

        assertWasUnavailable(run);
    }

    @Test
    void anAnswerAtTheEdgeOfASilenceDoesNotContradictIt() {
        PlayedRun run = new PlayedRun(60_000, 1, 0);
        run.operation(0, Outcome.OK, 5_010, 5_011).operation(0, Outcome.OK, 11_900, 11_901);

        assertWasUnavailable(run);
    }

    @Test
    void serverNamedBesideAnOutageHasNoSecondTime() {
        assertThat(silentBeside(5_500, 11_800).all()).isEmpty();
    }

    @Test
    void serverWithoutOperationsIsNotSaidToHaveContinued() {
        Evidence evidence = new Evidence();
        evidence.answers(new PlayedRun(60_000, 1, 0).answers("url"));
        evidence.silence(new Silence("c1", "coordinator", "url", 4, 5, 12, true));

        assertThat(silences(evidence).reasons())
                .containsExactly("c1 (coordinator) did not answer its checks between 4.0 s and 12.0 s");
    }

    @Test
    void reportsAStallPerOperation() {
        OperationResult slow = timed(100, 900_000);
        Map<String, OperationResult> operations = Map.of("find", timed(900_000, 1_000_000), "find_first", slow);
        Remarks alone = new Remarks();
        new LoadChecks(alone).stalls(operations);
        assertThat(alone.warnings())
                .containsExactly("a stall: the slowest find_first took 0.9 s, 9000 times its median");
    }

    private static OperationResult timed(double p50, double max) {
        Latency total = new Latency(100, p50, p50, p50, p50, p50, p50, max, null, null, null);
        return new OperationResult(
                100, 100L, 0, 0, 0, 0, 0, 100, Map.of(), 1, 1, null, Map.of(), Map.of("total", total));
    }
}
