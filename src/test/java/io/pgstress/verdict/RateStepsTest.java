package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.RateStep;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which step of the target rate is the highest sustained one. */
final class RateStepsTest {
    private static RateStep step(double rate, long backlog) {
        return new RateStep(0, 10, rate, rate, null, backlog, false);
    }

    private static List<Boolean> knees(RateStep... steps) {
        return RateSteps.withKnee(List.of(steps)).stream().map(RateStep::knee).toList();
    }

    @Test
    void kneeIsTheLastStepThatKeptUp() {
        assertThat(knees(step(1000, 0), step(2000, 150), step(4000, 9000), step(1000, 0)))
                .containsExactly(false, true, false, false);
    }

    @Test
    void thereIsNoKneeIfAllOrNoStepsKeptUp() {
        assertThat(knees(step(1000, 0), step(2000, 0))).containsOnly(false);
        assertThat(knees(step(1000, 5000), step(2000, 0))).containsOnly(false);
        assertThat(knees()).isEmpty();
        assertThat(knees(step(1, 1), step(100, 900)))
                .as("one due at the very end")
                .containsExactly(true, false);
    }
}
