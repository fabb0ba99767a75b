package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.compare.statistics.Sample;
import io.pgstress.plan.scenario.Scenario.Effort;
import io.pgstress.result.Comparison.Effect;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What more time would decide. */
final class EffectJudgeTest {
    private static Effect effect(double margin, Sample pairs) {
        Effort effort = new Effort(8, 0, Duration.ofHours(1), margin, 0, 1);
        return new EffectJudge(effort, Metrics.PRIMARY)
                .effects((variant, metric) -> Optional.of(pairs), List.of("b"), 1, variant -> List.of())
                .get(0);
    }

    private static String sentence(Effect effect, double margin) {
        return VerdictText.verdicts(List.of(effect), Metrics.PRIMARY, "a", List.of("b"), margin, 8)
                .get(0);
    }

    /** The mean is 0.2%, and 2% would have been found: to find 0.2% would take hours, and tell nothing. */
    @Test
    void smallDifferenceThatIsNotFoundNeedsNoMoreTime() {
        Effect effect = effect(0, new Sample(0.012, -0.008, 0.010, -0.006, 0.006, -0.002, 0.008, -0.004));

        assertThat(effect.verdict()).isEqualTo(EffectJudge.UNDECIDED);
        assertThat(effect.secondsToDecide()).isNull();
        assertThat(sentence(effect, 0))
                .startsWith("b compared with a is undecided after 8 rounds: +0.2% operations per second (")
                .endsWith("; they differ by less than 2%.");
    }

    @Test
    void timeIsThatUntilADifferenceOfTwoPercentWouldBeFound() {
        Effect noisy = effect(0, new Sample(0.06, -0.04, 0.05, -0.03, 0.03, -0.01, 0.04, -0.02));

        assertThat(noisy.secondsToDecide()).isGreaterThan(1);
        assertThat(sentence(noisy, 0)).endsWith(" more would find a difference of 2%.");
        Effect large = effect(0, new Sample(0.16, -0.04, 0.15, -0.03, 0.13, -0.01, 0.14, -0.02));
        assertThat(sentence(large, 0)).endsWith(" more would decide it if the difference is as measured.");
        assertThat(large.secondsToDecide()).isLessThan(60);
    }

    @Test
    void withAMarginTheTimeIsThatToAVerdict() {
        Effect effect = effect(0.005, new Sample(0.012, -0.008, 0.010, -0.006, 0.006, -0.002, 0.008, -0.004));

        assertThat(effect.secondsToDecide()).isNotNull();
        assertThat(sentence(effect, 0.005)).endsWith(" more would decide it if the difference is as measured.");
    }
}
