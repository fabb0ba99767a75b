package io.pgstress.dataset;

import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.KeySlices.Permutation;
import io.pgstress.plan.KeyDistribution;

/** Creates the sampler of a key distribution. */
public final class KeySamplers {
    private KeySamplers() {}

    /**
     * A client's sampler.
     *
     * @param size number of ids
     * @param random the sampler's own source of randomness
     * @param seed the run's seed, so that all clients prefer the same ids
     * @param client the client's number, below {@code clients}
     */
    public static KeySampler of(
            KeyDistribution distribution, long size, SplitMix random, long seed, int client, int clients) {
        return switch (distribution) {
            case UNIFORM ->
                new KeySampler(random) {
                    @Override
                    public long next() {
                        return random.below(size);
                    }
                };
            case ZIPFIAN -> new ZipfianSampler(random, size, seed);
            case SPECIAL -> new SpecialSampler(random, size);
            case SEQUENTIAL ->
                new KeySampler(random) {
                    private long place = size * client / clients;

                    @Override
                    public long next() {
                        long now = place;
                        place = now + 1 == size ? 0 : now + 1;
                        return now;
                    }
                };
        };
    }

    /** Draws indexes of ids for one client. Not thread-safe. */
    public abstract static class KeySampler {
        final SplitMix random;

        private KeySampler(SplitMix random) {
            this.random = random;
        }

        /** An index from 0 to the number of ids - 1. */
        public abstract long next();

        /** A number from 0 to bound - 1, from the same source of randomness. */
        public final int below(int bound) {
            return random.below(bound);
        }
    }

    /**
     * Draws as sysbench's {@code --rand-type=special} does with its defaults of 12 iterations, 1% and 75%. Of the middle hundredth, it
     * draws only the upper three quarters, as sysbench does. Not thread-safe.
     */
    private static final class SpecialSampler extends KeySampler {
        private static final int ITERATIONS = 12;
        private static final double SPREAD_SHARE = 0.25;
        private static final double MIDDLE_WIDTH = 0.01;

        private final double last;

        SpecialSampler(SplitMix random, long size) {
            super(random);
            this.last = size - 1.0;
        }

        @Override
        public long next() {
            double draw = random.unit();
            if (draw >= SPREAD_SHARE) {
                double width = last * MIDDLE_WIDTH;
                return (long) ((last - width) / 2 + draw * (width + 1));
            }
            double sum = 0;
            for (int i = 0; i < ITERATIONS; i++) {
                sum += random.unit();
            }
            return (long) (sum / ITERATIONS * last);
        }
    }

    /**
     * Draws ranks by Zipf's law with exponent 0.99, as in YCSB, by rejection-inversion (Hörmann, Derflinger: Rejection- inversion
     * to generate variates from monotone discrete distributions, 1996), which needs no table; a fixed permutation spreads the ranks
     * over the ids, so that hot ids are not adjacent. Not thread-safe.
     */
    static final class ZipfianSampler extends KeySampler {
        private static final double EXPONENT = 0.99;

        private final long size;
        private final Permutation permutation;
        private final double hIntegralX1;
        private final double hIntegralSize;
        private final double s;

        ZipfianSampler(SplitMix random, long size, long seed) {
            super(random);
            this.size = size;
            this.permutation = new Permutation(size, seed);
            this.hIntegralX1 = hIntegral(1.5) - 1;
            this.hIntegralSize = hIntegral(size + 0.5);
            this.s = 2 - hIntegralInverse(hIntegral(2.5) - h(2));
        }

        @Override
        public long next() {
            while (true) {
                double u = hIntegralSize + random.unit() * (hIntegralX1 - hIntegralSize);
                double x = hIntegralInverse(u);
                long k = Math.min(size, Math.max(1, Math.round(x)));
                if (k - x <= s || u >= hIntegral(k + 0.5) - h((double) k)) {
                    return permutation.at(k - 1);
                }
            }
        }

        private static double hIntegral(double x) {
            double logX = Math.log(x);
            double t = (1 - EXPONENT) * logX;
            return (Math.abs(t) > 1e-8 ? Math.expm1(t) / t : 1 + t / 2) * logX;
        }

        private static double h(double x) {
            return Math.exp(-EXPONENT * Math.log(x));
        }

        private static double hIntegralInverse(double x) {
            double t = Math.max(-1, x * (1 - EXPONENT));
            return Math.exp((Math.abs(t) > 1e-8 ? Math.log1p(t) / t : 1 - t / 2) * x);
        }
    }
}
