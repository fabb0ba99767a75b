package io.pgstress.verdict;

import static io.pgstress.report.Samples.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.HostsSample;
import io.pgstress.report.Samples;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.HostResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.ErrorCount;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks of a run on several hosts. */
final class HostChecksTest {
    private static final HostResult A = host("a", 1000, 180);
    private static final HostResult B = host("b", 1020, 183);
    private static final HostResult C = host("c", 990, 178);

    @Test
    void aRunOnOneHostGetsNoRemark() {
        assertThat(Judge.judged(Samples.closed())).isEqualTo(Samples.closed());
    }

    @Test
    void similarHostsGetNoRemark() {
        assertThat(warnings(A, B, C)).isEmpty();
        assertThat(warnings(A, B)).isEmpty();
        assertThat(warnings(A)).isEmpty();
    }

    @Test
    void namesASlowHostWithItsFiguresAndTheOthersMedian() {
        assertThat(warnings(A, B, host("slow", 400, 450), C))
                .containsExactly(differs(
                        "host slow",
                        "200.0 ops/s per client, the others 500.0; p99 " + millis(host("slow", 400, 450))
                                + ", the others " + millis(A)));
    }

    @Test
    void namesAFastHostOnlyIfTheOthersAgree() {
        assertThat(warnings(A, B, host("fast", 3000, 180)))
                .containsExactly(differs("host fast", "1,500.0 ops/s per client, the others 505.0"));
        assertThat(warnings(host("x", 1000, 180), host("y", 2000, 180), host("z", 3000, 180)))
                .as("hosts that all differ have no outlier")
                .isEmpty();
    }

    @Test
    void ofTwoHostsTheWorseIsNamed() {
        assertThat(warnings(A, host("other", 3000, 180)))
                .containsExactly(differs("host a", "500.0 ops/s per client, the other 1,500.0"));
    }

    @Test
    void differencesWithinTheSpreadOfTheOthersAreNoOutliers() {
        List<HostResult> spread = IntStream.range(0, 9)
                .mapToObj(n -> host("h" + n, 600 + 100 * n, 180))
                .toList();
        assertThat(warnings(spread.toArray(HostResult[]::new))).isEmpty();
    }

    @Test
    void namesAHostWhoseCpusOrClientsWait() {
        HostResult busy = with(host("busy", 1000, 180), "client", HostsSample.client(0.95, 0.4));
        HostResult calm = with(A, "client", HostsSample.client(0.3, 0.01));
        HostResult quiet = with(B, "client", HostsSample.client(0.35, 0.02));

        assertThat(warnings(calm, quiet, busy))
                .containsExactly(
                        differs(
                                "host busy",
                                "95% of its CPUs used, the others 33%; 40% of its mean latency was waiting in the client, the others 2%"));
        assertThat(warnings(calm, with(B, "client", HostsSample.client(0.95, null))))
                .extracting(Remark::code)
                .containsExactly(RemarkCode.HOST_DIFFERS);
    }

    @Test
    void aFreeCpuIsNoOutlier() {
        HostResult idle = with(host("idle", 1000, 180), "client", HostsSample.client(0.05, null));
        HostResult one = with(A, "client", HostsSample.client(0.6, null));
        HostResult two = with(B, "client", HostsSample.client(0.61, null));

        assertThat(warnings(one, two, idle)).isEmpty();
    }

    @Test
    void ratesOfAnOpenLoadAndOfFewOperationsAreNotCompared() {
        HostResult slow = with(host("slow", 400, 180), "latencyMicros", A.latencyMicros());
        RunResult closed = run(A, B, slow);
        Workload openLoad = closed.run().workload().with(2, List.of(100.0));

        assertThat(Judge.judged(with(closed, "run", with(closed.run(), "workload", openLoad)))
                        .warnings())
                .isEmpty();
        assertThat(warnings(host("a", 1, 180), host("b", 5, 180))).isEmpty();
        assertThat(warnings(A, B, slow)).isNotEmpty();
    }

