package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineUse;
import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.QuotaUse;
import io.pgstress.machine.RunMachines;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Outcome;
import io.pgstress.report.Samples;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.Counts;
import io.pgstress.result.IntervalResult.Times;
import io.pgstress.result.Latency;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Outage;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result.Verdict;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile;
import io.pgstress.result.Workload;
import io.pgstress.text.Json;
import io.pgstress.text.Records;
import io.pgstress.verdict.LongTimes.Suspect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The validity of a result according to its own data. */
final class JudgeTest {
    private static final double[] RISING = {80, 81, 82, 90, 90, 90, 100, 101, 102};
    private static final double[] LEVEL = {98, 100, 99, 100, 101, 100, 103, 104, 105};

    @Test
    void trendAfterAnAutomaticWarmupIsNotASteadyState() {
        RunResult result = Judge.judged(RunSample.run(Map.of("warmup", "auto"), RISING));
        assertThat(result.usability()).isEqualTo(Verdict.NOT_VALID);
        assertThat(result.reasons()).extracting(Remark::code).containsExactly(RemarkCode.NOT_STEADY);
    }

    @Test
    void acceptedReasonIsAWarning() {
        RunResult result = Judge.judged(RunSample.run(Map.of("warmup", "auto", "accept", "not_steady"), RISING));
        assertThat(result.usability()).isEqualTo(Verdict.VALID_WITH_WARNINGS);
        assertThat(result.warnings()).extracting(Remark::code).containsExactly(RemarkCode.NOT_STEADY);
        assertThat(Judge.judged(result).warnings()).isEqualTo(result.warnings());
    }

    @Test
    void warnsAboutATrendOfLessThanAFifth() {
        RunResult result = Judge.judged(RunSample.run(Map.of("warmup", "auto"), 90, 91, 92, 95, 95, 95, 103, 104, 105));
        assertThat(result.usability()).isEqualTo(Verdict.VALID_WITH_WARNINGS);
        assertThat(result.warnings()).extracting(Remark::code).containsExactly(RemarkCode.UNSTEADY);
    }

    @Test
    void fixedWarmupIsJudgedByTheSameRule() {
        RunResult result = Judge.judged(RunSample.run(Map.of("warmup", "2s"), RISING));
        assertThat(result.usability()).isEqualTo(Verdict.NOT_VALID);
        assertThat(result.reasons())
                .containsExactly(RemarkCode.NOT_STEADY
                        .with("first", 81.0)
                        .with("last", 101.0)
                        .remark());
    }

    /** An outage slows down its own intervals, and those until the rate has recovered. The others are judged. */
    @Test
    void outageLeavesOnlyItsOwnIntervalsOut() {
        assertThat(withOutage(4, 4.3, null, 80, 81, 82, 83, 20, 90, 90, 90, 100, 101, 102, 103))
                .contains(RemarkCode.NOT_STEADY);
        assertThat(withOutage(8, 11, null, 100, 100, 100, 100, 100, 100, 100, 100, 60, 0, 0, 100))
                .doesNotContain(RemarkCode.NOT_STEADY, RemarkCode.UNSTEADY);
        assertThat(withOutage(9, 9.4, 12.0, 100, 100, 100, 100, 100, 100, 100, 100, 100, 30, 40, 50))
                .doesNotContain(RemarkCode.NOT_STEADY, RemarkCode.UNSTEADY);
        assertThat(withOutage(9, 9.4, null, 100, 100, 100, 100, 100, 100, 100, 100, 100, 30, 40, 50, 50, 50))
                .contains(RemarkCode.NOT_STEADY);
    }

