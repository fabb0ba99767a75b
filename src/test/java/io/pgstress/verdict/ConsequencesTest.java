package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.report.Samples;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.Counts;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.ErrorCount;
import io.pgstress.result.Outage;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.text.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** One fact is one remark, and no reason is left out unless its cause is a reason. */
final class ConsequencesTest {
    private static final Outage FROZEN = new Outage(4, 7, null).withSilentServers(List.of("w1 (worker)"));

    @Test
    void downtimeAndErrorsOfALostServerAreNoFurtherReasons() {
        assertThat(codes(Judge.judged(run("", 0, FROZEN)).reasons())).containsExactly(RemarkCode.SERVER_UNAVAILABLE);
        assertThat(Judge.judged(run("", 0, FROZEN)).warnings()).isEmpty();
    }

    @Test
    void errorsInTheDrainOfAServerThatIsStillLostAreNoFurtherReason() {
        RunResult run = run("", 0, new Outage(6, 10, null).withSilentServers(List.of("w1 (worker)")));
        List<IntervalResult> intervals = new ArrayList<>(run.intervals());
        IntervalResult drain = Samples.with(Samples.with(intervals.get(9), "phase", "drain"), "atSeconds", 10);
        intervals.add(drain.withCounts(new Counts(0, 50, 0, 0, 0)));

        assertThat(codes(Judge.judged(run.withIntervals(intervals)).reasons()))
                .containsExactly(RemarkCode.SERVER_UNAVAILABLE);
    }

    /** 20 of the 100 operations of each interval before the outage. */
    @Test
    void errorsAtOtherTimesAreAReasonOfTheirOwn() {
        assertThat(codes(Judge.judged(run("", 20, FROZEN)).reasons()))
                .containsExactly(RemarkCode.SERVER_UNAVAILABLE, RemarkCode.TOO_MANY_FAILED);
    }

    @Test
    void downtimeOfAnotherCauseIsAReasonOfItsOwn() {
        RunResult run = run("", 0, FROZEN);
        Outage other = new Outage(1, 3, null);
        RunResult twice = Samples.with(run, "outages", List.of(other, FROZEN));

        assertThat(codes(Judge.judged(twice).reasons()))
                .containsExactly(RemarkCode.SERVER_UNAVAILABLE, RemarkCode.MOSTLY_IDLE);
    }

    /** A longer drain would only have waited longer. */
    @Test
    void operationsThatNeverEndedWithoutTheServerAreNoFurtherFinding() {
        List<String> silent = List.of("w1 (worker)");
        for (int unfinished : new int[] {5, 50}) {
            RunResult gone = withUnfinished(run("", 0, new Outage(6, 10, null).withSilentServers(silent)), unfinished);
            assertThat(codes(Judge.judged(gone).remarks())).containsExactly(RemarkCode.SERVER_UNAVAILABLE);
        }
        RunResult back = withUnfinished(run("", 0, new Outage(6, 11, null).withSilentServers(silent)), 5);
        assertThat(codes(Judge.judged(back).remarks()))
                .as("it answered in the drain")
                .contains(RemarkCode.UNFINISHED);
        RunResult earlier = withUnfinished(run("", 0, FROZEN), 50);
        assertThat(codes(Judge.judged(earlier).remarks())).contains(RemarkCode.P99_IS_LOWER_BOUND);
    }

    /** Nor would a longer drain have ended a lock, or a refusal of sessions, that lasted as long as the run. */
    @Test
    void operationsThatNeverEndedInAnOutageWithoutEndAreNoFurtherFinding() {
        for (int unfinished : new int[] {5, 50}) {
            RunResult lasting = withUnfinished(run("", 0, new Outage(6, 10, null)), unfinished);
            assertThat(codes(Judge.judged(lasting).remarks()))
                    .contains(RemarkCode.OUTAGE, RemarkCode.MOSTLY_IDLE)
                    .doesNotContain(RemarkCode.UNFINISHED, RemarkCode.P99_IS_LOWER_BOUND);
            RunResult ended = withUnfinished(run("", 0, new Outage(6, 9, null)), unfinished);
            assertThat(codes(Judge.judged(ended).remarks()))
                    .containsAnyOf(RemarkCode.UNFINISHED, RemarkCode.P99_IS_LOWER_BOUND);
        }
    }

