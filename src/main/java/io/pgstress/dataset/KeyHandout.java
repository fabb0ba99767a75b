package io.pgstress.dataset;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hands out the place of each id once, over all clients, in a shuffled order. Clients take {@value #PORTION} at a time,
 * so that they seldom meet at the counter. Thread-safe; a {@link Share} belongs to one client.
 */
public final class KeyHandout {
    private static final int PORTION = 32;

    private final Permutation permutation;
    private final int size;
    private final AtomicInteger taken = new AtomicInteger();
    private volatile int round;

    public KeyHandout(int size, long seed) {
        this.size = size;
        this.permutation = new Permutation(size, seed);
    }

    /** All ids can be had again; to be called while every client stands still. */
    public synchronized void reset() {
        taken.set(0);
        round++;
    }

    /** A client's part. */
    public Share share() {
        return new Share();
    }

    /** What one client has taken. Not thread-safe. */
    public final class Share {
        private int next;
        private int end;
        private int inRound = round;

        /** The place of an id that nobody had before, or -1 where there is none left. */
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
            int first = taken.get() >= size ? size : taken.getAndAdd(PORTION);
            if (first >= size) {
                return false;
            }
            next = first;
            end = Math.min(size, first + PORTION);
            return true;
        }
    }
}
