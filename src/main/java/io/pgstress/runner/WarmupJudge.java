package io.pgstress.runner;

/**
 * Says when a warm-up may end: when the mean throughput of the last {@value #WINDOW} spans is within 3% of that of the
 * {@value #WINDOW} before, or within two standard deviations of a difference of counts so small, those of Poisson's
 * distribution. Not thread-safe.
 */
final class WarmupJudge {
    private static final int WINDOW = 3;
    private static final double LEVEL = 0.03;

    private final double[] last = new double[2 * WINDOW];
    private int seen;

    /** Whether it has taken in enough to tell. */
    boolean canTell() {
        return seen >= last.length;
    }

    /** Takes in the operations of one span, all being equally long; whether throughput is level. */
    boolean isLevelAfter(double operations) {
        System.arraycopy(last, 1, last, 0, last.length - 1);
        last[last.length - 1] = operations;
        seen++;
        if (!canTell()) {
            return false;
        }
        double before = 0;
        double after = 0;
        for (int i = 0; i < WINDOW; i++) {
            before += last[i];
            after += last[i + WINDOW];
        }
        return after > 0 && Math.abs(after - before) <= Math.max(LEVEL * before, 2 * Math.sqrt(after + before));
    }
}
