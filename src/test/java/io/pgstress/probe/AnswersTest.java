package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.probe.WatchedServer.Answers;
import io.pgstress.verdict.SilentServers.Silence;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Times in which a server did not answer. */
final class AnswersTest {
    private final Answers answers = new Answers("w1", "worker", null);

    private List<String> wordsUpTo(double seconds) {
        return answers.upTo(seconds).stream()
                .map(s -> String.format(
                        Locale.ROOT,
                        "%s did not answer its checks between %.1f s and %s",
                        s.name(),
                        s.from(),
                        s.isOver() ? String.format(Locale.ROOT, "%.1f s", s.to()) : "the end"))
                .toList();
    }

    /** Whoever aborts a run does not wait for the answer. */
    @Test
    void anAbortIsNoSilence() {
        answers.start(0);
        answers.asked(9);
        answers.hurry();
        answers.failed();

        assertThat(answers.upTo(9.5)).isEmpty();
        assertThat(answers.upTo(15)).as("has been silent for long").hasSize(1);
    }

    /** A server that freezes in the warm-up is not forgotten when the measurement begins. */
    @Test
    void silenceThatBeganBeforeTheMeasurementCounts() {
        answers.start(0);
        answers.answered(0.5);
        answers.asked(1);
        answers.start(2);
        answers.answered(7.5);

        assertThat(answers.upTo(8)).containsExactly(new Silence("w1", "worker", null, 0.5, 1, 7.5, true));
    }

    @Test
    void silenceLastsFromOneAnswerToTheNext() {
        answers.start(0);
        answers.asked(2);
        answers.failed();
        answers.answered(3);

        assertThat(answers.upTo(4)).containsExactly(new Silence("w1", "worker", null, 0, 2, 3, true));
    }

    @Test
    void longUnansweredQueryShowsASlowServer() {
        answers.start(0);
        answers.asked(2);
        answers.answered(2.2);
        answers.asked(4);
        answers.answered(5.5);
        answers.asked(6);

        assertThat(answers.upTo(7)).isEmpty();
        assertThat(answers.late(7))
                .containsExactly(
                        new Silence("w1", "worker", null, 2.2, 4, 5.5, true),
                        new Silence("w1", "worker", null, 5.5, 6, 7, true));
    }

    @Test
    void failuresBetweenTwoAnswersAreAnOutage() {
        answers.start(0);
        answers.answered(2);
        answers.failed();
        answers.failed();
        answers.answered(8);
        answers.answered(10);

        assertThat(wordsUpTo(11)).containsExactly("w1 (worker) did not answer its checks between 2.0 s and 8.0 s");
    }

    @Test
    void longSilenceCountsWithoutAFailure() {
        answers.start(0);
        answers.answered(2);
        answers.asked(4);
        answers.asked(6);
        answers.answered(9.5);

        assertThat(wordsUpTo(10)).containsExactly("w1 (worker) did not answer its checks between 2.0 s and 9.5 s");
    }

    @Test
    void timeWithoutQueriesIsNotSilence() {
        answers.start(0);
        answers.answered(2);
        answers.asked(30);
        answers.answered(31);

        assertThat(wordsUpTo(60)).isEmpty();
    }

    @Test
    void unansweredQueryIsASilenceToTheEnd() {
        answers.start(0);
        answers.answered(2);
        answers.asked(4);

        assertThat(wordsUpTo(8)).isEmpty();
        assertThat(wordsUpTo(10)).containsExactly("w1 (worker) did not answer its checks between 2.0 s and the end");
    }

    @Test
    void unfinishedOutageLastsToTheEnd() {
        answers.start(0);
        answers.answered(2);
        answers.failed();

        assertThat(wordsUpTo(4)).containsExactly("w1 (worker) did not answer its checks between 2.0 s and the end");
    }
}
