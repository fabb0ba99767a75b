package io.pgstress.compare;

import io.pgstress.compare.Trial.Batch;
import io.pgstress.compare.Trial.Stage;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.ShareCurve;
import io.pgstress.plan.RateLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Searches for the highest rate of an open load that keeps limits: doubles the rate until one is broken, bisects, and tries the highest
 * rate that should keep them, and one above it, for longer and several times. docs/dev/comparison-method.md explains the statistics.
 * Belongs to one thread.
 */
public final class LimitSearch {
    /** Tries rates. */
    public interface Steps {
        /** The rate of a closed load of the same clients, which also warms up the search. */
        double capacity() throws InterruptedException;

        /**
         * Tries a rate.
         *
         * @param isHopeless whether to end early, by the batches of the intervals so far
         * @param secondsAfter estimated time from the end of the trial to the end of the search
         */
        Trial measure(
                double rate, Stage stage, double seconds, Predicate<List<List<Batch>>> isHopeless, double secondsAfter)
                throws InterruptedException;
    }

    /**
     * What a search found.
     *
     * @param rate a rate below the limit whose trials kept it; null if there is none
     * @param limit the interval of the highest rate that keeps the limits; null if there is none
     * @param broken the rate above the limit whose trials did not keep it; null if all did
     * @param isConfirmed whether both were tried often enough, and trials of lower rates agree
     * @param binding the number of the limit that is broken first
     */
    public record Found(
            double capacity,
            List<Trial> trials,
            @Nullable Double rate,
            @Nullable Interval limit,
            @Nullable Double broken,
            boolean isConfirmed,
            int binding,
            boolean isWhole,
            @Nullable RuntimeException failure) {}

    public static final double CONFIDENCE = 0.95;

    /** The first rate, as a share of the capacity. */
    private static final double START = 0.25;

    /** What disturbed one trial, or the closed loop, may have cost it this factor. */
    private static final double DISTURBED = 1.5;

    private static final double MAX_OF_CAPACITY = 4;
    private static final double MIN_OF_CAPACITY = 1.0 / 64;

    /** Bisection ends when the rates on both sides of the limit have at most this ratio. */
    private static final double CLOSE = 1.03;

    /** Trials within this ratio of the limit determine the curve. */
    private static final double NEAR = 1.1;

    /** Far above the limit, where this many times the allowed share is expected, the share depends on the length of the trial. */
    private static final double STRAIGHT_TIMES = 12;

    private static final int REFITS = 3;

    /** Length of a trial when doubling and bisecting, relative to that of a confirmation. */
    private static final double OF_BRACKETING = 0.25;

    private static final double OF_BISECTION = 0.5;

    /** Long enough for this many operations beyond the limit, at the limit, */
    private static final double MIN_BEYOND = 20;

    /** but at most this many times as long as requested. */
    private static final double MAX_LONGER = 2;

    /** Distance of the confirmed rates from the estimate, in standard errors of one trial: it should then be on its side of the limit. */
    private static final double ERRORS = 1.5;

    private static final double MIN_DISTANCE = 0.02;
    private static final double MAX_DISTANCE = 0.09;

    /** A side of the limit is tried this many times. */
    private static final int CONFIRMATIONS = 4;

    /** A side moves away from the limit when this many of its trials were on the other side. */
    private static final int MAX_WRONG = 2;

    private static final int MIN_CONFIRMATIONS = 3;
    private static final int MIN_BROKEN = 2;

    /** Trials at or below a confirmed rate that may break a limit. */
    static final int MAX_BROKEN_BELOW = 1;

    /** The longest search, relative to the time of a confirmation: 168 s with confirmations of 6 s and little time beside them. */
    private static final double BUDGET = 21;

    /** Usual time of a trial beside its measurement: connecting, warm-up, drain. */
    private static final double OVERHEAD_SECONDS = 2;

    private final Steps steps;
    private final List<RateLimit> limits;
    private final double seconds;
    private final LongSupplier nanoTime;
    private final long start;
    private final List<Trial> trials = new ArrayList<>();
    private final List<Double> overhead = new ArrayList<>();
    private double capacity;

    /** The estimate of the time left that was given last, in seconds: a later one is never longer. */
    private double left = Double.POSITIVE_INFINITY;

