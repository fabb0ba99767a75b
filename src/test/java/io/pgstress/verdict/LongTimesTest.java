package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.measure.OperationAt.RunningOperation;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.SuccessTimes.LongWait;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.Outage;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.text.Records;
import io.pgstress.verdict.LongTimes.Suspect;
import io.pgstress.verdict.LongTimes.Suspect.Kind;
import io.pgstress.verdict.SlowOperations.Hit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A cause of long times is named only if it explains them. */
final class LongTimesTest {
    private static List<Remark> remarks(PlayedRun run, Suspect... suspects) {
        return remarks(false, run, List.of(), suspects);
    }

    private static List<Remark> remarks(boolean isOpen, PlayedRun run, List<Outage> outages, Suspect... suspects) {
        return remarks(List.of(), isOpen, run, outages, suspects);
    }

    private static List<Remark> remarks(
            List<Hit> samples, boolean isOpen, PlayedRun run, List<Outage> outages, Suspect... suspects) {
        return new LongTimes(
                        run.waits(),
                        run.usualNanos(),
                        PlayedRun.WARMUP * PlayedRun.MILLI,
                        11_000 * PlayedRun.MILLI,
                        List.of(suspects),
                        (operation, from, to) -> SlowOperations.waitOfOthers(samples, operation, from, to))
                .remark(isOpen, 0, outages, List.of()).stream().toList();
    }

    /** The only remark on the long times. */
    private static Remark remark(PlayedRun run, Suspect... suspects) {
        List<Remark> remarks = remarks(run, suspects);
        assertThat(remarks).hasSize(1);
        return remarks.get(0);
    }

    private static double causeSeconds(Remark remark) {
        return ((Number) remark.figures().get("causeSeconds")).doubleValue();
    }

    /** All three clients stall for 3.2 s. */
    private static PlayedRun stall() {
        PlayedRun run = new PlayedRun(10_000, 1, 0, 0, 0);
        for (int client = 0; client < 3; client++) {
            run.busy(client, 0, 4_000).operation(client, Outcome.OK, 4_000, 7_200 + client);
        }
        return run;
    }

    @Test
    void doesNotBlameAStallOnAShorterPauseOfTheClient() {
        assertThat(remarks(stall(), new Suspect(Kind.CLIENT, 1.2, 1.425)))
                .containsExactly(RemarkCode.LONG_OPERATION
                        .with("operations", 3)
                        .with("seconds", 3.202)
                        .with("fromSeconds", 4.0)
                        .with("toSeconds", 7.202)
                        .remark());
    }

    private static List<Remark> ofHost(int host, Suspect... suspects) {
        List<LongWait> waits = stall().waits().stream()
                .map(wait -> Records.with(wait, "host", host))
                .toList();
        return new LongTimes(
                        waits,
                        new long[] {PlayedRun.MILLI},
                        PlayedRun.WARMUP * PlayedRun.MILLI,
                        11_000 * PlayedRun.MILLI,
                        List.of(suspects),
                        (operation, from, to) -> Optional.empty())
                .remark(false, 0, List.of(), List.of()).stream().toList();
    }

    /** Of several hosts, each has a remark on what its own clients did. */
    @Test
    void whatAHostExplainsIsNoUnknownCause() {
        Suspect stalled = new Suspect(Kind.CLIENT, 4, 7);
        assertThat(ofHost(2, stalled.on(2))).isEmpty();
        assertThat(ofHost(1, stalled.on(2)))
                .as("the operation of another host")
                .extracting(Remark::code)
                .containsExactly(RemarkCode.LONG_OPERATION);
        assertThat(ofHost(1, new Suspect(Kind.SERVER, "a server", 4, 7, 3)))
                .as("the server of all hosts")
                .extracting(Remark::code)
                .containsExactly(RemarkCode.LONG_OPERATION_SERVER);
    }

    @Test
    void whatTheRemarkOnAnOutageSaysIsNotRepeated() {
        assertThat(remarks(false, stall(), List.of(new Outage(4, 7.2, null)))).isEmpty();
        assertThat(remarks(false, stall(), List.of(new Outage(8, 9, null)))).hasSize(1);
        assertThat(remarks(false, stall(), List.of(new Outage(4, 7.2, null)), new Suspect(Kind.COLLECTOR, 4, 7)))
                .as("a cause that the outage does not name")
                .hasSize(1);
    }

    @Test
    void waitThatSamplesFoundIsTheCause() {
        Remark remark = remark(
                stall(),
                new Suspect(Kind.WAIT, "waiting for Lock:relation", 4, 7.2, 3.1),
                new Suspect(Kind.SERVER, "a server", 4, 7, 3));

        assertThat(remark.code()).isEqualTo(RemarkCode.LONG_OPERATION_WAIT);
        assertThat(remark.figures()).containsEntry("wait", "waiting for Lock:relation");
        assertThat(causeSeconds(remark)).isCloseTo(3.1, within(1e-9));
    }

