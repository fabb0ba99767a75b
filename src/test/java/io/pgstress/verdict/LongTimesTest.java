package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.Outcome;
import io.pgstress.result.Outage;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.verdict.LongTimes.Suspect;
import io.pgstress.verdict.LongTimes.Suspect.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cause of long times is named only if it explains them. */
final class LongTimesTest {
    private static List<Remark> remarks(PlayedRun run, Suspect... suspects) {
        return remarks(false, run, List.of(), suspects);
    }

    private static List<Remark> remarks(boolean isOpen, PlayedRun run, List<Outage> outages, Suspect... suspects) {
        return new LongTimes(
                        run.waits(),
                        run.usualNanos(),
                        PlayedRun.WARMUP * PlayedRun.MILLI,
                        11_000 * PlayedRun.MILLI,
                        List.of(suspects))
                .remarks(isOpen, 0, outages);
    }

    /** The causes of the long times. */
    private static List<Object> causes(PlayedRun run, Suspect... suspects) {
        return remarks(run, suspects).stream()
                .map(remark -> remark.figures().get("cause"))
                .toList();
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
                        .with("cause", LongTimes.UNKNOWN)
                        .remark());
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
        assertThat(causes(
                        stall(),
                        new Suspect(Kind.WAIT, "waiting for Lock:relation", 4, 7.2, 3.1),
                        new Suspect(Kind.SERVER, "a server", 4, 7, 3)))
                .containsExactly("waiting for Lock:relation took about 3.100 s of that time");
    }

    @Test
    void longerOperationsOfOtherRemarksAreMentioned() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 1_200).operation(0, Outcome.OK, 1_200, 2_000);
        run.busy(0, 2_000, 4_000).operation(0, Outcome.OK, 4_000, 5_000);

        assertThat(remarks(run, new Suspect(Kind.STANDSTILL, 4, 5)))
                .singleElement()
                .satisfies(remark -> assertThat(remark.figures())
                        .containsEntry("seconds", 0.8)
                        .containsKey("apart"));
    }

    @Test
    void severalPeriodsAreOneRemark() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 1_200).operation(0, Outcome.OK, 1_200, 2_000);
        run.busy(0, 2_000, 4_000).operation(0, Outcome.OK, 4_000, 5_000);

        assertThat(remarks(run, new Suspect(Kind.COLLECTOR, 1.2, 1.9)))
                .singleElement()
                .satisfies(remark -> assertThat(remark.figures())
                        .containsEntry("seconds", 1.0)
                        .containsEntry("cause", LongTimes.UNKNOWN)
                        .containsEntry(
                                "others",
                                "0.800 s from 1.200 s on (the client's garbage collector paused the"
                                        + " client for 0.700 s of that time)"));
    }

    @Test
    void doesNotBlameAStallOnAPauseThatExplainsLittle() {
        assertThat(causes(stall(), new Suspect(Kind.CLIENT, 5, 5.225))).containsExactly(LongTimes.UNKNOWN);
    }

    @Test
    void doesNotBlameAStallOnManyShortWaits() {
        Suspect[] late = new Suspect[160];
        for (int i = 0; i < late.length; i++) {
            late[i] = new Suspect(Kind.CLIENT, 4 + i * 0.02, 4.025 + i * 0.02);
        }

        assertThat(causes(stall(), late)).containsExactly(LongTimes.UNKNOWN);
    }

    @Test
    void namesAPauseOfTheClientThatExplainsALongTime() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 1_200).operation(0, Outcome.OK, 1_200, 1_430);

        assertThat(causes(run, new Suspect(Kind.CLIENT, 1.205, 1.43)))
                .containsExactly("the client's own threads stalled for 0.225 s of that time");
    }

    @Test
    void namesTheMostSpecificCause() {
        assertThat(causes(
                        stall(),
                        new Suspect(Kind.CLIENT, 4, 7),
                        new Suspect(Kind.COLLECTOR, 4, 5),
                        new Suspect(Kind.COLLECTOR, 5.5, 7)))
                .containsExactly("the client's garbage collector paused the client for 2.500 s of that time");
    }

    @Test
    void namesAServerThatFailedItsChecks() {
        assertThat(causes(stall(), new Suspect(Kind.SERVER, "w1 (worker)", 4.5, 7.3, 2.8)))
                .containsExactly("w1 (worker) left its checks unanswered for 2.702 s of that time, so it or the network"
                        + " stalled");
    }

    @Test
    void stealCountsForItsDuration() {
        assertThat(causes(stall(), new Suspect(Kind.STEAL, "others", 4, 7.2, 0.4)))
                .containsExactly(LongTimes.UNKNOWN);
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
                        .with("cause", LongTimes.UNKNOWN)
                        .remark());
        assertThat(remarks(false, run, List.of())).isEmpty();
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
