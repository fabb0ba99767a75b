package io.pgstress.runner;

import io.pgstress.dataset.SplitMix;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.Load;
import java.util.concurrent.atomic.LongAdder;

/**
 * The scheduled starts of an open load, for all clients. The warm-up uses the first rate, after a ramp. The measurement has
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
}
