package io.pgstress.compare;

import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.Power;
import io.pgstress.compare.statistics.Sample;
import io.pgstress.compare.statistics.StoppingRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides which of the climb's numbers of clients reach {@value #NEAR} of the best throughput. The climb only selects
 * candidates and excludes what is far from enough; it decides nothing else, because its best is partly the luckiest. Each round measures the best, the steps on both
 * sides of the supposed knee, and the best step with more clients (the challenger) once each. Each yields the logarithm of
 * its ratio to the best of the same round, so that drift between rounds cancels out. A step is decided when Student's
 * interval of its mean log-ratio lies on one side of {@value #NEAR}, the challenger when its interval lies on one
 * side of the inverse; a better challenger replaces the best. Belongs to one thread.
 *
 * <p>Intervals are examined after {@link #isLook some} rounds only, with a confidence of {@value #CONFIDENCE_OF_LOOK}, so
 * that all decisions of a trial together hold with {@value #CONFIDENCE} (simulated in {@code KneeTrialTest}).
 */
final class KneeTrial {
    /** The share of the best throughput that counts as enough. */
    static final double NEAR = 0.97;

    /** Steps below this share of the best in the climb are not enough: no repetition would raise them by a quarter. */
    private static final double FAR = 0.8;

    /** The confidence of all decisions together. */
    static final double CONFIDENCE = 0.95;

    private static final double CONFIDENCE_OF_LOOK = 0.99;

    /** With fewer rounds the interval is too wide for any but obvious decisions. */
    static final int FIRST_LOOK = 4;

    private static final double GROWTH = 1.4;

    private final NavigableMap<Integer, Double> climbed;
    private final Map<Integer, List<Double>> logRatios = new HashMap<>();
    private final Map<Integer, Interval> looks = new HashMap<>();
    private int best;
    private int challenger;

    /** @param climbed throughput by number of clients, above 0 for at least one */
    KneeTrial(Map<Integer, Double> climbed) {
        this.climbed = new TreeMap<>(climbed);
        compareWith(highest(this.climbed));
    }

    private static int highest(NavigableMap<Integer, Double> throughputs) {
        return throughputs.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(0);
    }

    private void compareWith(int clients) {
        best = clients;
        NavigableMap<Integer, Double> more = new TreeMap<>(climbed.tailMap(best, false));
        double ofBest = climbed.getOrDefault(best, 0.0);
        more.values().removeIf(throughput -> throughput < FAR * ofBest);
        challenger = highest(more);
        logRatios.clear();
        looks.clear();
    }

    /** The number of clients with the best throughput, with which all others are compared. */
    int best() {
        return best;
    }

    /** The fewest clients known to be enough; initially {@link #best}. */
    private int enough() {
        return climbed.headMap(best, true).keySet().stream()
                .filter(n -> n == best || Boolean.TRUE.equals(isEnough(n)))
                .findFirst()
                .orElse(best);
    }

    /** Numbers of clients between the most known not to be enough and {@link #enough}. */
    private SortedSet<Integer> undecided() {
        NavigableMap<Integer, Double> fewer = climbed.headMap(enough(), false);
        int notEnough = fewer.keySet().stream()
                .filter(n -> Boolean.FALSE.equals(isEnough(n)))
                .reduce(0, Math::max);
        return new TreeSet<>(fewer.tailMap(notEnough, false).keySet());
    }

    /** Whether more clients than the best may still prove better. */
    private boolean isChallenged() {
        Interval interval = looks.get(challenger);
        return challenger > 0 && (interval == null || interval.high() > -Math.log(NEAR));
    }

    /** The fewest clients that may be the knee. */
    int from() {
        return undecided().stream().filter(n -> !isFar(n)).findFirst().orElse(enough());
    }

    /** Whether a step was not examined because the climb already shows that it is not enough. */
    private boolean isFar(int clients) {
        return looks.get(clients) == null && estimate(clients) < FAR;
    }

    /** The most clients that may be the knee. */
    int to() {
        return isChallenged() ? challenger : enough();
    }

    boolean isDecided() {
        return undecided().isEmpty() && !isChallenged();
    }

    /** The numbers of clients to measure in the next round, ascending; empty if the knee is decided. */
    List<Integer> next() {
        if (isDecided()) {
            return List.of();
        }
        TreeSet<Integer> next = new TreeSet<>(List.of(best));
        SortedSet<Integer> undecided = undecided();
        undecided.stream().filter(n -> estimate(n) < NEAR).reduce((a, b) -> b).ifPresent(next::add);
        undecided.stream().filter(n -> estimate(n) >= NEAR).findFirst().ifPresent(next::add);
        if (isChallenged()) {
            next.add(challenger);
        }
        return List.copyOf(next);
    }

    /** The estimated ratio to the best, from the rounds if available, else from the climb. */
    private double estimate(int clients) {
        List<Double> logs = logRatios.getOrDefault(clients, List.of());
        return logs.isEmpty()
                ? climbed.getOrDefault(clients, 0.0) / climbed.getOrDefault(best, 1.0)
                : Math.exp(logs.stream().mapToDouble(l -> l).average().orElse(0));
    }

    /**
     * Adds the throughputs of a round, by number of clients. A step without throughput is ignored in this round.
     *
     * @return whether the intervals were examined
     */
    boolean add(Map<Integer, Double> round) {
        double ofBest = round.getOrDefault(best, 0.0);
        boolean looked = false;
        for (Map.Entry<Integer, Double> step : round.entrySet()) {
            if (step.getKey() != best && step.getValue() > 0 && ofBest > 0) {
                List<Double> logs = logRatios.computeIfAbsent(step.getKey(), n -> new ArrayList<>());
                logs.add(Math.log(step.getValue() / ofBest));
                if (isLook(logs.size())) {
                    looks.put(step.getKey(), Sample.of(logs).student(CONFIDENCE_OF_LOOK));
                    looked = true;
                }
            }
        }
        Interval ofChallenger = looks.get(challenger);
        if (ofChallenger != null && ofChallenger.low() > -Math.log(NEAR)) {
            compareWith(challenger);
        }
        return looked;
    }

    /** Whether intervals are checked after this number of rounds: 4, 6, 9, 13, 19 and so on. */
    private static boolean isLook(int rounds) {
        return StoppingRule.isLook(rounds, FIRST_LOOK, GROWTH);
    }

    /** The number of rounds in which this number of clients was measured together with the best. */
    int rounds(int clients) {
        return logRatios.getOrDefault(clients, List.of()).size();
    }

    /** The ratio to the best when last examined; null before that. */
    @Nullable
    Interval ratio(int clients) {
        Interval interval = looks.get(clients);
        return interval == null ? null : interval.exp();
    }

    /** Whether this number of clients is enough by the repeated steps; null if undecided. */
    @Nullable
    Boolean isEnough(int clients) {
        Interval interval = looks.get(clients);
        double near = Math.log(NEAR);
        if (interval == null) {
            return null;
        }
        return interval.low() >= near ? Boolean.TRUE : interval.high() < near ? Boolean.FALSE : null;
    }

    /**
     * Estimated number of further rounds to decide the steps being measured, from their spread; empty after too few rounds.
     */
    OptionalDouble roundsToDecide() {
        double most = 0;
        for (int clients : next()) {
            List<Double> logs = logRatios.getOrDefault(clients, List.of());
            if (clients == best) {
                continue;
            }
            if (logs.size() < 2) {
                return OptionalDouble.empty();
            }
            Sample sample = Sample.of(logs);
            double border = clients > best ? -Math.log(NEAR) : Math.log(NEAR);
            double gap = Math.abs(sample.mean() - border);
            int needed = Math.max(FIRST_LOOK, Power.pairsToFind(gap, Power.upperDeviation(sample), CONFIDENCE_OF_LOOK));
            most = Math.max(most, needed - logs.size());
        }
        return OptionalDouble.of(Math.max(1, most));
    }
}