    @Test
    void checkpointOfARestartIsNoFurtherFinding() {
        assertThat(codes(judgedWithCheckpoints(1).warnings())).isEmpty();
        assertThat(codes(judgedWithCheckpoints(2).warnings()))
                .as("more than the server was lost")
                .containsExactly(RemarkCode.CHECKPOINT);
    }

    private static RunResult judgedWithCheckpoints(long checkpoints) {
        Evidence evidence = new Evidence();
        evidence.caution(RemarkCode.CHECKPOINT
                .with("checkpoints", checkpoints)
                .with("server", "a")
                .remark());
        return Judge.judged(run("", 0, FROZEN), evidence);
    }

    /** That they did nothing is one fact. */
    @Test
    void clientsThatHangAreNoFurtherReasons() {
        Remark hung = RemarkCode.HUNG_CLIENTS
                .with("clients", 8L)
                .with("waiting", new TreeMap<>(Map.of("a lock", 8L)))
                .remark();
        List<Remark> none = List.of(RemarkCode.NONE_ENDED.remark());
        Consequences consequences = new Consequences(new RunFigures(run("", 0, FROZEN)), false);

        assertThat(consequences.without(none, List.of(hung))).isEmpty();
        assertThat(consequences.without(none, List.of())).isEqualTo(none);
    }

    @Test
    void idleTimeInWhichOnlyMissesWereAnsweredIsNoFurtherReason() {
        Remark misses = RemarkCode.TOO_MANY_MISSES
                .with("percent", 30.0)
                .with("operation", "find_first")
                .with("limit", "1%")
                .with("misses", 300L)
                .with("duplicates", 0L)
                .remark();
        List<Remark> idle = List.of(RemarkCode.MOSTLY_IDLE.with("percent", 30.0).remark());
        RunResult failed = run("", 0, new Outage(4, 7, null));
        RunResult missed = failed.withIntervals(failed.intervals().stream()
                .map(interval -> interval.withCounts(
                        new Counts(interval.counts().ok(), 0, interval.counts().failed(), 0, 0)))
                .toList());

        assertThat(new Consequences(new RunFigures(missed), false).without(idle, List.of(misses)))
                .isEmpty();
        assertThat(new Consequences(new RunFigures(failed), false).without(idle, List.of(misses)))
                .isEqualTo(idle);
    }

    /** Some operations miss all the time; in a long interval, that is also the case of one in which the server stood still for a while. */
    @Test
    void idleTimeWithoutAnyAnswerIsAReasonBesideMisses() {
        Remark misses = RemarkCode.TOO_MANY_MISSES
                .with("percent", 2.0)
                .with("operation", "find_first")
                .with("limit", "1%")
                .with("misses", 20L)
                .with("duplicates", 0L)
                .remark();
        List<Remark> idle = List.of(RemarkCode.MOSTLY_IDLE.with("percent", 15.0).remark());
        RunResult run = RunSample.run(Map.of("warmup", "auto"), new double[10]);
        RunResult missing = run.withIntervals(run.intervals().stream()
                .map(interval -> interval.withCounts(
                        interval.atSeconds() == 1 ? new Counts(0, 0, 100, 0, 0) : new Counts(98, 0, 2, 0, 0)))
                .toList());
        for (double stall : new double[] {0.8, 1.2, 1.9}) {
            List<Outage> outages = List.of(new Outage(0.9, 2.2, null), new Outage(5.05, 5.05 + stall, null));
            Consequences consequences =
                    new Consequences(new RunFigures(Samples.with(missing, "outages", outages)), false);

            assertThat(consequences.without(idle, List.of(misses)))
                    .as("%s s without any answer", stall)
                    .isEqualTo(stall < 1 ? List.of() : idle);
        }
    }

    @Test
    void balancesThatDifferOnlyFromAHistoryWithoutRowsAreNoFurtherReason() {
        List<Remark> same = List.of(balances(-34_328));
        List<Remark> other = List.of(balances(-34_000));
        Consequences consequences = new Consequences(new RunFigures(Samples.closed()), false);

        assertThat(consequences.without(same, List.of(missing("pgbench_history"))))
                .isEmpty();
        assertThat(consequences.without(same, List.of(missing("docs_copy")))).isEqualTo(same);
        assertThat(consequences.without(other, List.of(missing("pgbench_history"))))
                .isEqualTo(other);
    }

