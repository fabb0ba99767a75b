package io.pgstress.compare;

import io.pgstress.compare.Climber.Climbed;
import io.pgstress.compare.Climber.Measurement;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.UslFit;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.result.Scaling.Coefficient;
import io.pgstress.result.Scaling.Fit;
import io.pgstress.result.Scaling.Point;
import io.pgstress.result.Scaling.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the {@link Scaling} of the steps of a climb. Immutable. */
public final class Knee {
    /** So near to the best throughput is as good. */
    private static final double NEAR = 0.97;

    private final List<Step> steps;
    private final double limitMicros;

    private Knee(List<Step> steps, double limitMicros) {
        this.steps = steps;
        this.limitMicros = limitMicros;
    }

    /**
     * What the climb found.
     *
     * @param limitMicros what p99 is to keep; 0: nothing
     */
    public static Scaling of(Climbed climbed, double limitMicros) {
        List<Step> steps = climbed.steps().stream()
                .map(Measurement::step)
                .sorted(Comparator.comparingInt(Step::clients))
                .toList();
        Knee knee = new Knee(steps, limitMicros);
        RunResult head = climbed.steps().get(climbed.steps().size() - 1).result();
        Map<String, Integer> told = new LinkedHashMap<>();
        climbed.steps()
                .forEach(m -> Warnings.add(
                        m.result().remarks().stream()
                                .filter(w -> !w.startsWith("ended early"))
                                .toList(),
                        told));
        RunResult.Run run = head.run();
        Map<String, Object> scenario = new LinkedHashMap<>(run.scenario());
        scenario.remove("threads"); // each step has its own
        return new Scaling(
                Scaling.SCHEMA,
                Scaling.KIND,
                head.tool(),
                new RunResult.Run(
                        run.id(),
                        climbed.steps().get(0).result().run().startedAt(),
                        run.argv(),
                        run.seed(),
                        scenario,
                        List.of(),
                        !climbed.isWhole()),
                head.client(),
                head.servers(),
                head.dataset(),
                steps,
                knee.fit(),
                knee.isEmpty() ? null : knee.knee(),
                knee.isEmpty() ? null : knee.peak(),
                knee.withinLimit(),
                limitMicros == 0 ? null : limitMicros,
                knee.words(climbed),
                !knee.isEmpty()
                        && climbed.steps().stream().allMatch(m -> m.result().valid()),
                Warnings.words(told, steps.size()));
    }

    private @Nullable Fit fit() {
        double[] clients = steps.stream().mapToDouble(Step::clients).toArray();
        double[] ops = steps.stream().mapToDouble(Step::opsPerSecond).toArray();
        return UslFit.of(clients, ops, 0.95)
                .map(c -> new Fit(coefficient(c.lambda()), coefficient(c.sigma()), coefficient(c.kappa())))
                .orElse(null);
    }

    private static Coefficient coefficient(Interval i) {
        return new Coefficient(i.value(), i.low(), i.high());
    }

    private static Point point(Step step) {
        return new Point(
                step.clients(), step.opsPerSecond(), step.latencyMicros().p99());
    }

    /** Whether no operation succeeded at all. */
    private boolean isEmpty() {
        return best().opsPerSecond() <= 0;
    }

    private Step best() {
        return steps.stream()
                .max(Comparator.comparingDouble(Step::opsPerSecond))
                .orElseThrow();
    }

    private Point peak() {
        return point(best());
    }

    private Point knee() {
        double enough = best().opsPerSecond() * NEAR;
        return steps.stream()
                .filter(s -> s.opsPerSecond() >= enough)
                .findFirst()
                .map(Knee::point)
                .orElseGet(this::peak);
    }

    private @Nullable Point withinLimit() {
        return limitMicros == 0 || isEmpty()
                ? null
                : steps.stream()
                        .filter(s -> s.opsPerSecond() > 0 && s.latencyMicros().p99() <= limitMicros)
                        .max(Comparator.comparingDouble(Step::opsPerSecond))
                        .map(Knee::point)
                        .orElse(null);
    }

    private List<String> words(Climbed climbed) {
        List<String> words = new ArrayList<>();
        if (isEmpty()) {
            words.add("No operation succeeded: there is nothing to say of the number of clients.");
        } else {
            points(words);
        }
        if (!climbed.isWhole()) {
            words.add("It " + (climbed.failure() == null ? "was interrupted" : "failed") + " after " + steps.size()
                    + " steps.");
        }
        return words;
    }

    private void points(List<String> words) {
        Point knee = knee();
        Point peak = peak();
        words.add(String.format(
                Locale.ROOT,
                "%d clients are enough: %,.0f operations per second with a p99 of %.2f ms, within 3%% of the most that was"
                        + " measured, %,.0f at %d.",
                knee.clients(),
                knee.opsPerSecond(),
                knee.p99Micros() / 1e3,
                peak.opsPerSecond(),
                peak.clients()));
        Point within = withinLimit();
        if (limitMicros > 0) {
            words.add(
                    within == null
                            ? String.format(
                                    Locale.ROOT, "No number of clients keeps p99 at %.2f ms.", limitMicros / 1e3)
                            : String.format(
                                    Locale.ROOT,
                                    "The most load with a p99 of at most %.2f ms: %,.0f operations per second at %d clients.",
                                    limitMicros / 1e3,
                                    within.opsPerSecond(),
                                    within.clients()));
        }
        if (fit() == null) {
            words.add("The steps bear no curve of the Universal Scalability Law.");
        }
    }
}
