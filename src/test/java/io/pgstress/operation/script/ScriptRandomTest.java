package io.pgstress.operation.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The distributions are those that pgbench's manual describes. */
final class ScriptRandomTest {
    private static final int DRAWS = 200_000;

    private final ScriptRandom random = new ScriptRandom(42);

    /** The share of the draws up to a number. */
    private static double share(long[] draws, long upTo) {
        return (double) LongStream.of(draws).filter(drawn -> drawn <= upTo).count() / DRAWS;
    }

    private static long[] draws(LongSupplier source) {
        return LongStream.generate(source).limit(DRAWS).toArray();
    }

    @Test
    void uniformNumbersAreEquallyLikely() {
        long[] draws = draws(() -> random.uniform(-3, 6));

        assertThat(LongStream.of(draws).summaryStatistics()).satisfies(range -> {
            assertThat(range.getMin()).isEqualTo(-3);
            assertThat(range.getMax()).isEqualTo(6);
        });
        for (int upTo = -3; upTo <= 6; upTo++) {
            assertThat(share(draws, upTo)).isCloseTo((upTo + 4) / 10.0, within(0.01));
        }
        assertThat(random.uniform(7, 7)).isEqualTo(7);
        assertThat(random.uniform(0, Long.MAX_VALUE - 1)).isNotNegative();
    }

    /** The manual: 1 - (exp(-p (i - min) / (max - min + 1)) ...), here as the share up to i. */
    @Test
    void exponentialNumbersFavorTheLeast() {
        double parameter = 4;
        long[] draws = draws(() -> random.exponential(1, 100, parameter));

        for (int upTo : new int[] {1, 10, 50, 99}) {
            double expected = (1 - Math.exp(-parameter * upTo / 100)) / (1 - Math.exp(-parameter));
            assertThat(share(draws, upTo)).isCloseTo(expected, within(0.01));
        }
        assertThat(LongStream.of(draws)).allMatch(drawn -> drawn >= 1 && drawn <= 100);
    }

    /** The manual: with a parameter of 2, 67% of the numbers are in the middle half, and with 4, 95%. */
    @Test
    void gaussianNumbersFavorTheMiddle() {
        long[] wide = draws(() -> random.gaussian(1, 1000, 2.5));
        long[] narrow = draws(() -> random.gaussian(1, 1000, 4));

        assertThat(share(narrow, 750) - share(narrow, 250)).isCloseTo(0.954, within(0.01));
        assertThat(share(wide, 750) - share(wide, 250)).isCloseTo(0.798, within(0.01));
        assertThat(share(wide, 500)).isCloseTo(0.5, within(0.01));
        assertThat(LongStream.of(wide)).allMatch(drawn -> drawn >= 1 && drawn <= 1000);
    }

    /** P(k) is proportional to k^-s. */
    @Test
    void zipfianNumbersAreRarerByAPower() {
        double exponent = 1.5;
        long[] draws = draws(() -> random.zipfian(11, 110, exponent));

        double all = LongStream.rangeClosed(1, 100)
                .mapToDouble(k -> Math.pow((double) k, -exponent))
                .sum();
        double upTo = 0;
        for (int k = 1; k <= 100; k++) {
            upTo += Math.pow(k, -exponent);
            assertThat(share(draws, 10 + k)).as("up to the number %d", k).isCloseTo(upTo / all, within(0.01));
        }
        assertThat(random.zipfian(5, 5, 2)).isEqualTo(5);
    }

    @Test
    void permutationsAreComplete() {
        for (long size : new long[] {1, 2, 3, 10, 37, 64, 1000}) {
            assertThat(LongStream.range(0, size)
                            .map(i -> ScriptRandom.permuted(i, size, 7))
                            .distinct()
                            .filter(place -> place >= 0 && place < size)
                            .count())
                    .isEqualTo(size);
        }
        assertThat(ScriptRandom.permuted(-1, 10, 7)).isEqualTo(ScriptRandom.permuted(5, 10, 7)); // 2^64 - 1
    }

    @Test
    void drawsAgainWhatItHasDrawn() {
        random.save();
        long[] first = LongStream.generate(random::next).limit(5).toArray();
        random.restore();

        assertThat(LongStream.generate(random::next).limit(5).toArray()).isEqualTo(first);
        assertThat(new ScriptRandom(42).next()).isEqualTo(first[0]).isNotEqualTo(new ScriptRandom(43).next());
    }
}
