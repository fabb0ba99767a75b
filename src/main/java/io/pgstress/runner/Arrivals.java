package io.pgstress.runner;

import io.pgstress.dataset.SplitMix;
import io.pgstress.plan.Arrival;
import io.pgstress.plan.HostShare;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The scheduled starts of one phase of an open load: the n-th is due when the integral of the rate reaches n (uniform) or the
 * n-th point of a Poisson process of rate 1 (poisson, by time rescaling). With several hosts, the n-th belongs to host n modulo
 * their number. The next free client takes the next one, so none is skipped, however late it is. Times are nanoseconds since the
 * phase's start. Thread-safe.
 */
public final class Arrivals {
    private static final double NANOS = 1e9;

    private final ReentrantLock lock = new ReentrantLock();
    private final RateCurve curve;
    private final boolean poisson;
    private final SplitMix random;
    private final int hosts;
    private int steps;
    private volatile double taken; // written under the lock

    /** @param random the same sequence on all hosts */
    Arrivals(RateCurve curve, Arrival arrival, SplitMix random, HostShare share) {
        this.curve = curve;
        this.poisson = arrival == Arrival.POISSON;
        this.random = random;
        this.hosts = share.hosts();
        this.steps = share.host() + 1;
    }

    /** Takes the next scheduled start and returns when it is due. */
    long take() {
        lock.lock();
        try {
            double next = taken;
            for (int step = 0; step < steps; step++) {
                next += poisson ? -Math.log1p(-random.unit()) : 1;
            }
            steps = hosts;
            taken = next;
            return dueAt(next);
        } finally {
            lock.unlock();
        }
    }

    /** When this value of the integral of the rate is due. */
    public long dueAt(double place) {
        return Math.round(curve.timeOf(place) * NANOS);
    }

    /** The integral of the rate at this time. */
    public double placeAt(long nanos) {
        return curve.integral(nanos / NANOS);
    }

    /** The place of the next start; for poisson arrivals, on average. */
    public double next() {
        lock.lock();
        try {
            return taken + steps;
        } finally {
            lock.unlock();
        }
    }

    /** How far apart the places of two starts are. */
    public int stride() {
        return hosts;
    }

    /** Number of scheduled starts due by this time but not taken; for poisson arrivals, on average. */
    long backlog(long nanos) {
        return (long) Math.max(0, (placeAt(nanos) - next()) / hosts + 1);
    }

    double rateAt(double seconds) {
        return curve.rateAt(seconds);
    }
}