    /** The longest trial for which there is time. */
    private double longest = Double.POSITIVE_INFINITY;

    /** The highest rate reached: the closed loop's may be too low, if something disturbed it. */
    private double fastest;

    private double low;
    private double high = Double.POSITIVE_INFINITY;

    /** The rates that are confirmed, below the limit and above it; empty before the confirmations. */
    private double[] sides = {};

    /**
     * @param seconds length of a confirmation
     * @param nanoTime the clock, such as {@link System#nanoTime}
     */
    public LimitSearch(Steps steps, List<RateLimit> limits, double seconds, LongSupplier nanoTime) {
        this.steps = steps;
        this.limits = List.copyOf(limits);
        this.seconds = seconds;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
    }

    /** Searches until the result is clear, the thread is interrupted, or a step fails. */
    public Found search() {
        try {
            capacity = steps.capacity();
            fastest = capacity;
            bracket(capacity * START);
            if (isBracketed()) {
                bisect();
                confirm();
            }
            return found(true, null);
        } catch (InterruptedException e) {
            return found(false, null);
        } catch (RuntimeException e) {
            return found(false, e);
        }
    }

    /** Doubles until a limit is broken, or halves until all are kept. */
    private void bracket(double start) throws InterruptedException {
        double rate = start;
        while (rate <= fastest * MAX_OF_CAPACITY && rate >= capacity * MIN_OF_CAPACITY) {
            // what disturbs one trial only would hide all higher rates
            boolean isHeld = holds(rate, Stage.BRACKETING);
            if (!isHeld && isNear(rate)) {
                isHeld = holds(rate, Stage.BRACKETING);
            }
            if (isHeld) {
                low = rate;
                if (high < Double.POSITIVE_INFINITY) {
                    return;
                }
                rate *= 2;
            } else {
                high = rate;
                if (low > 0) {
                    return;
                }
                rate /= 2;
            }
        }
    }

    /** Whether a rate could have been reached if nothing had disturbed its trial. */
    private boolean isNear(double rate) {
        return rate <= DISTURBED * fastest;
    }

    private void bisect() throws InterruptedException {
        for (double step = CLOSE; high == Double.POSITIVE_INFINITY; step *= step) {
            double rate = rounded(low * step);
            if (holds(rate, Stage.BISECTION)) {
                low = rate;
            } else {
                high = rate;
            }
        }
        while (high > low * CLOSE) {
            double middle = rounded(Math.sqrt(low * high));
            if (holds(middle, Stage.BISECTION)) {
                low = middle;
            } else {
                high = middle;
            }
        }
    }

