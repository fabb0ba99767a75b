package io.pgstress.dataset;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hands out the index of each id once, over all clients, in shuffled order. Clients take up to {@value #PORTION} at a time to
 * avoid contention, and fewer if otherwise some would get none. Thread-safe; a {@link Share} belongs to one client.
 */
public final class KeyHandout {
    private static final int PORTION = 32;
    private static final int MIN_PORTIONS_PER_CLIENT = 4;

    private final Permutation permutation;
    private final int size;
    private final AtomicInteger taken = new AtomicInteger();
    private volatile int round;

    public KeyHandout(int size, long seed) {
        this.size = size;
        this.permutation = new Permutation(size, seed);
    }

    /** Makes all ids available again. Call it while no client is running. */
    public synchronized void reset() {
        taken.set(0);
        round++;
    }

    /**
     * One client's share.
     *
     * @param clients number of clients, at least 1; the same for all
     */
    public Share share(int clients) {
        return new Share(Math.max(1, Math.min(PORTION, size / clients / MIN_PORTIONS_PER_CLIENT)));
    }

    /** The indexes that one client has taken. Not thread-safe. */
    public final class Share {
        private int next;
        private int end;
        private int inRound = round;
        private final int portion;

        private Share(int portion) {
            this.portion = portion;
        }

        /** The index of an id not handed out before; -1 if none is left. */
        public int next() {
            if (inRound != round) {
                inRound = round;
                end = next;
            }
            if (next == end && !take()) {
                return -1;
            }
            return permutation.at(next++);
        }

        private boolean take() {
            int first = taken.get() >= size ? size : taken.getAndAdd(portion);
            if (first >= size) {
                return false;
            }
            next = first;
            end = Math.min(size, first + portion);
            return true;
        }
    }
}
