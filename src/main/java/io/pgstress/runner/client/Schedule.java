package io.pgstress.runner.client;

import io.pgstress.dataset.SplitMix;
import io.pgstress.plan.Load;
import java.util.concurrent.atomic.LongAdder;

/**
 * The intended starts of an open load over all clients. The warm-up has the first rate, after a ramp; the measurement begins with
 * a schedule of its own, so that what an overloaded warm-up left undone is dropped and counted, and does not burden the
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
     * @param maxWarmupSeconds the limit of the warm-up; the ramp at its start is not longer
     */
    public Schedule(Load.Open load, double maxWarmupSeconds, long seed) {
        double[] rates = load.rates().stream().mapToDouble(Double::doubleValue).toArray();
        double step = load.step().toNanos() / NANOS;
        this.rampSeconds = Math.min(load.ramp().toNanos() / NANOS, maxWarmupSeconds);
        this.warmup = new Arrivals(
                new RateCurve(new double[] {rates[0]}, step, rampSeconds), load.arrival(), new SplitMix(seed, -2));
        this.measured = new Arrivals(new RateCurve(rates, step, 0), load.arrival(), new SplitMix(seed, -4));
    }

    /** Sets when the load starts. */
    public void start(long originNanos) {
        origin = originNanos;
    }

    /** Sets when the measurement starts; it may be set to an earlier time before it has come. */
    void measureStarts(long nanos) {
        measureStart = nanos;
    }

    /** Whether the first rate is reached at this instant. */
    boolean isRampOver(long nanos) {
        return nanos - origin >= rampSeconds * NANOS;
    }

    /** Takes the next intended start of the warm-up, in the clock's nanoseconds. */
    long takeOfWarmup() {
        return origin + warmup.take();
    }

    /** Takes the next intended start of the measurement, in the clock's nanoseconds; to be called once that has started. */
    long takeMeasured() {
        return measureStart + measured.take();
    }

    /** An intended start of the warm-up was taken, and the measurement began before the operation did. */
    void drop() {
        dropped.increment();
    }

    /** How many intended starts were due in the warm-up and never begun; to be asked after the measurement's start. */
    public long dropped() {
        return measureStart == Long.MAX_VALUE ? 0 : dropped.sum() + warmup.backlog(measureStart - origin);
    }

    /** The intended starts of the measurement, in nanoseconds since {@link #measureStart}. */
    public Arrivals measured() {
        return measured;
    }

    public long measureStart() {
        return measureStart;
    }

    /** The target rate at this many seconds after the start of the measurement, or of the warm-up. */
    public double rateAt(boolean isMeasured, double seconds) {
        return (isMeasured ? measured : warmup).rateAt(seconds);
    }

    /** How many intended starts of the phase were due by this instant and have not been taken. */
    public long backlog(long nanos) {
        return nanos < measureStart ? warmup.backlog(nanos - origin) : measured.backlog(nanos - measureStart);
    }

    /** Operations of the measurement were begun after its end, or never. */
    public void late(long count) {
        begunLate.add(count);
    }

    /** How many there were of these: to be asked after the drain. */
    public long begunLate() {
        return begunLate.sum();
    }
}
