package io.pgstress.runner;

import io.pgstress.dataset.SplitMix;
import io.pgstress.plan.Arrival;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.Load;
import io.pgstress.runner.Schedule.RateCurve;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The scheduled starts of an open loop, for all clients. The warm-up uses the first rate, after a ramp. The measurement has
 * its own schedule, so that the backlog of an overloaded warm-up is dropped and counted, and does not burden the
 * measurement. Within a phase nothing is dropped. Thread-safe.
 */
public final class Schedule {
    private static final double NANOS = 1e9;

    private final Arrivals warmup;
    private final Arrivals measured;
    private final double rampSeconds;
    private volatile long origin;
    private volatile long measureStart = Long.MAX_VALUE;
    private final LongAdder dropped = new LongAdder();
    private final LongAdder begunLate = new LongAdder();

    /**
     * @param maxWarmupSeconds the limit of the warm-up, and of the ramp at its start
     */
    public Schedule(Load.Open load, double maxWarmupSeconds, long seed, HostShare share) {
        double[] rates = load.rates().stream().mapToDouble(Double::doubleValue).toArray();
        double step = load.step().toNanos() / NANOS;
        this.rampSeconds = Math.min(load.ramp().toNanos() / NANOS, maxWarmupSeconds);
        this.warmup = new Arrivals(
                new RateCurve(new double[] {rates[0]}, step, rampSeconds),
                load.arrival(),
                new SplitMix(seed, -2),
                share);
        this.measured = new Arrivals(new RateCurve(rates, step, 0), load.arrival(), new SplitMix(seed, -4), share);
    }

    /** Sets the start of the load. */
    public void start(long originNanos) {
        origin = originNanos;
    }

    /** Sets the start of the measurement; it may be moved forward until it is reached. */
    void measureStarts(long nanos) {
        measureStart = nanos;
    }

    /** Whether the ramp is over at this instant. */
    boolean isRampOver(long nanos) {
        return nanos - origin >= rampSeconds * NANOS;
    }

    /** Takes the next scheduled start of the warm-up, in nanoseconds of the clock. */
    long takeOfWarmup() {
        return origin + warmup.take();
    }

    /** Takes the next scheduled start of the measurement, in nanoseconds of the clock; only after its start. */
    long takeMeasured() {
        return measureStart + measured.take();
    }

    /** Records that a scheduled start of the warm-up was taken but the measurement began before the operation. */
    void drop() {
        dropped.increment();
    }

    /** Number of scheduled starts due in the warm-up that never began; valid after the start of the measurement. */
    public long dropped() {
        return measureStart == Long.MAX_VALUE ? 0 : dropped.sum() + warmup.backlog(measureStart - origin);
    }

    /** The scheduled starts of the measurement, in nanoseconds since {@link #measureStart}. */
    public Arrivals measured() {
        return measured;
    }

    public long measureStart() {
        return measureStart;
    }

    /** The target rate at this number of seconds after the start of the measurement, or of the warm-up. */
    public double rateAt(boolean isMeasured, double seconds) {
        return (isMeasured ? measured : warmup).rateAt(seconds);
    }

    /** Number of scheduled starts of the phase that were due by this instant but not taken. */
    public long backlog(long nanos) {
        return nanos < measureStart ? warmup.backlog(nanos - origin) : measured.backlog(nanos - measureStart);
    }

    /** Records operations of the measurement that began after its end, or never. */
    public void late(long count) {
        begunLate.add(count);
    }

    /** Number of these operations; valid after the drain. */
    public long begunLate() {
        return begunLate.sum();
    }

    /**
     * A target rate over time: a ramp from 0 to the first rate, then steps of equal length; the last rate never ends. Its
     * integral is the number of scheduled starts. Times are seconds since the curve's start; immutable.
     */
    static final class RateCurve {
        private final double[] rates;
        private final double step;
        private final double ramp;

        /**
         * @param rates operations per second of each step, above 0; at least one
         * @param step length of a step in seconds, above 0
         * @param ramp length of the ramp before the first step in seconds, at least 0
         */
        RateCurve(double[] rates, double step, double ramp) {
            this.rates = rates.clone();
            this.step = step;
            this.ramp = ramp;
        }

        /** The rate at this time. */
        double rateAt(double seconds) {
            if (seconds < ramp) {
                return rates[0] * Math.max(0, seconds) / ramp;
            }
            return rates[(int) Math.min(rates.length - 1, (seconds - ramp) / step)];
        }

        /** The integral of the rate up to this time. */
        double integral(double seconds) {
            double inRamp = Math.min(Math.max(0, seconds), ramp);
            double sum = ramp == 0 ? 0 : rates[0] * inRamp * inRamp / ramp / 2;
            double at = ramp;
            for (int i = 0; i < rates.length && seconds > at; i++) {
                double end = i == rates.length - 1 ? seconds : Math.min(seconds, at + step);
                sum += rates[i] * (end - at);
                at += step;
            }
            return sum;
        }

        /** The time at which the integral of the rate reaches this value. */
        double timeOf(double wanted) {
            double rampIntegral = rates[0] * ramp / 2;
            if (wanted < rampIntegral) {
                return Math.sqrt(2 * wanted * ramp / rates[0]);
            }
            double left = wanted - rampIntegral;
            double at = ramp;
            for (int i = 0; i < rates.length - 1 && left >= rates[i] * step; i++) {
                left -= rates[i] * step;
                at += step;
            }
            int last = (int) Math.min(rates.length - 1, Math.round((at - ramp) / step));
            return at + left / rates[last];
        }
    }

    /**
     * The scheduled starts of one phase of an open loop, from the 0th on: the n-th is due when the integral of the rate reaches n (uniform),
     * so that the first is due when the phase begins, or point n + 1 of a Poisson process of rate 1 (poisson, by time rescaling). With several
     * hosts, the n-th belongs to host n modulo their number. The next free client takes the next one, so none is skipped, however late it is. Times are nanoseconds since the
     * phase's start. Thread-safe.
     */
    public static final class Arrivals {
        private static final double NANOS = 1e9;

        /** Places are as exact as this. */
        private static final double ROUNDING = 1e-6;

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
            this.taken = poisson ? 0 : -1;
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

        /** Number of scheduled starts due before this time but not taken; for poisson arrivals, on average. */
        long backlog(long nanos) {
            return due(next(), placeAt(nanos), hosts);
        }

        /** Number of a host's scheduled starts due before this time; for poisson arrivals, on average. */
        public long dueOf(int host, int ofHosts, long nanos) {
            return due(poisson ? host + 1 : host, placeAt(nanos), ofHosts);
        }

        private long due(double first, double place, int stride) {
            double strides = (place - first) / stride;
            double due = poisson ? Math.floor(strides) + 1 : Math.ceil(strides - ROUNDING);
            return (long) Math.max(0, due);
        }

        double rateAt(double seconds) {
            return curve.rateAt(seconds);
        }
    }
}
