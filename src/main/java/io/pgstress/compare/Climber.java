package io.pgstress.compare;

import io.pgstress.compare.Climber.Steps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Increases the number of clients: doubles it until throughput no longer rises, then measures between the numbers around the
 * best. Then it repeats the steps around the knee ({@link Repeats}). Belongs to one thread.
 */
public final class Climber {
    /** Measures this number of clients until throughput is steady. */
    public interface Steps {
        /** @throws InterruptedException if the climb is to end; the step does not count */
        Measurement measure(int clients) throws InterruptedException;
    }

    /**
     * The measurements of a climb.
     *
     * @param steps the steps of the climb itself
     * @param trial the decisions from repeated steps; null if no operation succeeded
     * @param failure what ended the climb early; null if nothing failed
     */
    public record Climbed(
            List<Measurement> steps,
            @Nullable KneeTrial trial,
            Repeats repeats,
            boolean isWhole,
            @Nullable RuntimeException failure) {

        /** The steps of the climb followed by the repeated ones. */
        List<Measurement> all() {
            return Stream.concat(steps.stream(), repeats.measured().stream()).toList();
        }
    }

    /** The climb ends after throughput has twice been below this share of the best. */
    private static final double FALLEN = 0.97;

    private static final int REFINEMENTS = 3;

    private final Steps steps;
    private final int minClients;
    private final int maxClients;
    private final Repeats repeats;
    private final List<Measurement> measured = new ArrayList<>();
    private @Nullable KneeTrial trial;

    /**
     * @param minClients minimum number of clients, at least 1
     * @param maxClients maximum number of clients, at least {@code minClients}
     * @param repeatLimit maximum duration of the repetitions around the knee
     * @param clock as {@link System#nanoTime}
     */
    public Climber(Steps steps, int minClients, int maxClients, Duration repeatLimit, LongSupplier clock) {
        this.steps = steps;
        this.minClients = minClients;
        this.maxClients = maxClients;
        this.repeats = new Repeats(steps, repeatLimit, clock);
    }

    /** Climbs until the result is clear, the thread is interrupted, or a step fails. */
    public Climbed climb() {
        try {
            measureAll();
            return climbed(true, null);
        } catch (InterruptedException e) {
            return climbed(false, null);
        } catch (RuntimeException e) {
            return climbed(false, e);
        }
    }

    private Climbed climbed(boolean isWhole, @Nullable RuntimeException failure) {
        return new Climbed(List.copyOf(measured), trial == null ? trial() : trial, repeats, isWhole, failure);
    }

    private void measureAll() throws InterruptedException {
        up();
        for (int i = 0; i < REFINEMENTS; i++) {
            between();
        }
        KneeTrial open = trial();
        trial = open;
        if (open != null) {
            repeats.decide(open);
        }
    }

    private @Nullable KneeTrial trial() {
        Map<Integer, Double> throughputs = new HashMap<>();
        measured.forEach(m -> throughputs.put(m.step().clients(), m.step().opsPerSecond()));
        return throughputs.values().stream().anyMatch(t -> t > 0) ? new KneeTrial(throughputs) : null;
    }

    private void up() throws InterruptedException {
        int notBetter = 0;
        double best = 0;
        for (int clients = minClients; notBetter < 2; clients = Math.min(clients * 2, maxClients)) {
            double ops = measure(clients);
            notBetter = ops < best * (2 - FALLEN) ? notBetter + 1 : 0;
            best = Math.max(best, ops);
            if (clients == maxClients || ops <= 0) {
                return; // more clients do not help if nothing succeeds
            }
        }
    }

    private Measurement best() {
        return Collections.max(
                measured, Comparator.comparingDouble(m -> m.step().opsPerSecond()));
    }

    private double measure(int clients) throws InterruptedException {
        Measurement measurement = steps.measure(clients);
        measured.add(measurement);
        return measurement.step().opsPerSecond();
    }

    /** Measures midway between the fewest clients that are near the best and the next lower number. */
    private void between() throws InterruptedException {
        double best = best().step().opsPerSecond();
        TreeSet<Integer> numbers = new TreeSet<>();
        measured.forEach(m -> numbers.add(m.step().clients()));
        int near = measured.stream()
                .filter(m -> m.step().opsPerSecond() >= best * FALLEN)
                .mapToInt(m -> m.step().clients())
                .min()
                .orElse(1);
        Integer fewer = numbers.lower(near);
        if (fewer == null || near - fewer < 2) {
            return;
        }
        measure((fewer + near) / 2);
    }

    /**
     * Repeats the steps around the knee, in rounds, until the {@link KneeTrial} has decided, the time is over, or the
     * remaining time is clearly too short. Every second round runs in reverse order, so that drift within rounds cancels out.
     * Belongs to one thread.
     */
    static final class Repeats {
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
}
