package io.pgstress.runner;

import io.pgstress.dataset.SplitMix;

/** Draws numbers from 0 by weight. Not thread-safe. */
public final class WeightedDraw {
    private final int[] upTo;
    private final SplitMix random;

    /** @param weights at least 1 each */
    public WeightedDraw(int[] weights, SplitMix random) {
        this.random = random;
        this.upTo = new int[weights.length];
        int sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum = Math.addExact(sum, weights[i]);
            upTo[i] = sum;
        }
    }

    public int next() {
        if (upTo.length == 1) {
            return 0;
        }
        int drawn = random.below(upTo[upTo.length - 1]);
        int i = 0;
        while (drawn >= upTo[i]) {
            i++;
        }
        return i;
    }
}
