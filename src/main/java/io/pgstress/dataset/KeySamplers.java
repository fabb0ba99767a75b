package io.pgstress.dataset;

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
            case UNIFORM -> new UniformSampler(random, size);
            case ZIPFIAN -> new ZipfianSampler(random, size, seed);
            case SEQUENTIAL -> new SequentialSampler(random, size, size * client / clients);
        };
    }

    private record UniformSampler(SplitMix random, long size) implements KeySampler {
        @Override
        public long next() {
            return random.below(size);
        }

        @Override
        public int below(int bound) {
            return random.below(bound);
        }
    }

    private static final class SequentialSampler implements KeySampler {
        private final SplitMix random;
        private final long size;
        private long place;

        SequentialSampler(SplitMix random, long size, long first) {
            this.random = random;
            this.size = size;
            this.place = first;
        }

        @Override
        public long next() {
            long now = place;
            place = now + 1 == size ? 0 : now + 1;
            return now;
        }

        @Override
        public int below(int bound) {
            return random.below(bound);
        }
    }
}
