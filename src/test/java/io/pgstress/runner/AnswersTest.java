package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.RunResult.Outage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a server did not answer. */
final class AnswersTest {
    private final Answers answers = new Answers("w1", "worker");

    private List<String> wordsUpTo(double seconds) {
        return answers.upTo(seconds).stream().map(Silence::words).toList();
    }

    @Test
    void silenceIsAnOutageOfItsNode() {
        answers.start(0);
        answers.failed();
        answers.answered(3);

        assertThat(answers.upTo(4)).map(Silence::outage).containsExactly(new Outage(0, 3, "w1", true));
    }

    @Test
    void failuresBetweenTwoAnswersAreAnOutage() {
        answers.start(0);
        answers.answered(2);
        answers.failed();
        answers.failed();
        answers.answered(8);
        answers.answered(10);

        assertThat(wordsUpTo(11)).containsExactly("w1 (worker) did not answer from 2.0 s to 8.0 s");
    }

    @Test
    void longSilenceIsOneWithoutAFailure() {
        answers.start(0);
        answers.answered(2);
        answers.asked(4);
        answers.asked(6);
        answers.answered(9.5);

        assertThat(wordsUpTo(10)).containsExactly("w1 (worker) did not answer from 2.0 s to 9.5 s");
    }

    @Test
    void timeInWhichNothingIsAskedIsNoSilence() {
        answers.start(0);
        answers.answered(2);
        answers.asked(30);
        answers.answered(31);

        assertThat(wordsUpTo(60)).isEmpty();
    }

    @Test
    void openQuestionIsASilenceToTheEnd() {
        answers.start(0);
        answers.answered(2);
        answers.asked(4);

        assertThat(wordsUpTo(8)).isEmpty();
        assertThat(wordsUpTo(10)).containsExactly("w1 (worker) did not answer from 2.0 s to the end");
    }

    @Test
    void outageThatIsNotOverLastsToTheEnd() {
        answers.start(0);
        answers.answered(2);
        answers.failed();

        assertThat(wordsUpTo(4)).containsExactly("w1 (worker) did not answer from 2.0 s to the end");
    }
}
