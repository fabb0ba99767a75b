package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.Outcome;
import io.pgstress.result.Remark;
import io.pgstress.verdict.LongTimes.Suspect;
import io.pgstress.verdict.LongTimes.Suspect.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cause of long times is named only if it explains them. */
final class LongTimesTest {
    private static List<String> words(PlayedRun run, Suspect... suspects) {
        return Remark.texts(new LongTimes(
                        run.waits(),
                        run.usualNanos(),
                        PlayedRun.WARMUP * PlayedRun.MILLI,
                        11_000 * PlayedRun.MILLI,
                        List.of(suspects))
                .remarks());
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
        String words = words(stall(), new Suspect(Kind.CLIENT, 1.2, 1.425)).get(0);

        assertThat(words)
                .startsWith("the slowest operation of 3 slow ones between 4.000 s and 7.202 s took 3.202 s: ")
                .contains("nothing on the client explains it; ruled out: the client's own threads (0.000 s of it)");
    }

    @Test
    void doesNotBlameAStallOnAPauseThatExplainsLittle() {
        assertThat(words(stall(), new Suspect(Kind.CLIENT, 5, 5.225)))
                .hasSize(1)
                .allMatch(w -> w.contains("nothing on the client explains it")
                        && w.contains("the client's own threads (0.225 s of it)"));
    }

    @Test
    void doesNotBlameAStallOnManyShortWaits() {
        Suspect[] late = new Suspect[160];
        for (int i = 0; i < late.length; i++) {
            late[i] = new Suspect(Kind.CLIENT, 4 + i * 0.02, 4.025 + i * 0.02);
        }

        assertThat(words(stall(), late)).hasSize(1).allMatch(w -> w.contains("nothing on the client explains it"));
    }

    @Test
    void namesAPauseOfTheClientThatExplainsALongTime() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 1_200).operation(0, Outcome.OK, 1_200, 1_430);

        assertThat(words(run, new Suspect(Kind.CLIENT, 1.205, 1.43)))
                .containsExactly(
                        "the slowest operation between 1.200 s and 1.430 s took 0.230 s: the client's own threads"
                                + " stalled for 0.225 s of it");
    }

    @Test
    void namesTheMostSpecificCause() {
        assertThat(words(
                        stall(),
                        new Suspect(Kind.CLIENT, 4, 7),
                        new Suspect(Kind.COLLECTOR, 4, 5),
                        new Suspect(Kind.COLLECTOR, 5.5, 7)))
                .allMatch(w -> w.endsWith("the client's garbage collector paused the client for 2.500 s of it"));
    }

    @Test
    void namesAServerThatFailedItsChecks() {
        assertThat(words(stall(), new Suspect(Kind.SERVER, "w1 (worker)", 4.5, 7.3, 2.8)))
                .allMatch(w -> w.contains(": w1 (worker) left its checks unanswered for 2.702 s of it, too"));
    }

    @Test
    void stealCountsForItsDuration() {
        assertThat(words(stall(), new Suspect(Kind.STEAL, "others", 4, 7.2, 0.4)))
                .allMatch(w -> w.contains("nothing on the client explains it"));
    }

    @Test
    void doesNotReportShortTimesOfUnknownCause() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 1_200).operation(0, Outcome.OK, 1_200, 1_430);

        assertThat(words(run)).isEmpty();
    }

    @Test
    void operationsOfUsualLengthNeedNoCause() {
        PlayedRun run = new PlayedRun(10_000, 3_000, 0);
        run.operation(0, Outcome.OK, 0, 3_000).operation(0, Outcome.OK, 3_000, 6_400);

        assertThat(words(run, new Suspect(Kind.CLIENT, 3, 3.3))).isEmpty();
    }
}