    @Test
    void longerOperationsOfOtherRemarksAreLeftToThem() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 1_200).operation(0, Outcome.OK, 1_200, 2_000);
        run.busy(0, 2_000, 4_000).operation(0, Outcome.OK, 4_000, 5_000);

        assertThat(remarks(run, new Suspect(Kind.STANDSTILL, 4, 5)))
                .singleElement()
                .satisfies(remark -> assertThat(remark.figures()).containsEntry("seconds", 0.8));
    }

    @Test
    void periodsOfOneCauseAreOneRemark() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 1_200).operation(0, Outcome.OK, 1_200, 2_000);
        run.busy(0, 2_000, 4_000).operation(0, Outcome.OK, 4_000, 5_000);

        assertThat(remark(run).figures())
                .containsEntry("seconds", 1.0)
                .containsEntry("others", "0.800 s from 1.200 s on (cause unknown)");
    }

    @Test
    void stallsOfSeveralCausesAreOneRemarkOnTheHeaviest() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 1_200).operation(0, Outcome.OK, 1_200, 2_000);
        run.busy(0, 2_000, 4_000).operation(0, Outcome.OK, 4_000, 5_000);
        run.busy(0, 5_000, 7_000).operation(0, Outcome.OK, 7_000, 7_700);

        Remark ofLongest = remark(run, new Suspect(Kind.COLLECTOR, 1.2, 1.9), new Suspect(Kind.STEAL, 7, 7.7));
        assertThat(ofLongest.code()).isEqualTo(RemarkCode.LONG_OPERATION);
        assertThat(ofLongest.figures())
                .containsEntry(
                        "others", "0.800 s from 1.200 s on (garbage collection); 0.700 s from 7.000 s on (CPU steal)");

        Remark ofTwo = remark(run, new Suspect(Kind.COLLECTOR, 1.2, 1.9), new Suspect(Kind.COLLECTOR, 7, 7.7));
        assertThat(ofTwo.code()).as("1.5 s in two periods").isEqualTo(RemarkCode.LONG_OPERATION_COLLECTOR);
        assertThat(ofTwo.figures())
                .containsEntry("seconds", 0.8)
                .containsEntry(
                        "others",
                        "1.000 s from 4.000 s on (cause unknown); 0.700 s from 7.000 s on (garbage collection)");
    }

    @Test
    void doesNotBlameAStallOnAPauseThatExplainsLittle() {
        assertThat(remark(stall(), new Suspect(Kind.CLIENT, 5, 5.225)).code()).isEqualTo(RemarkCode.LONG_OPERATION);
    }

    @Test
    void doesNotBlameAStallOnManyShortWaits() {
        Suspect[] late = new Suspect[160];
        for (int i = 0; i < late.length; i++) {
            late[i] = new Suspect(Kind.CLIENT, 4 + i * 0.02, 4.025 + i * 0.02);
        }

        assertThat(remark(stall(), late).code()).isEqualTo(RemarkCode.LONG_OPERATION);
    }

    @Test
    void namesAPauseOfTheClientThatExplainsALongTime() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 1_200).operation(0, Outcome.OK, 1_200, 1_430);

        Remark remark = remark(run, new Suspect(Kind.CLIENT, 1.205, 1.43));
        assertThat(remark.code()).isEqualTo(RemarkCode.LONG_OPERATION_CLIENT);
        assertThat(causeSeconds(remark)).isCloseTo(0.225, within(1e-9));
    }

    @Test
    void namesTheMostSpecificCause() {
        Remark remark = remark(
                stall(),
                new Suspect(Kind.CLIENT, 4, 7),
                new Suspect(Kind.COLLECTOR, 4, 5),
                new Suspect(Kind.COLLECTOR, 5.5, 7));
        assertThat(remark.code()).isEqualTo(RemarkCode.LONG_OPERATION_COLLECTOR);
        assertThat(causeSeconds(remark)).isCloseTo(2.5, within(1e-9));
    }

    @Test
    void namesAServerThatFailedItsChecks() {
        Remark remark = remark(stall(), new Suspect(Kind.SERVER, "w1 (worker)", 4.5, 7.3, 2.8));
        assertThat(remark.code()).isEqualTo(RemarkCode.LONG_OPERATION_SERVER);
        assertThat(remark.figures()).containsEntry("server", "w1 (worker)").containsEntry("causeSeconds", 2.702);
    }

    @Test
    void stealCountsForItsDuration() {
        assertThat(remark(stall(), new Suspect(Kind.STEAL, "others", 4, 7.2, 0.4))
                        .code())
                .isEqualTo(RemarkCode.LONG_OPERATION);
    }

    /** In an open loop, a stall is in the percentiles, so that only its length tells it. */
    @Test
    void reportsAShortStallOfAnOpenLoad() {
        PlayedRun run = new PlayedRun(10_000, 1, 0, 0);
        for (int client = 0; client < 2; client++) {
            run.busy(client, 0, 1_200).operation(client, Outcome.OK, 1_200, 1_500 + client);
        }

        assertThat(remarks(true, run, List.of()))
                .containsExactly(RemarkCode.LONG_OPERATION
                        .with("operations", 2)
                        .with("seconds", 0.301)
                        .with("fromSeconds", 1.2)
                        .with("toSeconds", 1.501)
                        .remark());
        assertThat(remarks(false, run, List.of())).isEmpty();
    }

    /** One in fifty operations sleeps for 0.1 s. Each is sampled once or not at all, but all that are sampled sleep. */
    @Test
    void waitOfOperationsOfTheSameLengthIsTheCauseOfOneWithoutSamples() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 1_200).operation(0, Outcome.OK, 1_200, 1_302);

        assertThat(remarks(sleeping(5, 102), true, run, List.of()))
                .singleElement()
                .satisfies(remark -> {
                    assertThat(remark.code()).isEqualTo(RemarkCode.LONG_OPERATION_WAIT);
                    assertThat(remark.figures()).containsEntry("wait", "waiting for Timeout:PgSleep");
                    assertThat(causeSeconds(remark)).isCloseTo(0.102, within(1e-9));
                });
        List<RemarkCode> unknown = List.of(RemarkCode.LONG_OPERATION);
        assertThat(remarks(sleeping(4, 102), true, run, List.of()))
                .as("few samples")
                .extracting(Remark::code)
                .isEqualTo(unknown);
        assertThat(remarks(sleeping(5, 300), true, run, List.of()))
                .as("longer operations")
                .extracting(Remark::code)
                .isEqualTo(unknown);
        List<Hit> both = new ArrayList<>(sleeping(5, 102));
        for (int n = 0; n < 5; n++) {
            both.add(hit(5 + 0.2 * n, 102, "Lock:relation"));
        }
        assertThat(remarks(both, true, run, List.of()))
                .as("different waits")
                .extracting(Remark::code)
                .isEqualTo(unknown);
    }

    /** The server itself was not sampled: it may have been frozen. */
    @Test
    void nothingIsInferredOfATimeWithoutSamples() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 1_200).operation(0, Outcome.OK, 1_200, 1_350);
        List<Hit> samples = new ArrayList<>(sleeping(5, 150));
        for (int n = 0; n < 100; n++) {
            double at = 0.01 * n + (n < 60 ? 0.6 : 0.75);
            samples.add(hit(at, 1, OperationWaits.CPU));
        }

        assertThat(remarks(samples, true, run, List.of()))
                .extracting(Remark::code)
                .containsExactly(RemarkCode.LONG_OPERATION);
    }

    /** So many operations of this length, with one sample each. */
    private static List<Hit> sleeping(int operations, long millis) {
        return IntStream.range(0, operations)
                .mapToObj(n -> hit(3 + 0.2 * n, millis, "Timeout:PgSleep"))
                .toList();
    }

    private static Hit hit(double at, long millis, String wait) {
        long start = Math.round(1e9 * at);
        RunningOperation operation = new RunningOperation(1, 0, true, start, start, start + millis * PlayedRun.MILLI);
        return new Hit(at, operation, at, 0, 1, "s", "", wait, Set.of(), null);
    }

    @Test
    void outageHasTheWaitOfItsOperations() {
        Outage lock = new Outage(4, 7.2, null);
        LongTimes times = new LongTimes(
                stall().waits(),
                stall().usualNanos(),
                PlayedRun.WARMUP * PlayedRun.MILLI,
                11_000 * PlayedRun.MILLI,
                List.of(new Suspect(Kind.WAIT, "waiting for Lock:relation", 4, 7.2, 3.1)),
                (operation, from, to) -> Optional.empty());

        assertThat(times.waitIn(lock)).contains("waiting for Lock:relation");
        assertThat(times.waitIn(new Outage(8, 9, null))).isEmpty();
        assertThat(times.remark(false, 0, List.of(lock), List.of(lock))).isEmpty();
        assertThat(times.remark(false, 0, List.of(lock), List.of()))
                .as("an outage whose remark does not tell it")
                .isPresent();
    }

    @Test
    void doesNotReportShortTimesOfUnknownCause() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 1_200).operation(0, Outcome.OK, 1_200, 1_430);

        assertThat(remarks(run)).isEmpty();
    }

    @Test
    void operationsOfUsualLengthNeedNoCause() {
        PlayedRun run = new PlayedRun(10_000, 3_000, 0);
        run.operation(0, Outcome.OK, 0, 3_000).operation(0, Outcome.OK, 3_000, 6_400);

        assertThat(remarks(run, new Suspect(Kind.CLIENT, 3, 3.3))).isEmpty();
    }
}
