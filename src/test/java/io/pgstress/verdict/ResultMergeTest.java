package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineUse;
import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.RunMachines;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.report.HostsSample;
import io.pgstress.report.IntervalSamples;
import io.pgstress.report.Samples;
import io.pgstress.result.HostResult;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Outage;
import io.pgstress.result.Pauses;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile;
import io.pgstress.result.Sum;
import io.pgstress.text.Json;
import io.pgstress.text.Records;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

public final class ResultMergeTest {
    private static final RunResult A = host("a", 1, List.of(new Outage(1, 4, null), new Outage(8, 9, null)));
    private static final RunResult B = host("b", 2, List.of(new Outage(3, 6, null)));

    @Test
    void percentilesComeFromTheAddedHistograms() {
        Latency merged =
                operation(ResultMerge.of(List.of(A, B))).latencyMicros().get("total");
        LatencyHistogram sum = operation(A).latencyMicros().get("total").decoded();
        sum.add(operation(B).latencyMicros().get("total").decoded());

        assertThat(merged.withoutHistogram()).isEqualTo(Latency.of(sum).withoutHistogram());
        assertThat(buckets(merged.decoded())).isEqualTo(buckets(sum));
        assertThat(merged.count()).isEqualTo(60_000);
    }

    @Test
    void addsCountsAndRates() {
        RunResult merged = ResultMerge.of(List.of(A, B));

        assertThat(operation(merged).ok()).isEqualTo(60_000);
        assertThat(operation(merged).opsPerSecond()).isCloseTo(6_000, within(1e-6));
        assertThat(operation(merged).statements().get("select").callsInAll()).isEqualTo(61_800);
        assertThat(merged.load().network().bytesIn())
                .isEqualTo(2 * A.load().network().bytesIn());
        assertThat(merged.client().cpus()).isEqualTo(4);
        assertThat(merged.client().cpuMicrosPerOperation()).isCloseTo(21.5, within(1e-6));
        assertThat(merged.clients()).isEqualTo(16);
        assertThat(Sum.known(Stream.of(
                        new NodeResult.ClientOperations(6, 90, 100, 110, 10.0),
                        null,
                        new NodeResult.ClientOperations(2, 95, 140, 150, 10.0))))
                .isEqualTo(new NodeResult.ClientOperations(8, 90, 110, 150, 20.0));
        assertThat(NodeResult.ClientOperations.of(2, 4, 4, 4, 5, 5, 7, 9))
                .isEqualTo(new NodeResult.ClientOperations(8, 2, 5, 9, 2.0));
        assertThat(merged.run().id()).isEqualTo("a+b");
        assertThat(merged.run().scenario()).containsEntry("clients", "16");
    }

    @Test
    void addsIntervalsOneByOne() {
        RunResult merged = ResultMerge.of(List.of(A, B));
        IntervalResult first = merged.intervals().get(0);

        assertThat(merged.intervals()).hasSameSizeAs(A.intervals());
        assertThat(first.counts().ok()).isEqualTo(8_000);
        assertThat(first.times().totalMicros().count()).isEqualTo(1_000);
        assertThat(first.operations().get("find_first").ok()).isEqualTo(8_000);
        assertThat(merged.load().warmupIntervals())
                .extracting(i -> i.counts().ok())
                .containsExactly(3_000L, 3_000L, 3_000L);
    }

    @Test
    void serverIsSilentIfItAnsweredNoHost() {
        RunResult one = host("a", 1, List.of(new Outage(1, 4, "dn1", true), new Outage(1, 9, "dn2", true)));
        RunResult other = host("b", 2, List.of(new Outage(3, 6, "dn1", true)));

        assertThat(ResultMerge.of(List.of(one, other)).load().outages()).containsExactly(new Outage(3, 4, "dn1", true));
    }

    @Test
    void isJudgedByItsOwnData() {
        RunResult failing = failing("a", 1, 40);

        assertThat(ResultMerge.of(List.of(failing, failing("b", 2, 0))).reasons())
                .isEmpty();
        RunResult merged = ResultMerge.of(List.of(failing, failing("b", 2, 1_200)));
        assertThat(merged.valid()).isFalse();
        assertThat(merged.reasons()).extracting(Remark::code).containsExactly(RemarkCode.TOO_MANY_FAILED);
        assertThat(ResultMerge.of(List.of(A, host("b", 2, List.of(new Outage(1, 6, null)))))
                        .reasons())
                .extracting(Remark::code)
                .startsWith(RemarkCode.MOSTLY_IDLE);
    }

