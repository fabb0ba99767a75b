package io.pgstress.compare;

import io.pgstress.compare.Climber.Steps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/**
 * Repeats the steps around the knee, in rounds, until the {@link KneeTrial} has decided, the time is over, or the
 * remaining time is clearly too short. Every second round runs in reverse order, so that drift within rounds cancels out.
 * Belongs to one thread.
 */
final class Repeats {
    /** Gives up if a decision would probably take this many times the remaining time. */
    private static final double HOPELESS = 10;

    private final Steps steps;
    private final long limitNanos;
    private final LongSupplier clock;
    private final List<Measurement> measured = new ArrayList<>();
    private long spentNanos;
    private int rounds;

    /**
     * @param limit no round starts that would probably end later
     * @param clock as {@link System#nanoTime}
     */
    Repeats(Steps steps, Duration limit, LongSupplier clock) {
        this.steps = steps;
        this.limitNanos = limit.toNanos();
        this.clock = clock;
    }

    /** Measures until done. {@link #measured} returns the measurements, even after a failure. */
    void decide(KneeTrial trial) throws InterruptedException {
        long start = clock.getAsLong();
        List<Integer> next = trial.next();
        while (!next.isEmpty() && limitNanos - spentNanos > nanosOfRound()) {
            boolean looked = trial.add(round(next));
            spentNanos = clock.getAsLong() - start;
            if (looked && isHopeless(trial)) {
                return;
            }
            next = trial.next();
        }
    }

    private Map<Integer, Double> round(List<Integer> clients) throws InterruptedException {
        List<Integer> order = new ArrayList<>(clients);
        if (rounds % 2 == 1) {
            Collections.reverse(order);
        }
        Map<Integer, Double> round = new HashMap<>();
        for (int n : order) {
            Measurement measurement = steps.measure(n);
            measured.add(measurement);
            round.put(n, measurement.step().opsPerSecond());
        }
        rounds++;
        return round;
    }

    private boolean isHopeless(KneeTrial trial) {
        OptionalDouble more = trial.roundsToDecide();
        return !trial.isDecided()
                && more.isPresent()
                && more.getAsDouble() * nanosOfRound() > HOPELESS * (limitNanos - spentNanos);
    }

    private double nanosOfRound() {
        return rounds == 0 ? 0 : spentNanos / (double) rounds;
    }

    /** Mean duration of a round; 0 without rounds. */
    double secondsOfRound() {
        return nanosOfRound() / 1e9;
    }

    /** Total duration of all rounds. */
    double seconds() {
        return spentNanos / 1e9;
    }

    /** All repeated measurements, in order. */
    List<Measurement> measured() {
        return measured;
    }
}
