package io.pgstress.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * The order in which the variants' blocks run. Every variant runs once per round. Over as many rounds as there are
 * variants (the rows of a shuffled Latin square), each runs once at every position, so that no position favors one.
 * The same seed gives the same order. Each square is drawn anew: two variants that do not differ may swap positions in
 * it with equal probability, whatever the machine does meanwhile, which is what
 * {@link io.pgstress.compare.statistics.Sample} relies on.
 *
 * @param variants at least 1
 */
public record BlockOrder(int variants, long seed) {
    /** The number of the square to which this round belongs. */
    int square(int round) {
        return round / variants;
    }

    /**
     * The number of the database cluster, from 1, on which a variant runs in a round. Every cluster has its turn once in as many rounds as
     * there are clusters. The baseline always takes them in the same order; the others move on by one more after each turn,
     * so that each cluster meets all those of the baseline.
     *
     * @param clusters at least 1
     * @param isOfBaseline whether it is the baseline's server
     */
    static int cluster(int round, int clusters, boolean isOfBaseline) {
        return (round + (isOfBaseline ? 0 : round / clusters)) % clusters + 1;
    }

    /** The variants' numbers in the order of this round; rounds count from 0. */
    public List<Integer> round(int round) {
        // Consecutive seeds give Random almost the same first draws; SplittableRandom mixes them.
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
