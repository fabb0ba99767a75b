package io.pgstress.compare;

import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.Sample;
import io.pgstress.compare.statistics.ShareCurve;
import io.pgstress.plan.RateLimit;
import io.pgstress.result.Latency;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A rate that was tried.
 *
 * @param response the response times; null if no operation succeeded
 * @param keptUp whether the backlog did not grow
 * @param isWhole whether it was measured for as long as it was to be; otherwise it was hopeless
 * @param batches for each limit the operations of each interval
 */
public record Trial(
        double rate,
        Stage stage,
        double seconds,
        double opsPerSecond,
        @Nullable Latency response,
        long errors,
        boolean keptUp,
        boolean isWhole,
        List<List<Batch>> batches) {
    /** Neighbouring operations depend on each other, and intervals hardly do if there are at most this many. */
    private static final int MAX_BATCHES = 10;

    /** A trial ends early if at least this many times as many operations as allowed are beyond a limit, */
    private static final double HOPELESS_TIMES = 10;

    /** in at least this many intervals */
    private static final int HOPELESS_INTERVALS = 2;

    /** with at least this many operations beyond it. */
    private static final long HOPELESS_OPERATIONS = 20;

    private static final double SLOW_TIMES = 5;
    private static final double MAX_SLOW = 0.2;

    /** What a rate is tried for. */
    public enum Stage {
        /** Doubling while the limits are kept, or halving while they are not. */
        BRACKETING,
        BISECTION,
        CONFIRMATION
    }

    /**
     * Operations, and how many of them were beyond a limit.
     *
     * @param slow operations that were among the slowest of the whole trial, {@link #slowShare} of them
     */
    public record Batch(long operations, long beyond, long slow) {
        public Batch plus(Batch other) {
            return new Batch(operations + other.operations, beyond + other.beyond, slow + other.slow);
        }

        double share() {
            return operations == 0 ? 0 : (double) beyond / operations;
        }
    }

    /** Whether more measuring cannot change that a limit is broken. */
    static boolean isHopeless(RateLimit limit, Stage stage, List<Batch> batches) {
        Batch all = sum(batches);
        double half = (1 + limit.share()) / 2;
        double share = stage == Stage.CONFIRMATION ? half : Math.min(HOPELESS_TIMES * limit.share(), half);
        return batches.size() >= HOPELESS_INTERVALS && all.beyond() >= HOPELESS_OPERATIONS && all.share() > share;
    }

    private static Batch sum(List<Batch> batches) {
        return batches.stream().reduce(new Batch(0, 0, 0), Batch::plus);
    }

    /** All operations, and those beyond a limit. */
    Batch total(int limit) {
        return sum(batches.get(limit));
    }

    boolean keeps(int number, RateLimit limit) {
        Batch all = total(number);
        return all.operations() > 0 && all.beyond() <= limit.share() * all.operations();
    }

    /** Whether it kept up and all limits. */
    public boolean holds(List<RateLimit> limits) {
        for (int i = 0; i < limits.size(); i++) {
            if (!keeps(i, limits.get(i))) {
                return false;
            }
        }
        return keptUp && isWhole;
    }

    private List<Batch> grouped(int limit) {
        List<Batch> intervals = batches.get(limit);
        int groups = Math.min(MAX_BATCHES, intervals.size());
        List<Batch> grouped = new ArrayList<>();
        for (int g = 0; g < groups; g++) {
            grouped.add(sum(intervals.subList(g * intervals.size() / groups, (g + 1) * intervals.size() / groups)));
        }
        return grouped;
    }

    /** The share beyond a limit with its interval by batch means; null with fewer than three batches. */
    @Nullable
    Interval share(int limit) {
        double mean =
                total(limit).operations() / (double) Math.max(1, grouped(limit).size());
        List<Double> shares = grouped(limit).stream()
                .map(b -> mean == 0
                        ? 0
                        : total(limit).share() + (b.beyond() - total(limit).share() * b.operations()) / mean)
                .toList();
        if (shares.size() < 3) {
            return null;
        }
        Interval interval = Sample.of(shares).student(0.95);
        return new Interval(interval.value(), Math.max(0, interval.low()), Math.min(1, interval.high()));
    }

    /**
     * The share of a trial's operations that are slow. They come in clusters like those beyond the limit, but there are more of them,
     * from which the dispersion is known better.
     */
    public static double slowShare(RateLimit limit) {
        return Math.min(Math.max(limit.share(), MAX_SLOW), SLOW_TIMES * limit.share());
    }

    /** The trial as a point of the curve. */
    ShareCurve.Point point(int limit) {
        Batch all = total(limit);
        double own = dispersion(limit, Batch::beyond);
        return new ShareCurve.Point(
                rate, all.operations(), all.beyond(), Math.max(own, dispersion(limit, Batch::slow)));
    }

    /** The variance of a number per batch, relative to that of independent operations; 1 if there are none. */
    private double dispersion(int limit, ToLongFunction<Batch> number) {
        List<Batch> parts = grouped(limit);
        double operations = total(limit).operations();
        double share = number.applyAsLong(total(limit)) / Math.max(1, operations);
        double squares = parts.stream()
                .mapToDouble(b -> Math.pow(number.applyAsLong(b) - share * b.operations(), 2))
                .sum();
        double independent = operations * share * (1 - share) * (1 - 1.0 / Math.max(2, parts.size()));
        return independent == 0 ? 1 : squares / independent;
    }
}