    private static RunResult failing(String id, int seed, int errors) {
        Map<String, OperationResult.ErrorCount> failed =
                errors == 0 ? Map.of() : Map.of("40P01", new OperationResult.ErrorCount(errors, "deadlock"));
        return host(id, Samples.operation(seed, 30_000, "total", failed), List.of());
    }

    @Test
    void keepsWhatTheHostsVerdictsSay() {
        RunResult busy = A.withRemarks(
                Samples.reasons("the ids were used up"), Samples.warnings("the client used 1.90 of 2 cores"));
        RunResult merged = ResultMerge.of(List.of(B, busy));

        assertThat(merged.reasons()).contains(busy.reasons().get(0).about("host 2"));
        assertThat(merged.warnings()).contains(busy.warnings().get(0).about("host 2"));
    }

    @Test
    void doesNotRepeatAHostsWarningThatHoldsForAll() {
        RunResult host = Judge.judged(host("a", 1, List.of(new Outage(3, 4, null))));
        RunResult merged = ResultMerge.of(List.of(host, Judge.judged(B)));

        Remark outage = RemarkCode.OUTAGE
                .with("fromSeconds", 3.0)
                .with("toSeconds", 4.0)
                .with("seconds", 1.0)
                .remark();
        assertThat(merged.warnings())
                .contains(
                        outage,
                        RemarkCode.OUTAGE
                                .with("fromSeconds", 3.0)
                                .with("toSeconds", 6.0)
                                .with("seconds", 3.0)
                                .remark()
                                .about("host 2"))
                .doesNotContain(outage.about("host 1"));
    }

    @Test
    void manyOutagesAreOneWarning() {
        List<Outage> outages = List.of(
                new Outage(1, 1.5, null), new Outage(3, 4, null), new Outage(5, 5.25, null), new Outage(6, 6.25, null));

        assertThat(Judge.judged(host("a", 1, outages)).warnings())
                .contains(RemarkCode.OUTAGES
                        .with("periods", 4)
                        .with("seconds", 2.0)
                        .with("fromSeconds", 3.0)
                        .with("toSeconds", 4.0)
                        .remark())
                .noneMatch(warning -> warning.code() == RemarkCode.OUTAGE);
        List<Outage> ofOther = List.of(
                new Outage(1, 1.6, null), new Outage(3, 4.1, null), new Outage(5, 5.3, null), new Outage(6, 6.3, null));
        RunResult merged =
                ResultMerge.of(List.of(Judge.judged(host("a", 1, outages)), Judge.judged(host("b", 1, ofOther))));
        assertThat(merged.warnings().stream().filter(warning -> warning.code() == RemarkCode.OUTAGES))
                .as("hosts time them themselves")
                .hasSize(1);
    }

    @Test
    void aHostsResultThatIsNotValidMakesTheMergedOneNotValid() {
        RunResult host = Samples.with(A.withRemarks(List.of(), List.of()), "valid", false);

        assertThat(ResultMerge.of(List.of(host, B)).reasons())
                .contains(RemarkCode.HOST_NOT_VALID.with("host", "host 1").remark());
    }

    @Test
    void outageIsWhereAllHostsHadOne() {
        assertThat(ResultMerge.of(List.of(A, B)).load().outages()).containsExactly(new Outage(3, 4, null));
    }

    @Test
    void countsEachServerOnce() {
        RunResult merged = ResultMerge.of(List.of(A, B));

        assertThat(merged.servers()).hasSize(1);
        assertThat(merged.nodes()).extracting(NodeResult::url).doesNotHaveDuplicates();
    }

    @Test
    void reportsThatIntervalsWithoutHistogramsHaveNoTimes() {
        RunResult brief = B.withIntervals(
                B.intervals().stream().map(IntervalResult::withoutHistograms).toList());

        RunResult merged = ResultMerge.of(List.of(A, brief));

        assertThat(merged.intervals()).allMatch(i -> i.times().totalMicros() == null);
        assertThat(merged.warnings()).anyMatch(w -> w.code() == RemarkCode.MERGED_WITHOUT_TIMES);
    }

