package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.OperationResult;
import io.pgstress.result.Outage;
import io.pgstress.result.RateStep;
import io.pgstress.testing.Runs;
import io.pgstress.verdict.ClientTurns;
import io.pgstress.verdict.LittlesLaw;
import io.pgstress.verdict.Silence;
import io.pgstress.verdict.SilentServers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a result is not to be believed, or only with a warning. */
final class ValidityTest {
    private static Validity rate(long due, Long backlog) {
        Validity validity = new Validity();
        new LoadChecks(validity).rate(due, due - backlog, 10, List.of(), backlog);
        return validity;
    }

    @Test
    void whatIsInFlightAtTheEndIsNotBehind() {
        // 20 a second of 150 ms each: three in flight at the end, none waits
        assertThat(rate(200, 0L).isValid()).isTrue();
    }

    @Test
    void aBacklogOfMoreThanOnePercentIsBehind() {
        assertThat(rate(1000, 10L).isValid()).isTrue();
        Validity behind = rate(1000, 11L);
        assertThat(behind.isValid()).isFalse();
        assertThat(behind.remarks())
                .containsExactly(
                        "overload: served 99 of 100 operations per second; the backlog grew by 1 per second, to 11");
    }

    @Test
    void overloadIsToldInOperationsPerSecond() {
        Validity validity = new Validity();
        new LoadChecks(validity).rate(600_000, 450_000, 10, List.of(), 150_000L);

        assertThat(validity.reasons())
                .containsExactly(
                        "overload: served 45,000 of 60,000 operations per second; the backlog grew by 15,000 per"
                                + " second, to 150,000");
    }

    @Test
    void stepsLookForTheRateThatIsTooHigh() {
        RateStep kept = new RateStep(0, 5, 1000, 1000, null, 0, true);
        RateStep lost = new RateStep(5, 5, 4000, 2000, null, 10_000, false);
        Validity validity = new Validity();
        new LoadChecks(validity).rate(25_000, 15_000, 10, List.of(kept, lost), 10_000L);

        assertThat(validity.isValid()).isTrue();
        assertThat(validity.warnings().get(0)).endsWith("; the load was kept up with at 1,000 per second");
    }

    /** None of its threads waited. */
    private static final ClientTurns TURNS = new ClientTurns(0.0, 50, 90, 300);

    @Test
    void aClientWhoseThreadsWaitedForItsCoresIsTheLimit() {
        Validity validity = new Validity();
        new ClientChecks(validity).machine(1.9, 2, new ClientTurns(0.5, 300, 900, 300), 0, -1, false);
        assertThat(validity.remarks())
                .containsExactly("the client used 1.90 of 2 cores, and its threads waited for them");
    }

    @Test
    void aClientAtItsLimitIsWarnedOf() {
        Validity validity = new Validity();
        new ClientChecks(validity).machine(1.4, 2, TURNS, 0.01, 0.95, false);
        new ClientChecks(validity).machine(0, 2, TURNS, 0, -1, false);
        assertThat(validity.remarks()).isEmpty();
        new ClientChecks(validity).machine(1.41, 2, TURNS, 0.02, 0.96, true);
        assertThat(validity.remarks())
                .containsExactly(
                        "the client used 1.41 of 2 cores",
                        "the client's garbage collector paused 2.0% of the time",
                        "the client's host was idle under 5% of the time",
                        "client and server share a host: they compete for its cores");
        assertThat(validity.isValid()).isTrue();
    }

    @Test
    void readingsOfAnotherSpanThanTheMeasurementAreNotValid() {
        Validity validity = new Validity();
        new ClientChecks(validity).readings(10.2, 10);
        new ClientChecks(validity).readings(1.2, 1);
        assertThat(validity.isValid()).isTrue();
        new ClientChecks(validity).readings(20, 8);
        assertThat(validity.isValid()).isFalse();
        assertThat(validity.remarks())
                .containsExactly(
                        "the run's own thread was held up: CPU and network are of 20.0 s, not of the 8.0 s that"
                                + " were measured");
    }

    @Test
    void aClockThatWasSetIsWarnedOf() {
        Validity validity = new Validity();
        new ClientChecks(validity).clock(0.09, 10);
        new ClientChecks(validity).clock(-0.5, 60);
        assertThat(validity.remarks()).isEmpty();
        new ClientChecks(validity).clock(-0.2, 10);
        assertThat(validity.remarks().get(0)).contains("wall clock moved by -0.2 s");
    }

    @Test
    void clientsThatDidSomethingElseAreNotTheLoadThatWasAskedFor() {
        Validity validity = new Validity();
        new ClientChecks(validity).busy(new LittlesLaw(1000, 10, 950_000, 0.01, 0), false);
        assertThat(validity.remarks()).isEmpty();
        new ClientChecks(validity).busy(new LittlesLaw(1000, 10, 480_000, 0.01, 0), false);
        assertThat(validity.reasons())
                .singleElement()
                .asString()
                .contains("48% of the time only", "480.0 clients, not of 1,000");
    }

    @Test
    void aRateThatClientsCannotReachIsFoundWhereOperationsFailedToo() {
        Validity validity = new Validity();
        new ClientChecks(validity).busy(new LittlesLaw(1000, 10, 480_000, 0.01, 0), true);
        assertThat(validity.remarks()).isEmpty();
        new ClientChecks(validity).busy(new LittlesLaw(8, 4, 16, 3.006, 24), true);
        assertThat(validity.isValid()).isFalse();
    }

