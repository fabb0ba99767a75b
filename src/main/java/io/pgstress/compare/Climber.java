package io.pgstress.compare;

import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Climbs the number of clients: doubles it until throughput falls or stays where it was, then measures between the
 * numbers around the best. Belongs to one thread.
 */
public final class Climber {
    /** Measures with so many clients until level. */
    public interface Steps {
        /** @throws InterruptedException where the climb is to end; the step does not count */
        Measurement measure(int clients) throws InterruptedException;
    }

    /** A run with so many clients and the step that it makes. */
    public record Measurement(Step step, RunResult result) {}

    /** All steps that were measured. */
    public record Climbed(List<Measurement> steps, boolean isWhole) {}

    /** Throughput that much below the best so far, twice, is the end. */
    private static final double FALLEN = 0.97;

    private static final int REFINEMENTS = 3;

    private final Steps steps;
    private final int most;
    private final List<Measurement> measured = new ArrayList<>();

    /** @param most clients at most, at least 1 */
    public Climber(Steps steps, int most) {
        this.steps = steps;
        this.most = most;
    }

    public Climbed climb() {
        try {
            up();
            for (int i = 0; i < REFINEMENTS; i++) {
                between();
            }
            return new Climbed(List.copyOf(measured), true);
        } catch (InterruptedException e) {
            return new Climbed(List.copyOf(measured), false);
        }
    }

    private void up() throws InterruptedException {
        int notBetter = 0;
        double best = 0;
        for (int clients = 1; notBetter < 2; clients = Math.min(clients * 2, most)) {
            double ops = measure(clients);
            notBetter = ops < best * (2 - FALLEN) ? notBetter + 1 : 0;
            best = Math.max(best, ops);
            if (clients == most) {
                return;
            }
        }
    }

    private double measure(int clients) throws InterruptedException {
        Measurement measurement = steps.measure(clients);
        measured.add(measurement);
        return measurement.step().opsPerSecond();
    }

    /** Measures in the middle between the fewest clients that are near the best, and the next fewer. */
    private void between() throws InterruptedException {
        double best = measured.stream()
                .mapToDouble(m -> m.step().opsPerSecond())
                .max()
                .orElse(0);
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
}