    @Test
    void refusesResultsOfDifferentRunsWithEveryReason() {
        assertThatThrownBy(() -> ResultMerge.of(List.of(A, Samples.open())))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageContaining("differ in op")
                .hasMessageContaining("open, some closed");
        assertThatThrownBy(() -> ResultMerge.of(List.of(A, A))).hasMessageContaining("the same run was given twice");
    }

    @Test
    void eachResultIsOneHost() {
        RunResult merged = ResultMerge.of(List.of(A, B));

        assertThat(merged.hosts()).extracting(HostResult::name).containsExactly("host 1", "host 2");
        assertThat(merged.hosts().get(1)).isEqualTo(B.asHost("host 2"));
        assertThat(merged.hosts().get(0).ok()).isEqualTo(30_000);
        assertThat(merged.hosts()).allMatch(h -> h.clients() == 8 && h.client() != null && h.lostAtSeconds() == null);
        assertThat(merged.intervals())
                .allSatisfy(i -> assertThat(i.places().hostsOk())
                        .containsOnlyKeys("host 1", "host 2")
                        .satisfies(ok -> assertThat(
                                        ok.values().stream().mapToLong(n -> n).sum())
                                .isEqualTo(i.counts().ok())));
        assertThat(A.hosts()).isEmpty();
    }

    @Test
    void hostsThatAlreadyHaveNamesKeepThem() {
        RunResult named = HostsSample.unjudged();

        RunResult merged = ResultMerge.of(List.of(named, Samples.closed()));

        assertThat(merged.hosts())
                .extracting(HostResult::name)
                .containsExactly("stress-1", "stress-2", "stress-3", "host 2");
        assertThat(merged.intervals().get(0).places().hostsOk())
                .containsOnlyKeys("stress-1", "stress-2", "stress-3", "host 2");
    }

    @Test
    void resultsWhoseHostsHaveTheSameNamesAreOneHostEach() {
        RunResult first = ResultMerge.of(List.of(A, B));
        RunResult second = ResultMerge.of(List.of(host("c", 3, List.of()), host("d", 4, List.of())));

        RunResult merged = ResultMerge.of(List.of(first, second));

        assertThat(merged.hosts()).extracting(HostResult::name).containsExactly("host 1", "host 2");
        assertThat(merged.hosts().get(0).clients()).isEqualTo(16);
        assertThat(merged.intervals().get(0).places().hostsOk()).containsOnlyKeys("host 1", "host 2");
    }

    @Test
    void keepsTheMachineOfEveryHostAndNamesTheOneThatWasFull() {
        MachineProfile gtm = machine("gtm", "", 0.1);
        RunResult merged = ResultMerge.of(List.of(
                with(A, List.of(machine("client", MachineProfile.CLIENT, 0.4), gtm)),
                with(B, List.of(machine("client", MachineProfile.CLIENT, 0.97), gtm))));

        assertThat(merged.serverProfile().machines().machines())
                .extracting(MachineProfile::node)
                .containsExactly("host 1", "host 2", "gtm");
        assertThat(merged.serverProfile().bottleneck().stream()
                        .filter(remark -> remark.code() == RemarkCode.CPU_OF_MACHINE))
                .singleElement()
                .satisfies(remark -> assertThat(remark.figures()).containsEntry("machine", "host 2"));
    }

    @Test
    void machinesOfHostsThatAlreadyHaveNamesKeepThem() {
        RunResult named = with(
                HostsSample.unjudged(),
                List.of(
                        machine("stress-1", MachineProfile.CLIENT, 0.1),
                        machine("stress-2", MachineProfile.CLIENT, 0.1)));
        RunResult other = with(Samples.closed(), List.of(machine("client", MachineProfile.CLIENT, 0.1)));

        assertThat(ResultMerge.of(List.of(named, other))
                        .serverProfile()
                        .machines()
                        .machines())
                .extracting(MachineProfile::node)
                .containsExactly("stress-1", "stress-2", "host 2");
    }

