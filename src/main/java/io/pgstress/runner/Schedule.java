package io.pgstress.runner;

import io.pgstress.dataset.SplitMix;
import io.pgstress.plan.Arrival;
import io.pgstress.plan.Load;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The intended starts of an open load over all clients: the n-th lies where the integral of the rate over time reaches n
 * (uniform) or the n-th point of a Poisson process of rate 1 (poisson, by time rescaling). Whichever client is free takes
 * the next one, so none is skipped, however late it is. The first rate holds until the measurement starts, whenever that
 * is; what was taken before that is known is a place in the integral, not an instant. Thread-safe.
 */
final class Schedule {
    private static final double NANOS = 1e9;

    private final ReentrantLock lock = new ReentrantLock();
    private final double[] rates;
    private final double stepSeconds;
    private final double rampSeconds;
    private final boolean poisson;
    private final SplitMix random;
    private volatile double warmupSeconds = Double.POSITIVE_INFINITY;
    private volatile long origin;
    private volatile double mass; // written under the lock
    private final LongAdder begunLate = new LongAdder();

    /**
     * @param mostWarmupSeconds the most that the warm-up may take; the ramp, with which it begins, is no longer
     */
    Schedule(Load.Open load, double mostWarmupSeconds, long seed) {
        this.rates = load.rates().stream().mapToDouble(Double::doubleValue).toArray();
        this.stepSeconds = load.step().toNanos() / NANOS;
        this.rampSeconds = Math.min(load.ramp().toNanos() / NANOS, mostWarmupSeconds);
        this.poisson = load.arrival() == Arrival.POISSON;
        this.random = new SplitMix(seed, -2);
    }

    /** Sets when the load starts. */
    void start(long originNanos) {
        origin = originNanos;
    }

    /** Sets when the measurement starts: the steps count from there. */
    void measureStarts(long nanos) {
        warmupSeconds = (nanos - origin) / NANOS;
    }

    /** Whether the first rate is reached at this instant. */
    boolean isRampOver(long nanos) {
        return nanos - origin >= rampSeconds * NANOS;
    }

    /** Takes the next intended start: its place in the integral of the rate. */
    double next() {
        lock.lock();
        try {
            double next = mass + (poisson ? -Math.log1p(-random.unit()) : 1);
            mass = next;
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** When a place is due, in the clock's nanoseconds. It may change while the start of the measurement is not known. */
    long at(double place) {
        return origin + Math.round(timeOf(place) * NANOS);
    }

    /** The place that is due at this instant; those up to it were due. */
    double placeAt(long nanos) {
        return massAt((nanos - origin) / NANOS);
    }

    /** The place that was taken last. */
    double taken() {
        return mass;
    }

    /** The rate that is asked for at this many seconds after the start. */
    double rateAt(double seconds) {
        if (seconds < rampSeconds) {
            return rates[0] * seconds / rampSeconds;
        }
        double measured = seconds - warmupSeconds;
        int step = measured <= 0 ? 0 : (int) Math.min(rates.length - 1, measured / stepSeconds);
        return rates[step];
    }

    /** Seconds after the start at which the integral of the rate reaches this. */
    private double timeOf(double wanted) {
        double warmup = warmupSeconds;
        double rampMass = rates[0] * rampSeconds / 2;
        if (wanted < rampMass) {
            return Math.sqrt(2 * wanted * rampSeconds / rates[0]);
        }
        double left = wanted - rampMass;
        double at = rampSeconds;
        double firstMass = rates[0] * (warmup - rampSeconds + (rates.length == 1 ? Double.MAX_VALUE : stepSeconds));
        if (rates.length == 1 || left < firstMass) {
            return at + left / rates[0];
        }
        left -= firstMass;
        at = warmup + stepSeconds;
        for (int i = 1; i < rates.length - 1; i++) {
            double stepMass = rates[i] * stepSeconds;
            if (left < stepMass) {
                return at + left / rates[i];
            }
            left -= stepMass;
            at += stepSeconds;
        }
        return at + left / rates[rates.length - 1];
    }

    /** How many intended starts lie before this instant and have not been taken: the backlog; with poisson arrivals, on average. */
    long backlog(long nowNanos) {
        return (long) Math.max(0, placeAt(nowNanos) - taken());
    }

    /** Operations of the measurement were begun after its end, or never. */
    void late(long count) {
        begunLate.add(count);
    }

    /** How many there were of these: to be asked after the drain. */
    long begunLate() {
        return begunLate.sum();
    }

    private double massAt(double seconds) {
        double ramp = Math.min(Math.max(0, seconds), rampSeconds);
        double sum = rampSeconds == 0 ? 0 : rates[0] * ramp * ramp / rampSeconds / 2;
        double at = rampSeconds;
        for (int i = 0; i < rates.length && seconds > at; i++) {
            double end = i == rates.length - 1 ? seconds : warmupSeconds + (i + 1) * stepSeconds;
            sum += rates[i] * (Math.min(seconds, end) - at);
            at = end;
        }
        return sum;
    }
}
