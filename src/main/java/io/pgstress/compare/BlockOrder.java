package io.pgstress.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * The order in which the variants' blocks run. Every variant runs once a round; over as many rounds as there are variants
 * (rows of a shuffled Latin square) each comes once at every place, so that what comes first or last has no advantage.
 * The same seed gives the same order. What {@code variants} rounds have in common, a square, is drawn again for each
 * square: two variants that are the same may swap their places in it as well, whatever the machine does meanwhile, and
 * that is what {@link io.pgstress.compare.statistics.Sample} rests on. Immutable.
 */
public final class BlockOrder {
    private final int variants;
    private final long seed;

    /** @param variants at least 1 */
    public BlockOrder(int variants, long seed) {
        this.variants = variants;
        this.seed = seed;
    }

    /** Which of the squares this round belongs to. */
    int square(int round) {
        return round / variants;
    }

    /** The variants by number in the order of this round, which counts from 0. */
    public List<Integer> round(int round) {
        // Seeds that follow each other give Random nearly the same first draws; SplittableRandom mixes them.
        Random random = new Random(new SplittableRandom(seed * 1_000_003L + square(round)).nextLong());
        List<Integer> first = new ArrayList<>();
        List<Integer> shifts = new ArrayList<>();
        for (int i = 0; i < variants; i++) {
            first.add(i);
            shifts.add(i);
        }
        Collections.shuffle(first, random);
        Collections.shuffle(shifts, random);
        Collections.rotate(first, shifts.get(round % variants));
        return List.copyOf(first);
    }
}
