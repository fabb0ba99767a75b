package io.pgstress.extra.history;

import io.pgstress.compare.statistics.EDivisive;
import io.pgstress.compare.statistics.EDivisive.ChangePoint;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.Sample;
import io.pgstress.compare.statistics.Welch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

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
}