    /** Their intervals would otherwise hide what the rate was between them. */
    @Test
    void shortOutagesInEachIntervalDoNotHideAFall() {
        double[] fallen = {900, 900, 900, 900, 900, 900, 900, 900, 128, 152, 128, 152};
        List<Outage> outages = List.of(shortOutage(8.8), shortOutage(10.8));

        assertThat(withOutages(outages, fallen)).contains(RemarkCode.NOT_STEADY);
        assertThat(withOutages(outages, 900, 900, 900, 900, 900, 900, 900, 900, 720, 600, 720, 600))
                .doesNotContain(RemarkCode.NOT_STEADY, RemarkCode.UNSTEADY, RemarkCode.RATE_VARIES);
    }

    /** Over two intervals: a fifth of a second of the first, and a third of the second. */
    private static Outage shortOutage(double from) {
        return new Outage(from, from + 0.5333, null, false, null, from + 0.57, List.of(), null, false);
    }

    private static List<RemarkCode> withOutage(double from, double to, Double fullRateAt, double... rates) {
        return withOutages(List.of(new Outage(from, to, null, false, null, fullRateAt, List.of(), null, false)), rates);
    }

    private static List<RemarkCode> withOutages(List<Outage> outages, double... rates) {
        RunResult run = RunSample.run(Map.of("warmup", "2s"), rates);
        return Judge.judged(Samples.with(run, "outages", outages)).remarks().stream()
                .map(Remark::code)
                .toList();
    }

    /** All that is due ends in time, but in the last third nothing is found any more. */
    @Test
    void openLoopIsSteadyIfTheShareThatSucceedsIs() {
        assertThat(ofSuccesses(100, 100, 100, 100, 100, 100, 100, 100, 100))
                .doesNotContain(RemarkCode.NOT_STEADY, RemarkCode.UNSTEADY);
        assertThat(ofSuccesses(100, 100, 100, 95, 90, 88, 85, 85, 84)).contains(RemarkCode.UNSTEADY);
        assertThat(ofSuccesses(100, 100, 100, 70, 60, 60, 60, 60, 50)).contains(RemarkCode.NOT_STEADY);
    }

    @Test
    void missesOfOperationsThatExpectThemAreSteady() {
        assertThat(ofSuccesses(false, 100, 100, 100, 70, 60, 60, 60, 60, 50))
                .doesNotContain(RemarkCode.NOT_STEADY, RemarkCode.UNSTEADY);
    }

    private static List<RemarkCode> ofSuccesses(long... ok) {
        return ofSuccesses(true, ok);
    }

    /** The remarks on an open loop of 100 operations per interval, of which so many succeed; the others miss. */
    private static List<RemarkCode> ofSuccesses(boolean isLimited, long... ok) {
        RunResult of = RunSample.run(Map.of("warmup", "2s", "rate", "100"), new double[ok.length]);
        Map<String, Double> limits = new HashMap<>();
        if (isLimited) {
            of.operations().keySet().forEach(operation -> limits.put(operation, 0.01));
        }
        RunResult run = of.with(of.header()
                .with(Records.with(of.run(), "workload", Records.with(of.run().workload(), "maxMissShares", limits))));
        List<IntervalResult> intervals = new ArrayList<>();
        for (int i = 0; i < ok.length; i++) {
            intervals.add(run.intervals().get(i).withCounts(new Counts(ok[i], 0, 100 - ok[i], 0, 0)));
        }
        return Judge.judged(run.withIntervals(intervals)).remarks().stream()
                .map(Remark::code)
                .toList();
    }