    /** Two agents on a machine of 2 CPUs have 2, not 4; so have two containers that may use one each. */
    @Test
    void cpusOfOneMachineAreCountedOnce() {
        assertThat(cpus(kernel("k", 2), kernel("k", 2))).isEqualTo(2);
        assertThat(cpus(kernel("k", 64), kernel("k", 64))).isEqualTo(4);
        assertThat(cpus(kernel("k", 2), kernel("l", 2))).isEqualTo(4);
        assertThat(cpus(null, null)).isEqualTo(4);
    }

    private static Environment kernel(String boot, int cpus) {
        return Json.read("{\"kernelBoot\": \"" + boot + "\", \"cpus\": " + cpus + "}", Environment.class);
    }

    private static int cpus(@Nullable Environment one, @Nullable Environment other) {
        MachineProfile client = machine("client", MachineProfile.CLIENT, 0.4);
        return ResultMerge.of(List.of(
                        with(A, List.of(Records.with(client, "environment", one))),
                        with(B, List.of(Records.with(client, "environment", other)))))
                .client()
                .cpus();
    }

    /** Its own compiler is what each host has checked. */
    @Test
    void aJvmThatWarmsUpIsToldOnceForItsHost() {
        RunResult one = Judge.judged(compiling(A));
        RunResult other = Judge.judged(compiling(B));
        assertThat(one.warnings()).extracting(Remark::code).contains(RemarkCode.CLIENT_COMPILER);

        assertThat(ResultMerge.of(List.of(one, other)).warnings().stream()
                        .filter(warning -> warning.code() == RemarkCode.CLIENT_COMPILER))
                .singleElement()
                .satisfies(warning -> assertThat(warning.figures()).containsKey(Remark.ABOUT));
    }

    /** A run whose JVM compiled, with an open loop of a fixed warm-up, so that a rise would be unknown. */
    private static RunResult compiling(RunResult run) {
        RunResult brief = run.withIntervals(run.intervals().subList(0, 2));
        return Samples.with(
                brief,
                "client",
                Records.with(Records.with(brief.client(), "compilerSeconds", 5.0), "cpuCoresUsed", 0.6));
    }

    private static MachineProfile machine(String name, String role, double busy) {
        MachineUse use = new MachineUse(new CpuUse(busy, 0, 0, 0, 0, busy), List.of(), null, null, null, null);
        return new MachineProfile(name, role, busy, 1.0, 0.0, 0.0, null, List.of(), use, null, null, false);
    }

    private static RunResult with(RunResult result, List<MachineProfile> machines) {
        return Samples.with(
                result,
                "serverProfile",
                Records.with(ServerProfile.NONE, "machines", new RunMachines(List.of(), machines, List.of())));
    }

    @Test
    void addsTheRowsOfRounds() {
        RunResult one = Samples.with(
                A, "halts", new Pauses(2, 1, List.of(3.0, 6.0), new Pauses.Rounds(List.of(90.0, 80.0, 70.0), -10)));
        RunResult two =
                Samples.with(B, "halts", new Pauses(1, 2, List.of(3.1), new Pauses.Rounds(List.of(50.0, 30.0), -20)));

        Pauses halts = ResultMerge.of(List.of(one, two)).load().halts();

        assertThat(halts.rounds()).isEqualTo(new Pauses.Rounds(List.of(140.0, 110.0), -30));
        assertThat(halts.seconds()).isEqualTo(2);
        assertThat(ResultMerge.of(List.of(one, B)).load().halts().rounds()).isNull();
    }

    @Test
    void singleResultIsUnchanged() {
        assertThat(ResultMerge.of(List.of(A))).isSameAs(A);
    }

    private static Map<Long, Long> buckets(LatencyHistogram histogram) {
        Map<Long, Long> buckets = new TreeMap<>();
        histogram.forEachBucket(buckets::put);
        return buckets;
    }

    private static OperationResult operation(RunResult result) {
        return result.operations().get("find_first");
    }

    public static RunResult host(String id, int seed, List<Outage> outages) {
        return host(id, Samples.operation(seed, 30_000, "total", Map.of()), outages);
    }

    private static RunResult host(String id, OperationResult operation, List<Outage> outages) {
        return Samples.of(
                id,
                Samples.scenario("find_first", ""),
                Map.of("find_first", operation),
                IntervalSamples.intervals(10, false),
                outages,
                ServerProfile.NONE);
    }
}
