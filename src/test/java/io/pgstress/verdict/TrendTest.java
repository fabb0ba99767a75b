package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.verdict.LoadChecks.SteadyState.Trend;
import org.junit.jupiter.api.Test;

/** How throughput changed over a measurement. */
final class TrendTest {
    @Test
    void trendIsTheChangeFromTheFirstToTheLastThird() {
        assertThat(Trend.of(31_000, 45_100, 52_300, 58_000, 59_000, 60_000, 60_300, 59_900, 60_200))
                .isCloseTo((60_300 + 59_900 + 60_200) / (31_000 + 45_100 + 52_300.0) - 1, within(1e-12));
        assertThat(Trend.of(9, 9, 9, 8, 8, 8, 6, 6, 6)).isCloseTo(-1 / 3.0, within(1e-12));
    }

    @Test
    void noiseIsNotATrend() {
        assertThat(Trend.of(100, 60, 100, 80, 80, 80, 120, 100, 90)).isZero();
        assertThat(Trend.of(1, 2, 3)).isZero();
        assertThat(Trend.of()).isZero();
    }
}