    /** Tries a rate below the limit and one above it in turn. One whose trials do not show that moves away from the limit. */
    private void confirm() throws InterruptedException {
        sides = sides();
        double[] step = {Math.sqrt(sides[1] / sides[0]), Math.sqrt(sides[1] / sides[0])};
        longest = Math.max(seconds / 2, secondsLeft() / (2 * CONFIRMATIONS + 1) - overhead());
        for (int side = next(); side >= 0 && hasTimeFor(sides[side]); side = next()) {
            holds(sides[side], Stage.CONFIRMATION);
            if (isRefuted(side, sides[side])) {
                sides[side] = rounded(side == 0 ? sides[0] / step[0] : sides[1] * step[1]);
                step[side] *= step[side];
            }
        }
        low = trials.stream()
                .mapToDouble(Trial::rate)
                .filter(r -> r <= sides[0] && isOn(0, tried(r)))
                .max()
                .orElse(0);
        high = trials.stream()
                .mapToDouble(Trial::rate)
                .filter(r -> r >= sides[1] && isOn(1, tried(r)))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    private List<Trial> tried(double rate) {
        return trials.stream().filter(t -> t.rate() == rate).toList();
    }

    /** The side to try next: the one with fewer trials; -1 if there are enough. */
    private int next() {
        int side = confirmations(sides[1]).size() <= confirmations(sides[0]).size() ? 1 : 0;
        return confirmations(sides[side]).size() < CONFIRMATIONS ? side : -1;
    }

    private boolean isRefuted(int side, double rate) {
        List<Trial> of = confirmations(rate);
        int held = (int) held(of);
        int wrong = side == 0 ? of.size() - held : held;
        return wrong >= MAX_WRONG || (of.size() >= CONFIRMATIONS && !isOn(side, of));
    }

    /** Whether trials of a rate show that it is below the limit (0) or above it (1): most of them do, and all their operations together. */
    private boolean isOn(int side, List<Trial> of) {
        boolean isKept = IntStream.range(0, limits.size()).allMatch(l -> {
            Batch all = of.stream().map(t -> t.total(l)).reduce(new Batch(0, 0, 0), Batch::plus);
            return all.operations() > 0 && all.beyond() <= limits.get(l).share() * all.operations();
        });
        long held = held(of);
        return side == 0 ? isKept && 2 * held > of.size() : (!isKept || held == 0) && 2 * held < of.size();
    }

    private List<Trial> confirmations(double rate) {
        return trials.stream()
                .filter(t -> t.rate() == rate && t.stage() == Stage.CONFIRMATION)
                .toList();
    }

    private boolean hasTimeFor(double rate) {
        return length(rate) + overhead() <= secondsLeft();
    }

    private double secondsLeft() {
        return BUDGET * (seconds + Math.max(OVERHEAD_SECONDS, overhead())) - (nanoTime.getAsLong() - start) / 1e9;
    }

    /** The time of a trial beside its measurement, in seconds, as it was so far. */
    private double overhead() {
        return overhead.stream().mapToDouble(s -> s).average().orElse(OVERHEAD_SECONDS);
    }

    /** The rates to confirm: below the limit, and above it. */
    private double[] sides() {
        ShareCurve curve = curve(binding());
        if (curve == null) {
            return new double[] {low, high};
        }
        double estimate = curve.rate(CONFIDENCE).value();
        double error = curve.errorOfOne(estimate * length(estimate));
        double distance = Math.min(MAX_DISTANCE, Math.max(MIN_DISTANCE, ERRORS * error));
        return new double[] {rounded(estimate / (1 + distance)), rounded(estimate * (1 + distance))};
    }

    private boolean holds(double rate, Stage stage) throws InterruptedException {
        double length = length(rate) * part(stage);
        long began = nanoTime.getAsLong();
        Trial trial =
                steps.measure(rate, stage, length, batches -> isHopeless(stage, batches), secondsAfter(stage, rate));
        trials.add(trial);
        if (trial.isWhole()) {
            overhead.add((nanoTime.getAsLong() - began) / 1e9 - length);
        }
        fastest = Math.max(fastest, trial.opsPerSecond());
        return trial.holds(limits);
    }

    private boolean isHopeless(Stage stage, List<List<Batch>> batches) {
        return IntStream.range(0, limits.size()).anyMatch(i -> Trial.isHopeless(limits.get(i), stage, batches.get(i)));
    }

    private static double part(Stage stage) {
        return switch (stage) {
            case BRACKETING -> OF_BRACKETING;
            case BISECTION -> OF_BISECTION;
            case CONFIRMATION -> 1;
        };
    }

    private double length(double rate) {
        double rarest = limits.stream()
                .mapToDouble(RateLimit::share)
                .filter(s -> s > 0)
                .min()
                .orElse(1);
        return Math.min(longest, Math.max(seconds, Math.min(seconds * MAX_LONGER, MIN_BEYOND / (rarest * rate))));
    }

    /** The estimated time from the end of this trial to the end of the search, if the first confirmation is clear; it never rises. */
    private double secondsAfter(Stage stage, double rate) {
        double halvings = halvings();
        double length = length(isBracketed() ? low : Math.min(high, capacity));
        double trialsLeft = switch (stage) {
            case BRACKETING -> Math.max(0, Math.ceil(Math.log(capacity / rate) / Math.log(2)));
            case BISECTION -> Math.max(0, halvings - 1);
            case CONFIRMATION -> 0;
        };
        double bracketing = stage == Stage.BRACKETING ? trialsLeft * (length * OF_BRACKETING + overhead()) : 0;
        double bisection = stage == Stage.BRACKETING ? halvings : trialsLeft;
        int confirmations = stage == Stage.CONFIRMATION
                ? DoubleStream.of(sides)
                                .mapToInt(side -> CONFIRMATIONS
                                        - Math.min(
                                                CONFIRMATIONS,
                                                confirmations(side).size()))
                                .sum()
                        - 1
                : 2 * CONFIRMATIONS;
        double all =
                bracketing + bisection * (length * OF_BISECTION + overhead()) + confirmations * (length + overhead());
        left = Math.min(left, Math.max(0, Math.min(all, secondsLeft() - length(rate) * part(stage) - overhead())));
        return left;
    }

    private boolean isBracketed() {
        return low > 0 && high < Double.POSITIVE_INFINITY;
    }

    /** The trials that are left to bisect; those between a rate and its double if the limit is not known better. */
    private double halvings() {
        double ratio = isBracketed() ? Math.max(CLOSE, high / low) : 2;
        return Math.ceil(Math.log(Math.log(ratio) / Math.log(CLOSE)) / Math.log(2));
    }

    /** The number with its first three digits. */
    private static double rounded(double rate) {
        double unit = Math.pow(10, Math.floor(Math.log10(rate)) - 2);
        return Math.rint(rate / unit) * unit;
    }

    /** The limit that is broken at the lowest rate. */
    private int binding() {
        return IntStream.range(0, limits.size())
                .boxed()
                .min(Comparator.<Integer>comparingDouble(this::lowestBroken).thenComparingDouble(i -> {
                    ShareCurve curve = curve(i);
                    return curve == null
                            ? Double.POSITIVE_INFINITY
                            : curve.rate(CONFIDENCE).value();
                }))
                .orElse(0);
    }

    private double lowestBroken(int limit) {
        return broken(limit).orElse(Double.POSITIVE_INFINITY);
    }

    private OptionalDouble broken(int limit) {
        return trials.stream()
                .filter(t -> t.rate() > low && !t.keeps(limit, limits.get(limit)))
                .mapToDouble(Trial::rate)
                .min();
    }

    /** The curve of a limit; null if it allows no operation beyond it, or nothing was measured near it. */
    private @Nullable ShareCurve curve(int number) {
        RateLimit limit = limits.get(number);
        double near = isBracketed() ? Math.sqrt(low * high) : low;
        List<ShareCurve.Point> points = trials.stream()
                .filter(t -> t.rate() < near * NEAR && t.rate() > near / NEAR)
                .map(t -> t.point(number))
                .filter(p -> p.operations() > 0)
                .toList();
        if (limit.share() == 0 || points.size() < 3) {
            return null;
        }
        ShareCurve curve = new ShareCurve(points, limit.share());
        double most = Math.min(STRAIGHT_TIMES * limit.share(), (1 + limit.share()) / 2);
        for (int i = 0; i < REFITS; i++) { // by what the curve expects; what was measured would bias it
            ShareCurve last = curve;
            List<ShareCurve.Point> straight =
                    points.stream().filter(p -> last.shareAt(p.rate()) < most).toList();
            if (straight.size() < 3) {
                return curve;
            }
            curve = new ShareCurve(straight, limit.share());
        }
        return curve;
    }

    private Found found(boolean isWhole, @Nullable RuntimeException failure) {
        int binding = binding();
        Double rate = low > 0 ? Double.valueOf(low) : null;
        Double broken = high < Double.POSITIVE_INFINITY ? Double.valueOf(high) : null;
        boolean isConfirmed = isConfirmed();
        return new Found(
                capacity,
                List.copyOf(trials),
                rate,
                rate == null || broken == null ? null : limit(binding, rate, broken),
                broken,
                isConfirmed,
                binding,
                isWhole,
                failure);
    }

    /** From the lower end by the curve, or the confirmed rate if that is lower, to the rate that breaks a limit. */
    private Interval limit(int binding, double rate, double broken) {
        ShareCurve curve = curve(binding);
        double least =
                curve == null ? rate : Math.min(rate, curve.rate(CONFIDENCE).low());
        return new Interval(Math.sqrt(least * broken), least, broken);
    }

    /** Whether the rate on either side was tried often enough, and the trials at and below the lower one agree. */
    private boolean isConfirmed() {
        List<Trial> under = trials.stream()
                .filter(t -> t.stage() != Stage.BRACKETING && t.rate() <= low)
                .toList();
        return confirmations(low).size() >= MIN_CONFIRMATIONS
                && confirmations(high).size() >= MIN_BROKEN
                && under.size() - held(under) <= MAX_BROKEN_BELOW
                && isOn(0, under);
    }

    private long held(List<Trial> of) {
        return of.stream().filter(t -> t.holds(limits)).count();
    }
}