    @Test
    void aLostHostMakesTheRunNotValidAndIsNoOutlier() {
        RunResult judged = Judge.judged(run(A, B, C, lost("gone", 4.25)));

        assertThat(judged.valid()).isFalse();
        assertThat(judged.reasons()).containsExactly(lostHost("host gone", 4.25, 2));
        assertThat(judged.warnings()).isEmpty();
    }

    @Test
    void toleratedLossesAreWarnings() {
        RunResult one = Judge.judged(tolerating(1, A, B, lost("gone", 4.25)));
        RunResult two = Judge.judged(tolerating(1, A, lost("gone", 4.25), lost("too", -1)));

        assertThat(one.valid()).isTrue();
        assertThat(one.warnings()).extracting(Remark::code).containsExactly(RemarkCode.HOST_LOST_AS_TOLERATED);
        assertThat(two.reasons())
                .hasSize(2)
                .contains(RemarkCode.HOST_LOST
                        .with("host", "host too")
                        .with("beforeSeconds", 1.0)
                        .with("measuredSeconds", 10.0)
                        .with("clients", 2)
                        .remark());
    }

    @Test
    void aHostLostAtTheEndMayMissFigures() {
        assertThat(Judge.judged(run(A, B, lost("gone", 9.96))).reasons())
                .containsExactly(lostHost("host gone", 9.96, null));
        assertThat(Judge.judged(run(A, B, lost("gone", -0.01))).reasons()).containsExactly(lostHost("host gone", 0, 2));
        assertThat(Judge.judged(run(A, B, lost("gone", 10.5))).reasons())
                .containsExactly(lostHost("host gone", 10, null));
    }

    /** @param clients those that are not counted; null: it was lost at the end */
    private static Remark lostHost(String host, double atSeconds, Integer clients) {
        return RemarkCode.HOST_LOST
                .with("host", host)
                .with("atSeconds", atSeconds)
                .with("measuredSeconds", 10.0)
                .with("clients", clients)
                .remark();
    }

    @Test
    void aClockBoundOverATenthOfAnIntervalIsAWarningAndOverHalfAReason() {
        assertThat(Judge.judged(run(bound(A, 99_000), B)).remarks()).isEmpty();
        RunResult tenth = Judge.judged(run(bound(A, 101_000), bound(B, 150_000)));
        RunResult half = Judge.judged(run(A, bound(B, 501_000)));

        assertThat(tenth.valid()).isTrue();
        assertThat(tenth.warnings())
                .containsExactly(RemarkCode.CLOCK_UNSURE
                        .with("hosts", "hosts b, a")
                        .with("boundSeconds", 0.150)
                        .with("intervalSeconds", 1.0)
                        .remark());
        assertThat(half.reasons())
                .containsExactly(RemarkCode.CLOCK_UNKNOWN
                        .with("hosts", "host b")
                        .with("boundSeconds", 0.501)
                        .with("intervalSeconds", 1.0)
                        .remark());
    }

    @Test
    void theHostsOwnRemarksCountOnceEach() {
        HostResult late = with(with(A, "reasons", Samples.reasons("it was delayed", "common")), "valid", false);
        HostResult warned = with(B, "warnings", Samples.warnings("it is busy"));
        List<HostResult> hosts =
                new ArrayList<>(List.of(late, warned, with(C, "warnings", Samples.warnings("it is busy"))));
        IntStream.range(0, 3)
                .forEach(n -> hosts.add(with(host("d" + n, 1000, 180), "warnings", Samples.warnings("it is busy"))));

        RunResult judged =
                Judge.judged(run(hosts.toArray(HostResult[]::new)).withRemarks(Samples.reasons("common"), List.of()));

        assertThat(judged.valid()).isFalse();
        assertThat(Remark.texts(judged.reasons())).containsExactly("common", "host a: it was delayed");
        assertThat(Remark.texts(judged.warnings())).containsExactly("hosts b, c, d0 and 2 more: it is busy");
        assertThat(Judge.judged(judged)).as("judged again").isEqualTo(judged);
    }

