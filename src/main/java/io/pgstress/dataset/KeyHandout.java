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
    static final int PORTION = 32;
    private static final int MIN_PORTIONS_PER_CLIENT = 4;

    private final KeySlices slices;
    private final HostShare share;
    private final HostShare part;
    private volatile long begin;
    private volatile long end;
    private final AtomicLong taken;
    private volatile int round;

    /**
     * @param size number of ids
     * @param seed the run's seed, the same on all hosts
     */
    public KeyHandout(long size, long seed, HostShare share) {
        this(new KeySlices(size, seed), share, share);
    }

    /**
     * @param slices the ids: those of the current slice are handed out
     * @param part the share that determines which of a slice's ids belong to this host
     */
    public KeyHandout(KeySlices slices, HostShare share, HostShare part) {
        this.slices = slices;
        this.share = share;
        this.part = part;
        this.taken = new AtomicLong();
        reset();
        if (share.isPart() && begin == end) {
            throw new InvalidPlanException("--agents: " + slices.end() + " ids are too few for the "
                    + share.allClients() + " clients of " + share.hosts() + " hosts, which use each id once");
        }
    }

    /** Makes all ids of the current slice available again. Call it while no client is running. */
    public synchronized void reset() {
        long first = slices.begin();
        long size = slices.end() - first;
        begin = first + part.begin(size);
        end = first + part.end(size);
        taken.set(begin);
        round++;
    }

    /** One client's share. */
    public Share share() {
        return new Share();
    }

    /** The indexes that one client has taken. Not thread-safe. */
    public final class Share {
        private long next;
        private long last;
        private int inRound = round;

        /** The index of an id not handed out before; -1 if none is left. */
        public long next() {
            if (inRound != round) {
                inRound = round;
                last = next;
            }
            if (next == last && !take()) {
                return -1;
            }
            return slices.at(next++);
        }

        private boolean take() {
            long portion = Math.max(
                    1, Math.min(PORTION, (end - begin) / Math.max(1, share.clients()) / MIN_PORTIONS_PER_CLIENT));
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
