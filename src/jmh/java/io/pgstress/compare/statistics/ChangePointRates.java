package io.pgstress.compare.statistics;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Prints how often {@link EDivisive} finds planted changes of 10%, and changes that are not there: docs/ci.md. */
public final class ChangePointRates {
    private static final int SERIES = 200;
    private static final int RUNS = 60;
    private static final int NEAR = 3;
    private static final int STEADY = 30;
    private static final double SIGNIFICANCE = 0.01;

    private final EDivisive search = new EDivisive(SIGNIFICANCE);
    private final double noise;

    private ChangePointRates(double noise) {
        this.noise = noise;
    }

    public static void main(String[] args) {
        System.out.println(
                "| noise | found within 3 runs | false: in 60 runs | false: after any of 60 runs | runs needed |");
        for (double noise : new double[] {0.02, 0.04, 0.06}) {
            new ChangePointRates(noise).print();
        }
    }

    private void print() {
        System.out.printf(
                "| %.0f%% | %.1f%% | %.1f%% | %.1f%% | %s |%n",
                100 * noise,
                share(this::finds),
                share(seed -> !search.find(series(seed, RUNS, RUNS)).isEmpty()),
                share(this::isAlarmed),
                delays());
    }

    private static double share(IntPredicate seeds) {
        return 100.0 * IntStream.range(0, SERIES).filter(seeds).count() / SERIES;
    }

    private double[] series(int seed, int runs, int change) {
        Random random = new Random(seed);
        return IntStream.range(0, runs)
                .mapToDouble(i -> (i < change ? 0 : Math.log(0.9)) + noise * random.nextGaussian())
                .toArray();
    }

    private boolean finds(int seed) {
        int at = 15 + new Random(-seed).nextInt(31);
        return search.find(series(seed, RUNS, at)).stream().anyMatch(c -> Math.abs(c.at() - at) <= NEAR);
    }

    /** Someone looks after each run. */
    private boolean isAlarmed(int seed) {
        double[] all = series(seed, RUNS, RUNS);
        return IntStream.rangeClosed(2 * EDivisive.MIN_PART, RUNS)
                .anyMatch(n -> !search.find(Arrays.copyOf(all, n)).isEmpty());
    }

    /** The number of runs after a change, which follows 30 runs, until it is found: median, and 90th percentile. */
    private String delays() {
        int[] sorted = IntStream.range(0, SERIES)
                .map(seed -> IntStream.rangeClosed(EDivisive.MIN_PART, RUNS)
                        .filter(n ->
                                !search.find(series(seed, STEADY + n, STEADY)).isEmpty())
                        .findFirst()
                        .orElse(RUNS))
                .sorted()
                .toArray();
        return sorted[SERIES / 2] + " (median), " + sorted[SERIES * 9 / 10] + " (90%)";
    }
}