    /** Each host counted its own operations, and knows a message of its own. */
    @Test
    void aRunWithoutSuccessIsNotToldOfEachHost() {
        OperationResult failed = Samples.operation(0, Map.of("40P01", new ErrorCount(800, "deadlock")), Map.of());
        OperationResult missed = with(Samples.operation(0, Map.of(), Map.of()), "misses", 800);

        assertThat(withoutSuccess(failed, failures(500, "deadlock"), failures(300, "no table")))
                .containsExactly(failures(800, "deadlock"));
        assertThat(withoutSuccess(missed, misses(500), misses(300)))
                .extracting(remark -> remark.figures().get("misses"))
                .containsExactly(800L);
    }

    @Test
    void hostWithoutSuccessIsNamedIfAnotherOneHadSome() {
        RunResult judged = Judge.judged(run(with(A, "reasons", List.of(failures(500, "deadlock"))), B));

        assertThat(judged.reasons()).containsExactly(failures(500, "deadlock").about("host a"));
        HostResult c = with(C, "reasons", List.of(failures(300, "deadlock")));
        assertThat(Judge.judged(run(B, c).withRemarks(judged.reasons(), List.of()))
                        .reasons())
                .as("what is known of one says nothing of another")
                .contains(failures(300, "deadlock").about("host c"));
    }

    /** The reasons of a run with this operation that say that none succeeded. */
    private static List<Remark> withoutSuccess(OperationResult sum, Remark ofA, Remark ofB) {
        RunResult run = run(with(A, "reasons", List.of(ofA)), with(B, "reasons", List.of(ofB)));
        return Judge.judged(with(run, "operations", Map.of("find_first", sum))).reasons().stream()
                .filter(remark -> remark.code() == ofA.code())
                .toList();
    }

    private static Remark failures(long failed, String message) {
        return RemarkCode.NO_SUCCESS
                .with("failed", failed)
                .with("sqlstate", "40P01")
                .with("message", message)
                .remark();
    }

    private static Remark misses(long misses) {
        return RemarkCode.ONLY_MISSES
                .with("misses", misses)
                .with("duplicates", 0L)
                .remark();
    }

    /** The command knows what the servers did. */
    @Test
    void causeThatOneHostDoesNotKnowMayBeKnownToAll() {
        Remark unknown = RemarkCode.LONG_OPERATION
                .with("seconds", 0.7)
                .with("fromSeconds", 1.0)
                .with("toSeconds", 1.7)
                .remark();
        Remark known = RemarkCode.LONG_OPERATION_WAIT
                .with("seconds", 0.7)
                .with("fromSeconds", 1.0)
                .with("toSeconds", 1.7)
                .with("wait", "Lock:relation")
                .with("causeSeconds", 0.6)
                .remark();
        HostResult host = with(A, "warnings", List.of(unknown));
        assertThat(Judge.judged(run(host, B).withRemarks(List.of(), List.of(known)))
                        .warnings())
                .containsExactly(known);
        assertThat(warnings(host, B)).containsExactly(unknown.about("host a"));
    }

    private static String millis(HostResult host) {
        return String.format(Locale.ROOT, "%.2f ms", host.latencyMicros().p99() / 1e3);
    }

    private static Remark differs(String host, String figures) {
        return RemarkCode.HOST_DIFFERS
                .with("host", host)
                .with("figures", figures)
                .remark();
    }

    private static List<Remark> warnings(HostResult... hosts) {
        RunResult judged = Judge.judged(run(hosts));
        assertThat(judged.reasons()).isEmpty();
        return judged.warnings();
    }

    private static RunResult run(HostResult... hosts) {
        return with(Samples.closed(), "hosts", List.of(hosts));
    }

    private static RunResult tolerating(int lost, HostResult... hosts) {
        RunResult run = run(hosts);
        return with(run, "run", with(run.run(), "toleratedLost", lost));
    }

    /** A host with 2 clients. */
    private static HostResult host(String name, double opsPerSecond, double medianMicros) {
        HostResult host = HostsSample.host(name, 2, opsPerSecond, medianMicros, null);
        ClientInfo client = HostsSample.client(0.5, null);
        return with(with(host, "client", client), "warnings", List.of());
    }

    private static HostResult lost(String name, double at) {
        return HostsSample.host(name, 2, 100, 180, at);
    }

    private static HostResult bound(HostResult host, double micros) {
        return with(host, "clockBoundMicros", micros);
    }
}