    @Test
    void balancesWithoutAnotherToCompareAreAReasonBesideALostHistory() {
        Remark.Builder accounts = RemarkCode.BALANCES_DIFFER
                .with("grown", Map.of("accounts", -34_328L))
                .with("history", -27_116L);
        List<Remark> one = List.of(accounts.remark());
        List<Remark> emptied = List.of(RemarkCode.BALANCES_DIFFER
                .with("grown", Map.of("tellers", 0L, "accounts", 0L))
                .with("history", -1L)
                .with("unlogged", "pgbench_tellers, pgbench_accounts, pgbench_history")
                .remark());
        Consequences consequences = new Consequences(new RunFigures(Samples.closed()), false);

        assertThat(consequences.without(one, List.of(missing("pgbench_history"))))
                .isEqualTo(one);
        assertThat(consequences.without(emptied, List.of(missing("pgbench_history"))))
                .isEqualTo(emptied);
    }

    private static Remark balances(long accounts) {
        return RemarkCode.BALANCES_DIFFER
                .with("grown", new TreeMap<>(Map.of("tellers", -34_328L, "accounts", accounts)))
                .with("history", -27_116L)
                .remark();
    }

    private static Remark missing(String table) {
        return RemarkCode.INSERTS_MISSING
                .with("operations", "tpcb")
                .with("missing", 10L)
                .with("inserted", 300L)
                .with("table", table)
                .remark();
    }

    @Test
    void missesThatTheServerDiscardedAreNoFurtherReason() {
        Remark discarded = RemarkCode.WRITES_DISCARDED
                .with("operation", "find_first")
                .with("rows", 302L)
                .with("kind", "update")
                .remark();
        assertThat(codes(judgedWithMisses(302, discarded).reasons())).containsExactly(RemarkCode.WRITES_DISCARDED);
        assertThat(codes(judgedWithMisses(303, discarded).reasons()))
                .as("one that was not discarded")
                .containsExactly(RemarkCode.TOO_MANY_MISSES, RemarkCode.WRITES_DISCARDED);
    }

    private static RunResult judgedWithMisses(long misses, Remark check) {
        RunResult run = RunSample.run(Map.of("warmup", "auto"), 100, 100, 100, 100, 100, 100, 100, 100, 100, 100);
        OperationResult operation = Samples.with(Samples.operation(1_000, Map.of(), Map.of()), "misses", misses);
        RunResult missing = Samples.with(run, "operations", Map.of("find_first", operation));
        Evidence evidence = new Evidence();
        evidence.failedCheck(check);
        RunInfo limited = Records.with(
                missing.run(),
                "workload",
                Records.with(missing.run().workload(), "maxMissShares", Map.of("find_first", 0.01)));
        return Judge.judged(missing.with(missing.header().with(limited)), evidence);
    }

    private static RunResult withUnfinished(RunResult run, long unfinished) {
        OperationResult operation = Samples.with(run.operations().get("find_first"), "unfinished", unfinished);
        return Samples.with(run, "operations", Map.of("find_first", operation));
    }

    /** Otherwise the run would be valid. */
    @Test
    void consequencesOfAnAcceptedReasonAreReasons() {
        RunResult judged = Judge.judged(run("server_unavailable", 0, FROZEN));

        assertThat(codes(judged.reasons())).containsExactly(RemarkCode.TOO_MANY_FAILED, RemarkCode.MOSTLY_IDLE);
        assertThat(judged.valid()).isFalse();
    }

    /** Connections broke, which alone is only a warning. */
    @Test
    void warningIsNoCauseOfAReason() {
        RunResult run = run("", 0, new Outage(4, 7, null));
        List<IntervalResult> intervals = new ArrayList<>();
        for (IntervalResult interval : run.intervals()) {
            boolean isOut = interval.atSeconds() >= 4 && interval.atSeconds() < 7;
            intervals.add(Samples.with(interval, "brokenSessions", isOut ? Map.of("a", List.of("08006")) : Map.of()));
        }
        RunResult judged = Judge.judged(run.withIntervals(intervals));

        assertThat(codes(judged.warnings())).contains(RemarkCode.CONNECTIONS_BROKE);
        assertThat(codes(judged.reasons())).containsExactly(RemarkCode.TOO_MANY_FAILED, RemarkCode.MOSTLY_IDLE);
    }

