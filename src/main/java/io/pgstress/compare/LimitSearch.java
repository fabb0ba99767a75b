package io.pgstress.compare;

import io.pgstress.compare.Trial.Batch;
import io.pgstress.compare.Trial.Stage;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.ShareCurve;
import io.pgstress.plan.RateLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
     * @param rate the highest rate that kept the limits in most of its confirmations; null if there is none
     * @param limit the interval of the highest rate that keeps the limits; null if there is none
     * @param broken the lowest rate above it that did not keep them; null if all did
     * @param binding the number of the limit that is broken first
     */
    public record Found(
            double capacity,
            List<Trial> trials,
            @Nullable Double rate,
            @Nullable Interval limit,
            @Nullable Double broken,
            int binding,
            boolean isWhole,
            @Nullable RuntimeException failure) {}

    public static final double CONFIDENCE = 0.95;

    /** The first rate, as a share of the capacity. */
    private static final double START = 0.125;

    private static final double MAX_OF_CAPACITY = 4;
    private static final double MIN_OF_CAPACITY = 1.0 / 64;

    /** Bisection ends when the rates on both sides of the limit have at most this ratio. */
    private static final double CLOSE = 1.03;

    /** Trials within this ratio of the limit determine the curve. */
    private static final double NEAR = 1.08;

    /** Far above the limit, where this many times the allowed share is expected, the share depends on the length of the trial. */
    private static final double STRAIGHT_TIMES = 12;

    private static final int REFITS = 3;

    /** Length of a trial when doubling and bisecting, relative to that of a confirmation. */
    private static final double OF_DOUBLING = 0.25;

    private static final double OF_BISECTION = 0.5;

    /** Long enough for this many operations beyond the limit, at the limit, */
    private static final double MIN_BEYOND = 20;

    /** but at most this many times as long as requested. */
    private static final double MAX_LONGER = 2;

    /** The winner is tried this many times, and the rate above it on the other turns. */
    private static final int CONFIRMATIONS = 5;

    private static final int TURNS = CONFIRMATIONS + 2;

    /** A rate is confirmed that kept the limits in most of its confirmations, and in at least this many. */
    private static final int MAJORITY = CONFIRMATIONS / 2 + 1;

    /** The confirmation of other rates begins only if it can end within this many times the time of a confirming trial. */
    private static final double PATIENCE = 21;

    /** A confirmation that has begun makes at least this many trials: one of the higher rate, and enough of the lower one. */
    private static final int MIN_TURNS = 1 + MAJORITY;

    /** Distance of the confirmed rates from the estimate, in standard errors of one trial: it should then be on its side of the limit. */
    private static final double ERRORS = 1.3;

    private static final double MIN_DISTANCE = 0.01;
    private static final double MAX_DISTANCE = 0.06;

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

    /** Trials of the current confirmation. */
    private int turns;

    /** The highest rate reached: the closed loop's may be too low, if something disturbed it. */
    private double fastest;

    private double low;
    private double high = Double.POSITIVE_INFINITY;

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
            boolean isHeld = holds(rate, Stage.DOUBLING);
            if (!isHeld) {
                isHeld = holds(rate, Stage.DOUBLING);
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

    private void confirm() throws InterruptedException {
        boolean isClear = false;
        for (boolean isFirst = true; !isClear && (isFirst || hasTimeFor(MIN_TURNS)); isFirst = false) {
            bisect();
            isClear = confirm(sides());
            turns = 0;
        }
    }

    /** Whether most trials of the lower rate keep the limits, and not most of the higher one. */
    private boolean confirm(double[] sides) throws InterruptedException {
        int[] held = new int[2];
        int[] tried = new int[2];
        for (turns = 0; turns < TURNS && (turns < MIN_TURNS || hasTimeFor(1)); turns++) {
            int side = turns % 4 == 0 ? 1 : 0;
            tried[side]++;
            if (holds(sides[side], Stage.CONFIRMATION)) {
                held[side]++;
            }
            int failed = tried[0] - held[0];
            if (held[1] == 2 || failed == MAJORITY || (failed == 2 && held[0] == 0)) {
                break;
            }
        }
        if (held[1] == 2) {
            low = sides[1];
            high = high > low ? high : Double.POSITIVE_INFINITY;
            return false;
        }
        if (held[0] < MAJORITY) {
            high = sides[0];
            low = Math.min(low, sides[0] / CLOSE);
            return false;
        }
        return true;
    }

    private boolean hasTimeFor(int confirmations) {
        double length = length(low);
        double bisection = halvings() * (length * OF_BISECTION + overhead());
        double elapsed = (nanoTime.getAsLong() - start) / 1e9;
        return elapsed + bisection + confirmations * (length + overhead()) <= PATIENCE * (length + OVERHEAD_SECONDS);
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
            case DOUBLING -> OF_DOUBLING;
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
        return Math.max(seconds, Math.min(seconds * MAX_LONGER, MIN_BEYOND / (rarest * rate)));
    }

    /** The estimated time from the end of this trial to the end of the search, if the first confirmation is clear. */
    private double secondsAfter(Stage stage, double rate) {
        double halvings = halvings();
        double length = length(isBracketed() ? low : Math.min(high, capacity));
        double trialsLeft = switch (stage) {
            case DOUBLING -> Math.max(0, Math.ceil(Math.log(capacity / rate) / Math.log(2)));
            case BISECTION -> Math.max(0, halvings - 1);
            case CONFIRMATION -> 0;
        };
        double doubling = stage == Stage.DOUBLING ? trialsLeft * (length * OF_DOUBLING + overhead()) : 0;
        double bisection = stage == Stage.DOUBLING ? halvings : trialsLeft;
        int confirmations = TURNS - (stage == Stage.CONFIRMATION ? turns + 1 : 0);
        return doubling + bisection * (length * OF_BISECTION + overhead()) + confirmations * (length + overhead());
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
        Double rate = winner();
        Double broken = rate == null ? null : brokenAbove(rate);
        return new Found(
                capacity,
                List.copyOf(trials),
                rate,
                rate == null ? null : limit(binding, rate, broken),
                broken,
                binding,
                isWhole,
                failure);
    }

    /** The highest confirmed rate, or else the highest one that held below those that did not. */
    private @Nullable Double winner() {
        Map<Double, List<Trial>> tried = trials.stream()
                .filter(t -> t.stage() == Stage.CONFIRMATION)
                .collect(Collectors.groupingBy(Trial::rate));
        OptionalDouble confirmed = tried.entrySet().stream()
                .filter(e -> isConfirmed(held(e.getValue()), e.getValue().size()))
                .mapToDouble(Map.Entry::getKey)
                .max();
        double least = tried.entrySet().stream()
                .filter(e -> 2 * held(e.getValue()) <= e.getValue().size())
                .mapToDouble(Map.Entry::getKey)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        OptionalDouble other = trials.stream()
                .filter(t -> t.rate() < least && t.holds(limits))
                .mapToDouble(Trial::rate)
                .max();
        OptionalDouble rate = confirmed.isPresent() ? confirmed : other;
        return rate.isPresent() ? Double.valueOf(rate.getAsDouble()) : null;
    }

    private long held(List<Trial> of) {
        return of.stream().filter(t -> t.holds(limits)).count();
    }

    /** Whether a rate is confirmed that kept the limits in this many of its confirmations. */
    static boolean isConfirmed(long held, long confirmations) {
        return held >= MAJORITY && 2 * held > confirmations;
    }

    /**
     * The lowest rate above this one that did not keep the limits in at least half of its trials: of the confirmed rates that were tried
     * more than once if there is one, else of the others. One trial that happened to fail says little.
     */
    private @Nullable Double brokenAbove(double rate) {
        Map<Double, List<Trial>> above =
                trials.stream().filter(t -> t.rate() > rate).collect(Collectors.groupingBy(Trial::rate));
        return above.entrySet().stream()
                .filter(e -> 2 * held(e.getValue()) <= e.getValue().size())
                .min(Comparator.<Map.Entry<Double, List<Trial>>>comparingInt(e -> isRepeated(e.getValue()) ? 0 : 1)
                        .thenComparingDouble(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    private static boolean isRepeated(List<Trial> of) {
        return of.size() > 1 && of.stream().anyMatch(t -> t.stage() == Stage.CONFIRMATION);
    }

    /** The interval by the curve, extended to the confirmed rate; without a curve, from that rate to the broken one. */
    private @Nullable Interval limit(int binding, double rate, @Nullable Double broken) {
        if (broken == null) {
            return null;
        }
        ShareCurve curve = curve(binding);
        Interval at = curve == null ? null : curve.rate(CONFIDENCE);
        return at == null
                ? new Interval(Math.sqrt(rate * Objects.requireNonNull(broken)), rate, broken)
                : new Interval(at.value(), Math.min(at.low(), rate), Math.max(at.high(), rate));
    }
}