    @Test
    void othersThatFilledTheMachineReplaceOnlyWaitsThatTheyName() {
        CpuUse full = new CpuUse(0.5, 0.5, 0, 0, 0, 1);
        MachineUse use = new MachineUse(full, List.of(), null, null, null, null);
        Environment kernel = Json.read("{\"kernelBoot\": \"k\"}", Environment.class);
        MachineProfile server =
                new MachineProfile("s", "server", 1.0, 1.0, 0.0, 0.0, null, List.of(), use, kernel, 0.125, false);
        MachineProfile client =
                new MachineProfile("client", "client", 1.0, 1.0, 0.0, 0.0, null, List.of(), use, kernel, 0.0625, false);
        RunMachines machines = new RunMachines(List.of(server), List.of(client), List.of());
        RunResult run = Records.with(
                RunSample.run(Map.of("warmup", "2s"), LEVEL),
                "serverProfile",
                Records.with(ServerProfile.NONE, "machines", machines));

        assertThat(codesWithTurns(run, new ClientTurns(15_000, 106_000)))
                .contains(RemarkCode.OTHERS_FILLED_MACHINE, RemarkCode.CLIENT_WAITS);
        assertThat(codesWithTurns(run, new ClientTurns(42_000, 106_000)))
                .contains(RemarkCode.OTHERS_STARVED_CLIENT)
                .doesNotContain(RemarkCode.CLIENT_WAITS, RemarkCode.CLIENT_STARVED);
    }

    /** A client whose quota is used up waits for the next period, on a machine that is idle. */
    @Test
    void waitsOfAClientThatUsedUpItsQuotaAreThoseOfTheQuota() {
        MachineUse use = new MachineUse(
                new CpuUse(0.2, 0, 0, 0, 0, 0.2), List.of(), null, null, new QuotaUse("/g", 0.2, 0.7, null), null);
        MachineProfile client =
                new MachineProfile("client", "client", 0.2, 1.0, 0.0, 0.0, null, List.of(), use, null, 0.1, false);
        RunResult run = Records.with(
                RunSample.run(Map.of("warmup", "2s"), LEVEL),
                "serverProfile",
                Records.with(ServerProfile.NONE, "machines", new RunMachines(List.of(), List.of(client), List.of())));
        Evidence evidence = new Evidence();
        evidence.turns(new ClientTurns(430, 720));
        evidence.host(0.2, -1, true);

        assertThat(Judge.judged(run, evidence).warnings())
                .contains(RemarkCode.CLIENT_THROTTLED
                        .with("cores", 0.2)
                        .with("percent", 70.0)
                        .with("ownMillis", 0.43)
                        .with("meanMillis", 0.72)
                        .remark())
                .extracting(Remark::code)
                .doesNotContain(RemarkCode.CLIENT_WAKES);
        assertThat(codesWithTurns(run, new ClientTurns(42_000, 106_000)))
                .as("not valid as without a quota")
                .contains(RemarkCode.CLIENT_THROTTLED, RemarkCode.CLIENT_STARVED);
    }

    private static List<RemarkCode> codesWithTurns(RunResult run, ClientTurns turns) {
        Evidence evidence = new Evidence();
        evidence.turns(turns);
        return Judge.judged(run, evidence).remarks().stream().map(Remark::code).toList();
    }

    @Test
    void compilerAtWorkMattersOnlyIfThroughputRose() {
        assertThat(judgedWhileCompiling("2s", 99, 100, 101, 100, 99, 101, 100, 99, 100))
                .isEmpty();
        assertThat(judgedWhileCompiling("2s", LEVEL))
                .extracting(Remark::code)
                .containsExactly(RemarkCode.CLIENT_COMPILER);
    }

    @Test
    void compilerAtWorkAfterAnAutomaticWarmupMattersOnlyIfThroughputWasNotSteady() {
        assertThat(judgedWhileCompiling("auto", LEVEL)).isEmpty();
        assertThat(judgedWhileCompiling("auto", RISING))
                .extracting(Remark::code)
                .containsExactly(RemarkCode.CLIENT_COMPILER);
        assertThat(judgedWhileCompiling("auto", 100, 100, 100)).isEmpty();
        assertThat(judgedWhileCompiling("auto", 100, 100))
                .as("too short to know")
                .extracting(Remark::code)
                .contains(RemarkCode.CLIENT_COMPILER);
    }

