package io.pgstress.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StoppingRuleTest {
    private static final int TRIES = 500;

    /** Two rounds each, as for two variants. */
    private static final int[] GROUPS =
            java.util.stream.IntStream.range(0, 100_000).map(i -> i / 2).toArray();

    @Test
    void looksAreFewAndIncreasinglyFarApart() {
        assertThat(java.util.stream.IntStream.rangeClosed(1, 30)
                        .filter(StoppingRule::isLook)
                        .toArray())
                .containsExactly(8, 10, 13, 17, 22, 28);
    }

    @ParameterizedTest(name = "half width {0} spreads of a pair")
    @ValueSource(doubles = {1.0, 0.7, 0.5, 0.35})
    void intervalsOf95PercentHaveThatCoverage(double halfWidth) {
        assertThat(missed(halfWidth, Random::nextGaussian)).isLessThan(0.058);
        assertThat(missed(halfWidth, StoppingRuleTest::heavyTailed)).isLessThan(0.058);
    }

    /** The share of comparisons whose interval did not contain the truth, 0, when the rule stopped them. */
    private static double missed(double halfWidth, ToDoubleFunction<Random> figure) {
        Random random = new Random(4);
        StoppingRule rule = new StoppingRule(halfWidth);
        int missed = 0;
        for (int i = 0; i < TRIES; i++) {
            double[] pairs = random.doubles(0).toArray();
            while (true) {
                int n = IntStream.iterate(pairs.length + 1, next -> next + 1)
                        .filter(StoppingRule::isLook)
                        .findFirst()
                        .orElseThrow();
                double[] more = Arrays.copyOf(pairs, n);
                for (int j = pairs.length; j < n; j++) {
                    more[j] = figure.applyAsDouble(random);
                }
                pairs = more;
                Sample sample = Sample.inGroups(pairs, GROUPS);
                if (rule.isEnough(sample, StoppingRule.CONFIDENCE)) {
                    missed += sample.interval(StoppingRule.CONFIDENCE).excludes(0) ? 1 : 0;
                    break;
                }
            }
        }
        return (double) missed / TRIES;
    }

    /** Student's t with 4 degrees of freedom. */
    private static double heavyTailed(Random random) {
        double squares = 0;
        for (int i = 0; i < 4; i++) {
            double z = random.nextGaussian();
            squares += z * z;
        }
        return random.nextGaussian() / Math.sqrt(squares / 4) / Math.sqrt(2);
    }
}
