package io.pgstress.runner;

/**
 * Decides when a warm-up may end: when the throughput of the last {@value #WINDOW} spans is within 3% of the
 * {@value #WINDOW} before, or, for small counts, within two standard deviations of the difference
 * (Poisson distribution). Not thread-safe.
 */
public final class WarmupJudge {
    private static final int WINDOW = 3;
    private static final double LEVEL = 0.03;

    private final double[] operations = new double[2 * WINDOW];
    private final double[] seconds = new double[2 * WINDOW];
    private int seen;

    /** Whether enough spans were added to decide. */
    boolean canTell() {
        return seen >= operations.length;
    }

    /** Adds a span's operations and length; returns whether throughput is steady. */
    public boolean isLevelAfter(double newOperations, double newSeconds) {
        append(operations, newOperations);
        append(seconds, newSeconds);
        seen++;
        if (!canTell()) {
            return false;
        }
        double secondsBefore = sum(seconds, 0);
        double secondsAfter = sum(seconds, WINDOW);
        double before = sum(operations, 0) / secondsBefore;
        double after = sum(operations, WINDOW) / secondsAfter;
        double deviation = Math.sqrt(before / secondsBefore + after / secondsAfter);
        return after > 0 && Math.abs(after - before) <= Math.max(LEVEL * before, 2 * deviation);
    }

    private static void append(double[] values, double value) {
        System.arraycopy(values, 1, values, 0, values.length - 1);
        values[values.length - 1] = value;
    }

    /** The sum of {@value #WINDOW} values from this index on. */
    private static double sum(double[] values, int from) {
        double sum = 0;
        for (int i = from; i < from + WINDOW; i++) {
            sum += values[i];
        }
        return sum;
    }
}