    /** An open loop has the rate that was asked for: its speed is that of an operation. */
    @Test
    void compilerAtWorkInAnOpenLoopMattersOnlyIfTimesFell() {
        assertThat(judgedWhileCompiling(ofMeans(500, 501, 499, 500, 501, 499, 500, 501, 499)))
                .isEmpty();
        assertThat(judgedWhileCompiling(ofMeans(900, 800, 700, 600, 550, 500, 500, 501, 499)))
                .extracting(Remark::code)
                .contains(RemarkCode.CLIENT_COMPILER);
    }

    /** A run at a target rate whose intervals have operations of these lengths in microseconds. */
    private static RunResult ofMeans(long... micros) {
        double[] rates = LongStream.of(micros).mapToDouble(each -> 100).toArray();
        RunResult run = RunSample.run(Map.of("warmup", "2s", "rate", "100"), rates);
        List<IntervalResult> intervals = new ArrayList<>();
        for (int i = 0; i < micros.length; i++) {
            LatencyHistogram times = new LatencyHistogram();
            times.record(micros[i] * 1_000);
            intervals.add(Records.with(
                    run.intervals().get(i), "times", new Times(Latency.of(times), null, null, null, null)));
        }
        return run.withIntervals(intervals);
    }

    /** The warnings of a result in whose measurement the compiler was at work. */
    private static List<Remark> judgedWhileCompiling(String warmup, double... rates) {
        return judgedWhileCompiling(RunSample.run(Map.of("warmup", warmup), rates));
    }

    private static List<Remark> judgedWhileCompiling(RunResult run) {
        return Judge.judged(run.with(
                        Records.with(run.header(), "client", Records.with(run.client(), "compilerSeconds", 1.0))))
                .warnings();
    }

    @Test
    void changeOfLessThanATenthIsSteady() {
        assertThat(Judge.judged(RunSample.run(Map.of("warmup", "auto"), LEVEL)).usability())
                .isEqualTo(Verdict.VALID);
    }

    @Test
    void openLoadHasTheRequestedRate() {
        assertThat(Judge.judged(RunSample.run(Map.of("warmup", "auto", "rate", "100,200"), RISING))
                        .valid())
                .isTrue();
        assertThat(Judge.judged(RunSample.run(Map.of("warmup", "auto", "rate", ""), RISING))
                        .valid())
                .isFalse();
    }

    @Test
    void findingsOfTheRunnerComeFirstAndAreNotRepeated() {
        RunResult result = RunSample.run(Map.of("warmup", "auto"), RISING)
                .withRemarks(Samples.reasons("the ids were used up"), Samples.warnings("w"));
        RunResult judged = Judge.judged(Judge.judged(result));
        assertThat(judged.reasons()).hasSize(2).startsWith(result.reasons().get(0));
        assertThat(judged.warnings()).isEqualTo(result.warnings());
    }

    @Test
    void moreThanOnePercentOfUnfinishedOperationsLeavesP99Unknown() {
        assertThat(Judge.judged(unfinished(990, 10, null)).reasons()).isEmpty();
        assertThat(Judge.judged(unfinished(990, 10, null)).warnings())
                .containsExactly(RemarkCode.UNFINISHED.with("unfinished", 10).remark());
        assertThat(Judge.judged(unfinished(980, 20, null)).reasons())
                .containsExactly(RemarkCode.P99_IS_LOWER_BOUND
                        .with("unfinished", 20)
                        .with("percent", 2.0)
                        .remark());
    }

    @Test
    void theBacklogOfAnOverloadedRateIsNotReportedTwice() {
        assertThat(Judge.judged(unfinished(20_000, 20_000, 20_000L)).reasons())
                .extracting(Remark::code)
                .containsExactly(RemarkCode.OVERLOAD);
    }

    /** A run, open if it has a backlog. */
    private static RunResult unfinished(long ok, long unfinished, Long backlog) {
        String rate = backlog == null ? "" : "100";
        RunResult run =
                RunSample.run(Map.of("warmup", "1", "rate", rate), 100, 100, 100, 100, 100, 100, 100, 100, 100, 100);
        OperationResult operation = Records.with(Samples.operation(ok, Map.of(), Map.of()), "unfinished", unfinished);
        return Samples.with(Samples.with(run, "operations", Map.of("find_first", operation)), "backlog", backlog);
    }

