package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Outage;
import io.pgstress.result.RateStep;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which step of the target rate is the highest sustained one. */
final class RateStepsTest {
    private static RateStep step(double rate, long backlog) {
        return new RateStep(0, 10, rate, rate, null, backlog, false);
    }

    private static List<Boolean> knees(RateStep... steps) {
        return RateSteps.withKnee(List.of(steps), List.of()).stream()
                .map(RateStep::knee)
                .toList();
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

    /** In the second step, 100 operations per second are due, and the table is locked for 0.7 s. */
    @Test
    void backlogOfAStallIsNotTheEndOfWhatTheServerSustains() {
        List<RateStep> steps = List.of(
                new RateStep(0, 4, 50, 50, null, 0, false),
                new RateStep(4, 4, 100, 83, null, 53, false),
                new RateStep(8, 4, 150, 167, null, 0, false));

        assertThat(RateSteps.firstBehind(steps, List.of(new Outage(7.31, 8.209, null))))
                .isEqualTo(-1);
        assertThat(RateSteps.firstBehind(steps, List.of(new Outage(7.8, 8.209, null))))
                .as("20 of them were due then")
                .isEqualTo(1);
        assertThat(RateSteps.firstBehind(steps, List.of(new Outage(1, 3, null))))
                .as("in another step")
                .isEqualTo(1);
    }
}