    @Test
    void operationsThatWereUnderWayAtTheEndOfAnOpenLoadAreWarnedOf() {
        Validity validity = new Validity();
        new LoadChecks(validity).rate(1000, 700, 10, List.of(), 0L);
        assertThat(validity.isValid()).isTrue();
        assertThat(validity.warnings()).singleElement().asString().startsWith("700 of the 1,000 operations");
    }

    @Test
    void haltsAfterFewOperationsAreWarnedOf() {
        Validity validity = new Validity();
        new LoadChecks(validity).halts(0, 0, 1000);
        new LoadChecks(validity).halts(2, 20_000, 1000);
        assertThat(validity.remarks()).isEmpty();
        new LoadChecks(validity).halts(2, 2_000, 1000);
        assertThat(validity.remarks().get(0)).contains("used up every 1,000 operations, and 1,000 clients");
    }

    @Test
    void operationsThatFoundNothingAreWarnedOf() {
        Validity validity = new Validity();
        new OutcomeChecks(validity)
                .emptyHanded(Map.of("find_first", result(990, 10, 0), "find_insert", result(90, 0, 0)));
        assertThat(validity.remarks()).isEmpty();
        new OutcomeChecks(validity).emptyHanded(Map.of("find_first", result(98, 2, 0)));
        new OutcomeChecks(validity).emptyHanded(Map.of("find_insert", result(50, 0, 50)));
        assertThat(validity.remarks())
                .containsExactly(
                        "2.0% of find_first matched no row; misses are excluded from rates",
                        "50.0% of find_insert met a duplicate key; duplicates are excluded from rates");
    }

    @Test
    void moreThanOnePercentOfFailuresIsNotValidByDefault() {
        assertThat(failed(100, 0).remarks()).isEmpty();
        Validity few = failed(99, 1);
        assertThat(few.isValid()).isTrue();
        assertThat(few.warnings())
                .containsExactly(
                        "1 of 100 operations failed (1.00%); they are excluded from rates and times; most often"
                                + " 40P01: deadlock");
        Validity many = failed(98, 2);
        assertThat(many.isValid()).isFalse();
        assertThat(many.reasons())
                .containsExactly(
                        "2 of 100 operations failed (2.00%), more than --max-error-rate 1%; most often 40P01: deadlock");
    }

    private static Validity failed(long ok, long failed) {
        Validity validity = new Validity();
        new OutcomeChecks(validity)
                .operations(
                        Runs.spec(),
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
        return validity;
    }

    private static OperationResult result(long ok, long misses, long duplicates) {
        return result(ok, misses, duplicates, Map.of());
    }

    private static OperationResult result(
            long ok, long misses, long duplicates, Map<String, OperationResult.ErrorCount> errors) {
        return new OperationResult(ok, ok, misses, duplicates, 0, 0, 0, ok, errors, ok, ok, null, Map.of(), Map.of());
    }

    @Test
    void aServerThatWasSilentDuringTheMeasurementMakesTheRunNotValid() {
        Validity before = new Validity();
        nodes(before, new Silence("dn1", "datanode", null, -4, -4, -1, true));
        assertThat(before.isValid()).isTrue();
        assertThat(before.warnings()).hasSize(1);
        Validity during = new Validity();
        nodes(during, new Silence("dn1", "datanode", null, 4, 6, 12, true));
        assertThat(during.reasons())
                .containsExactly("dn1 (datanode) did not answer its checks between 4.0 s and 12.0 s");
    }

    @Test
    void silenceOfAllServersAtOnceIsToldWithWhatToLookAt() {
        Silence first = new Silence("c1", "coordinator", null, 4, 5, 12, true);
        Silence other = new Silence("dn1", "datanode", null, 6, 7, 20, false);
        Silence before = new Silence("dn1", "datanode", null, 1, 2, 4.5, true);

        assertThat(nodes(first, before, other))
                .endsWith("all 2 servers of the cluster were silent at once, at about 9 s: is the GTM up?");
        assertThat(nodes(first, before)).noneMatch(w -> w.startsWith("all "));
        assertThat(nodes(first)).hasSize(1);
    }

    @Test
    void aServerWhoseOperationsWentOnIsNotSaidToHaveBeenAway() {
        assertThat(nodes(new Silence("c1", "coordinator", "url", 4, 5, 12, true)))
                .containsExactly(
                        "c1 (coordinator) did not answer its checks between 4.0 s and 12.0 s, though operations on"
                                + " it went on");
    }

    @Test
    void aServerThatIsNamedBesideAnOutageHasNoSecondTime() {
        Silence silence = new Silence("c1", "coordinator", "url", 2, 3, 8, true);
        SilentServers silent = new SilentServers(List.of(new Outage(4, 5.7, null)), List.of(silence));
        Validity validity = new Validity();
        new OutcomeChecks(validity).nodes(List.of(silence), silent, 1, "");

        assertThat(validity.remarks()).isEmpty();
    }

    private static List<String> nodes(Silence... silences) {
        Validity validity = new Validity();
        new OutcomeChecks(validity)
                .nodes(List.of(silences), new SilentServers(List.of(), List.of(silences)), 2, "is the GTM up?");
        return validity.remarks();
    }

    private static void nodes(Validity validity, Silence silence) {
        List<Silence> silences = List.of(silence);
        new OutcomeChecks(validity).nodes(silences, new SilentServers(List.of(), silences), 3, "");
    }
}