    /** 100 per second. The last 0.2 s are in a lock. */
    @Test
    void backlogOfALockAtTheEndIsNoOverload() {
        PlayedRun played = new PlayedRun(10_000, 1, 0);
        played.busy(0, 0, 9_800).operation(0, Outcome.OK, 9_800, 10_200);
        Evidence locked = new Evidence();
        locked.answers(played.answers("a"));

        assertThat(Judge.judged(unfinished(1_000, 0, 19L), locked).reasons())
                .extracting(Remark::code)
                .containsExactly(RemarkCode.BEHIND_AFTER_OUTAGE);
        locked.suspect(new Suspect(Suspect.Kind.STANDSTILL, 9.8, 10.2));
        assertThat(Judge.judged(unfinished(1_000, 0, 19L), locked).reasons())
                .as("the client stood still")
                .extracting(Remark::code)
                .containsExactly(RemarkCode.OVERLOAD);
    }

    @Test
    void outageIsToldWithWhatOperationsWaitedFor() {
        PlayedRun played = new PlayedRun(10_000, 1, 0);
        played.busy(0, 0, 4_000).operation(0, Outcome.OK, 4_000, 5_500).busy(0, 5_500, 10_000);
        Evidence locked = new Evidence();
        locked.answers(played.answers("a"));
        locked.suspect(new Suspect(Suspect.Kind.WAIT, "waiting for Lock:relation", 4, 5.5, 1.5));
        RunResult run =
                Samples.with(RunSample.run(Map.of("warmup", "1"), LEVEL), "outages", List.of(new Outage(4, 5.5, null)));
        RunResult judged = Judge.judged(run, locked);

        assertThat(judged.reasons())
                .containsExactly(RemarkCode.MOSTLY_IDLE
                        .with("percent", 15.0)
                        .with("cause", "waiting for Lock:relation")
                        .remark());
        assertThat(judged.warnings())
                .containsExactly(RemarkCode.OUTAGE
                        .with("fromSeconds", 4.0)
                        .with("toSeconds", 5.5)
                        .with("seconds", 1.5)
                        .with("wait", "waiting for Lock:relation")
                        .remark());
    }

    /** Nothing was answered from 4 s to 5.5 s. */
    private static Evidence evidence(Outcome outcome) {
        PlayedRun played = new PlayedRun(10_000, 1, 0);
        played.busy(0, 0, 4_000).operation(0, outcome, 4_000, 5_499).busy(0, 5_500, 10_000);
        Evidence evidence = new Evidence();
        evidence.answers(played.answers("a"));
        return evidence;
    }

    private static List<RemarkCode> warnings(Evidence evidence) {
        RunResult run = Samples.with(RunSample.run(Map.of("warmup", "1"), LEVEL), "outages", evidence.outages());
        return Judge.judged(run, evidence).warnings().stream().map(Remark::code).toList();
    }

    @Test
    void stallOfTheClientsThreadsIsNoOutageOfTheServer() {
        Evidence stalled = evidence(Outcome.OK);
        stalled.suspect(new Suspect(Suspect.Kind.CLIENT, 4, 5.3));
        assertThat(warnings(stalled)).containsExactly(RemarkCode.LONG_OPERATION_CLIENT);
        assertThat(stalled.outages()).singleElement().matches(Outage::clientStalled);

        Evidence shorter = evidence(Outcome.OK);
        shorter.suspect(new Suspect(Suspect.Kind.CLIENT, 4, 4.7));
        assertThat(warnings(shorter)).containsExactly(RemarkCode.OUTAGE);

        Evidence failing = evidence(Outcome.FAILED);
        failing.suspect(new Suspect(Suspect.Kind.CLIENT, 4, 5.3));
        assertThat(warnings(failing)).as("an operation failed meanwhile").contains(RemarkCode.OUTAGE);
    }

