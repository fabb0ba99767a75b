package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.plan.scenario.Limit;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EarlierResultTest {
    /** A run of 30 intervals of a second. */
    private static RunResult run(IntUnaryOperator ok) {
        return SampleBlocks.block(
                10_000,
                10,
                Map.of(),
                IntStream.range(0, 30)
                        .mapToObj(i -> SampleBlocks.interval(i, ok.applyAsInt(i)))
                        .toArray(IntervalResult[]::new));
    }

    @Test
    void groupsIntervalsIntoBlocksIncludingEmptyOnes() {
        EarlierResult earlier = EarlierResult.of(run(i -> i % 5 == 0 ? 0 : 1000), "earlier", 5);

        assertThat(earlier.figures().get(Metrics.PRIMARY))
                .hasSize(6)
                .allSatisfy(l -> assertThat(Math.exp(l)).isCloseTo(800, within(1e-6)));
        assertThat(earlier.figures().get("p99")).hasSize(6);
    }

    @Test
    void refusesAResultThatWasIdleForLongOrIsTooShort() {
        assertThatThrownBy(() -> EarlierResult.of(run(i -> i < 10 ? 0 : 1000), "earlier", 2))
                .hasMessageContaining("had no success in more than a tenth of its time");
        assertThatThrownBy(() -> EarlierResult.of(run(i -> 1000), "earlier", 7))
                .hasMessageContaining("fewer than 5 blocks (for a run: periods of 7.00 s)");
    }

    @Test
    void warnsIfTheNumberOfClientsDiffers() {
        EarlierResult earlier = EarlierResult.of(run(i -> 100), "earlier", 5);

        assertThat(earlier.warning("prepared", 8))
                .contains(
                        "the number of clients differs (earlier result: 1, prepared: 8), which may explain the difference");
        assertThat(earlier.warning("prepared", 1)).isEmpty();
    }

    @Test
    void namesLimitsWithoutFigures() {
        EarlierResult earlier = EarlierResult.of(run(i -> 100), "earlier", 5);

        assertThat(earlier.unanswered(List.of(Limit.parse("ops<-3%"), Limit.parse("p999>+5%"))))
                .containsExactly("p999>+5%: the earlier result has only ops, mean, p50, p90, p95");
    }
}
