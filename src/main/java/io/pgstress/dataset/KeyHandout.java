package io.pgstress.dataset;

import io.pgstress.plan.HostShare;
import io.pgstress.plan.option.InvalidPlanException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands out the index of each id once, over all clients, in shuffled order; each host has a range of that order. Clients take up
 * to {@value #PORTION} at a time to avoid contention, and fewer if otherwise some would get none. Thread-safe; a {@link Share}
 * belongs to one client.
 */
public final class KeyHandout {
    private static final int PORTION = 32;
    private static final int MIN_PORTIONS_PER_CLIENT = 4;

    private final Permutation permutation;
    private final long begin;
    private final long end;
    private final int clients;
    private final AtomicLong taken;
    private volatile int round;

    /**
     * @param size number of ids
     * @param seed the run's seed, the same on all hosts
     */
    public KeyHandout(long size, long seed, HostShare share) {
        this.permutation = new Permutation(size, seed);
        this.begin = share.begin(size);
        this.end = share.end(size);
        if (share.isPart() && begin == end) {
            throw new InvalidPlanException("--agents: " + size + " ids are too few for the " + share.allClients()
                    + " clients of " + share.hosts() + " hosts, which use each id once");
        }
        this.clients = Math.max(1, share.clients());
        this.taken = new AtomicLong(begin);
    }

    /** Makes all ids available again. Call it while no client is running. */
    public synchronized void reset() {
        taken.set(begin);
        round++;
    }

    /** One client's share. */
    public Share share() {
        return new Share((int) Math.max(1, Math.min(PORTION, (end - begin) / clients / MIN_PORTIONS_PER_CLIENT)));
    }

    /** The indexes that one client has taken. Not thread-safe. */
    public final class Share {
        private long next;
        private long last;
        private int inRound = round;
        private final int portion;

        private Share(int portion) {
            this.portion = portion;
        }

        /** The index of an id not handed out before; -1 if none is left. */
        public long next() {
            if (inRound != round) {
                inRound = round;
                last = next;
            }
            if (next == last && !take()) {
                return -1;
            }
            return permutation.at(next++);
        }

        private boolean take() {
            long first = taken.get() >= end ? end : taken.getAndAdd(portion);
            if (first >= end) {
                return false;
            }
            next = first;
            last = Math.min(end, first + portion);
            return true;
        }
    }
}
