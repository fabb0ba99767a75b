package io.pgstress.extra.history;

import io.pgstress.compare.statistics.EDivisive;
import io.pgstress.compare.statistics.EDivisive.ChangePoint;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.Sample;
import io.pgstress.compare.statistics.Welch;
import io.pgstress.extra.history.KeptRun.Figure;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The runs of one test in the order of time, and the changes of their figures.
 *
 * @param test what the runs have in common
 * @param runs the valid ones
 * @param leftOut number of runs that are not valid
 */
public record Trend(String test, List<KeptRun> runs, int leftOut, List<Change> changes) {
    /** Share of histories without a change in which one of a figure is found: at most, if runs are independent. */
    public static final double SIGNIFICANCE = 0.01;

    /** Fewer runs cannot have a change: a level has at least {@value EDivisive#MIN_PART} runs. */
    public static final int MIN_RUNS = 2 * EDivisive.MIN_PART;

    private static final double CONFIDENCE = 0.95;

    static Trend of(String test, List<KeptRun> runs, int leftOut) {
        List<Change> changes = new ArrayList<>();
        if (runs.size() >= MIN_RUNS) {
            for (Figure figure : Figure.values()) {
                if (runs.stream().allMatch(r -> r.figures().containsKey(figure))) {
                    changes.addAll(changes(figure, runs));
                }
            }
        }
        return new Trend(test, List.copyOf(runs), leftOut, List.copyOf(changes));
    }

    /** Works on logarithms: a change is a ratio. */
    private static List<Change> changes(Figure figure, List<KeptRun> runs) {
        double[] logs =
                runs.stream().mapToDouble(r -> Math.log(r.value(figure))).toArray();
        List<ChangePoint> points = new EDivisive(SIGNIFICANCE).find(logs);
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            int from = i == 0 ? 0 : points.get(i - 1).at();
            int at = points.get(i).at();
            int to = i + 1 < points.size() ? points.get(i + 1).at() : logs.length;
            Sample before = new Sample(Arrays.copyOfRange(logs, from, at));
            Sample after = new Sample(Arrays.copyOfRange(logs, at, to));
            Interval ratio = new Welch(after, before).interval(CONFIDENCE).exp();
            changes.add(new Change(
                    figure,
                    at,
                    Math.exp(before.mean()),
                    Math.exp(after.mean()),
                    ratio.value(),
                    ratio.low(),
                    ratio.high(),
                    points.get(i).pValue(),
                    figure.isWorse(ratio.value()),
                    differences(runs.get(at - 1), runs.get(at))));
        }
        return changes;
    }

    private static List<String> differences(KeptRun before, KeptRun after) {
        List<String> differences = new ArrayList<>(after.circumstances().differences(before.circumstances(), Set.of()));
        if (before.rows() != after.rows()) {
            differences.add("rows: " + before.rows() + " -> " + after.rows());
        }
        return differences;
    }

    /** Whether a figure became worse in one of the last runs. */
    public boolean hasRecentWorsening(int lastRuns) {
        return changes.stream().anyMatch(c -> c.worse() && c.at() >= runs.size() - lastRuns);
    }

    /**
     * A change of a figure between two runs of a test.
     *
     * @param at index of the first run after it
     * @param before geometric mean of the figure since the change before, or the first run
     * @param after geometric mean of the figure until the next change, or the last run
     * @param ratio after / before
     * @param low where its 95% interval begins
     * @param high where it ends
     * @param pValue share of random orders of the runs in which a change is as clear
     * @param worse whether it is a change for the worse
     * @param alsoChanged what else is different between the two runs
     */
    public record Change(
            Figure figure,
            int at,
            double before,
            double after,
            double ratio,
            double low,
            double high,
            double pValue,
            boolean worse,
            List<String> alsoChanged) {
        /** {@code worse} or {@code better}. */
        String direction() {
            return worse ? "worse" : "better";
        }
    }

    /** Collects results, and sorts runs by what they tested. Keeps little of each result. Not thread-safe. */
    public static final class Collector {
        private final Map<String, List<KeptRun>> valid = new TreeMap<>();
        private final Map<String, Integer> notValid = new LinkedHashMap<>();
        private int others;

        public void add(Result result) {
            if (!(result instanceof RunResult run)) {
                others++;
                return;
            }
            KeptRun kept = KeptRun.of(run);
            List<KeptRun> runs = valid.computeIfAbsent(kept.test(), test -> new ArrayList<>());
            if (run.valid()) {
                runs.add(kept);
            } else {
                notValid.merge(kept.test(), 1, Integer::sum);
            }
        }

        /** Number of results that are not runs. */
        public int others() {
            return others;
        }

        /** One trend per test. */
        public List<Trend> find() {
            List<Trend> trends = new ArrayList<>();
            valid.forEach((test, runs) -> {
                runs.sort(Comparator.comparing(KeptRun::startedAt));
                trends.add(Trend.of(test, runs, notValid.getOrDefault(test, 0)));
            });
            return trends;
        }
    }
}