    @Test
    void outageOfAllNodesIsNotToldOfEachOfThem() {
        RunResult run = RunSample.run(Map.of("warmup", "auto"), 100, 100, 100, 100, 100, 100, 100, 100, 100, 100);
        List<Outage> outages = List.of(
                new Outage(5, 5.9, null),
                new Outage(4.97, 5.9, "a"),
                new Outage(5, 5.93, "b"),
                new Outage(7, 7.5, "b"));

        assertThat(Judge.judged(Samples.with(run, "outages", outages)).warnings())
                .extracting(remark -> remark.figures().get("fromSeconds"))
                .containsExactly(5.0, 7.0);
    }

    @Test
    void fullMachineThatStarvedTheClientExplainsWhatItsOwnDelaysAre() {
        Remark starved = RemarkCode.OTHERS_STARVED_CLIENT
                .with("machine", "this machine")
                .with("percent", 71.0)
                .with("ownMillis", 14.0)
                .with("meanMillis", 39.0)
                .remark();
        Remark filled = RemarkCode.OTHERS_FILLED_MACHINE
                .with("machine", "this machine")
                .with("percent", 71.0)
                .remark();
        Remark late = RemarkCode.LATE_READINGS
                .with("readSeconds", 7.6)
                .with("measuredSeconds", 8.0)
                .remark();
        Remark unsteady =
                RemarkCode.NOT_STEADY.with("first", 1.0).with("last", 2.0).remark();
        Consequences consequences = new Consequences(new RunFigures(Samples.closed()), true);

        assertThat(consequences.without(List.of(starved, late, unsteady), List.of(starved, late, unsteady)))
                .containsExactly(starved);
        assertThat(consequences.without(List.of(late), List.of(late))).containsExactly(late);
        assertThat(consequences.without(List.of(late.about("host a"), late), List.of(starved.about("host a"))))
                .containsExactly(late);
        assertThat(new Consequences(new RunFigures(Samples.closed()), false)
                        .without(List.of(filled, unsteady), List.of(filled)))
                .as("the machine of a server")
                .containsExactly(filled, unsteady);
    }

    /** Whether the client stood still is unknown then; the remark on the machine stands for it. */
    @Test
    void stallOfAResultThatWasJudgedBeforeIsExplainedByAFullMachine() {
        LatencyHistogram times = new LatencyHistogram();
        for (int i = 0; i <= 1_000; i++) {
            times.record(i == 0 ? 2_000_000_000 : 1_000_000);
        }
        OperationResult stalled = Samples.operation(1_001, Map.of(), Map.of("total", Latency.of(times)));
        RunResult run = Samples.with(Samples.closed(), "operations", Map.of("find_first", stalled));
        Remark filled = RemarkCode.OTHERS_FILLED_MACHINE
                .with("machine", "this machine")
                .with("percent", 71.0)
                .remark();

        assertThat(codes(Judge.judged(run).warnings())).contains(RemarkCode.STALL);
        assertThat(codes(Judge.judged(run.withRemarks(List.of(), List.of(filled)))
                        .warnings()))
                .contains(RemarkCode.OTHERS_FILLED_MACHINE)
                .doesNotContain(RemarkCode.STALL);
    }

    private static List<RemarkCode> codes(List<Remark> remarks) {
        return remarks.stream().map(Remark::code).toList();
    }

    /** Ten intervals of 100 operations, which all fail during the outage. */
    private static RunResult run(String accept, int failedBefore, Outage outage) {
        RunResult run = RunSample.run(
                accept.isEmpty() ? Map.of("warmup", "auto") : Map.of("warmup", "auto", "accept", accept),
                new double[10]);
        List<IntervalResult> intervals = new ArrayList<>();
        long failed = 0;
        for (IntervalResult interval : run.intervals()) {
            boolean isOut = outage.meets(interval);
            long own = isOut ? 100 : interval.atSeconds() < outage.fromSeconds() ? failedBefore : 0;
            failed += own;
            intervals.add(Samples.with(interval.withCounts(new Counts(100 - own, own, 0, 0, 0)), "opsPerSecond", 100));
        }
        OperationResult operation =
                Samples.operation(1_000 - failed, Map.of("40P01", new ErrorCount(failed, "deadlock")), Map.of());
        return Samples.with(
                Samples.with(run.withIntervals(intervals), "operations", Map.of("find_first", operation)),
                "outages",
                List.of(outage));
    }
}