    @Test
    void ofSeveralHostsAllHaveToStall() {
        Evidence evidence = evidence(Outcome.OK);
        evidence.suspectsOfHost(0, List.of(new Suspect(Suspect.Kind.CLIENT, 4, 5.3)));
        assertThat(evidence.outages()).singleElement().matches(Outage::clientStalled);
        evidence.suspectsOfHost(1, List.of());
        assertThat(evidence.outages()).singleElement().matches(outage -> !outage.clientStalled());
    }

    @Test
    void warnsOfClientsThatDifferByMoreThanChance() {
        LatencyHistogram even = new LatencyHistogram();
        even.record(1_000);
        even.record(3_000); // standard deviation: half of the mean
        assertThat(Judge.judged(served(even, 960, 1_040)).warnings()).isEmpty();
        assertThat(Judge.judged(served(even, 920, 1_040)).warnings())
                .containsExactly(RemarkCode.UNEVEN_CLIENTS
                        .with("least", 920)
                        .with("most", 1_040)
                        .with("mean", 1_000.0)
                        .remark());
        assertThat(Judge.judged(served(even, 92, 104)).warnings())
                .as("by chance, of fewer operations")
                .isEmpty();
        LatencyHistogram uneven = new LatencyHistogram();
        for (int i = 0; i < 99; i++) {
            uneven.record(1_000);
        }
        uneven.record(200_000);
        assertThat(Judge.judged(served(uneven, 920, 1_040)).warnings())
                .as("by chance, with a few long operations")
                .isEmpty();
    }

    /** Pauses of different lengths are asked for. */
    @Test
    void clientsDifferByTheirPauses() {
        LatencyHistogram even = new LatencyHistogram();
        even.record(1_000);
        even.record(1_000);
        RunResult run = served(even, 920, 1_040);
        assertThat(Judge.judged(pausing(run, false)).warnings())
                .extracting(Remark::code)
                .contains(RemarkCode.UNEVEN_CLIENTS);
        assertThat(Judge.judged(pausing(run, true)).warnings())
                .extracting(Remark::code)
                .doesNotContain(RemarkCode.UNEVEN_CLIENTS);
    }

    private static RunResult pausing(RunResult run, boolean exponential) {
        Workload.Think pauses = new Workload.Think(20_000, exponential);
        return run.with(run.header()
                .with(Records.with(run.run(), "workload", Records.with(run.run().workload(), "think", pauses))));
    }

    /** Eight clients with a mean of 1000 operations, or of 100 if they have about as many. */
    private static RunResult served(LatencyHistogram times, long min, long max) {
        RunResult run = RunSample.run(Map.of("warmup", "1"), 100, 100, 100);
        OperationResult operation = Samples.operation(9, Map.of(), Map.of("total", Latency.of(times)));
        NodeResult node = Records.with(
                run.nodes().get(0),
                "clientOperations",
                new NodeResult.ClientOperations(8, min, max < 500 ? 100 : 1_000, max, null));
        return run.with(run.load().withOperations(Map.of("find_first", operation), List.of(node)));
    }

    @Test
    void namesWaitsForLocks() {
        assertThat(Judge.judged(waiting(9)).warnings()).isEmpty();
        assertThat(Judge.judged(waiting(48)).warnings())
                .containsExactly(RemarkCode.LOCK_WAITS
                        .with("percent", 48.0)
                        .with("lock", "Lock:relation")
                        .remark());
    }

    /** @param seconds for which sessions waited for locks, of 100 s of theirs */
    private static RunResult waiting(double seconds) {
        RunResult r = RunSample.run(Map.of("warmup", "1"), 100, 100, 100);
        ServerProfile profile = Samples.with(
                ServerProfile.NONE, "waitEventSeconds", Map.of("Lock:relation", seconds, "idle", 100 - seconds));
        return Samples.with(r, "serverProfile", profile);
    }
}
