package io.pgstress.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.compare.statistics.EDivisive.ChangePoint;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The series are logarithms of rates of 60 runs, with a standard deviation of 4%. */
final class EDivisiveTest {
    private static final int RUNS = 60;
    private static final double NOISE = 0.04;

    private final EDivisive found = new EDivisive(0.01);

    private static double[] series(long seed, int change, double ratio) {
        Random random = new Random(seed);
        return IntStream.range(0, RUNS)
                .mapToDouble(i -> (i < change ? 0 : Math.log(ratio)) + NOISE * random.nextGaussian())
                .toArray();
    }

    @Test
    void findsAChangeOfTenPercentWithinThreeRuns() {
        long hits = IntStream.range(0, 10)
                .filter(seed -> {
                    int at = 15 + 3 * seed;
                    List<ChangePoint> changes = found.find(series(seed, at, seed % 2 == 0 ? 0.9 : 1.1));
                    return changes.size() == 1 && Math.abs(changes.get(0).at() - at) <= 3;
                })
                .count();

        assertThat(hits).isGreaterThanOrEqualTo(9);
    }

    @Test
    void findsNothingInSeriesWithoutAChange() {
        long quiet = IntStream.range(0, 20)
                .filter(seed -> found.find(series(seed, RUNS, 1)).isEmpty())
                .count();

        assertThat(quiet).isGreaterThanOrEqualTo(18);
    }

    /** It needs as many runs after a change as a level has at least. */
    @Test
    void findsAChangeAfterFewRuns() {
        long hits = IntStream.range(0, 10)
                .filter(seed -> {
                    double[] until = Arrays.copyOf(series(seed, 40, 0.9), 40 + 2 * EDivisive.MIN_PART);
                    return !found.find(until).isEmpty();
                })
                .count();

        assertThat(hits).isGreaterThanOrEqualTo(8);
    }

    @Test
    void findsSeveralChangesInTheirOrder() {
        double[] noise = series(7, RUNS, 1);
        double[] values = IntStream.range(0, RUNS)
                .mapToDouble(i -> noise[i] + (i < 20 ? 0 : i < 45 ? 0.3 : 0.1))
                .toArray();

        assertThat(found.find(values)).extracting(ChangePoint::at).containsExactly(20, 45);
    }

    @Test
    void anOutlierIsNoChange() {
        double[] values = series(3, RUNS, 1);
        values[30] -= 2;

        assertThat(found.find(values)).isEmpty();
    }

    @Test
    void constantOrShortSeriesHaveNoChange() {
        assertThat(found.find()).isEmpty();
        assertThat(found.find(1, 2, 3, 4, 5)).isEmpty();
        assertThat(found.find(DoubleStream.generate(() -> 1).limit(RUNS).toArray()))
                .isEmpty();
    }
}
