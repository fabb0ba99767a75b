package io.pgstress.report.page;

import io.pgstress.extra.history.Change;
import io.pgstress.extra.history.Figure;
import io.pgstress.extra.history.KeptRun;
import io.pgstress.report.text.TrendText;
import io.pgstress.text.Rounded;
import java.util.List;
import java.util.Locale;

/** The values of a figure from run to run as an SVG: a point per run, a line per level. */
final class TrendPlot {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 220;
    private static final int LEFT = 90;
    private static final int EDGE = 12;
    private static final int BOTTOM = 26;

    /** Share of the range that remains free above and below. */
    private static final double MARGIN = 0.08;

    private final Figure figure;
    private final List<KeptRun> runs;
    private final List<Change> changes;
    private final double low;
    private final double high;

    TrendPlot(Figure figure, List<KeptRun> runs, List<Change> changes) {
        this.figure = figure;
        this.runs = runs.stream().filter(r -> r.figures().containsKey(figure)).toList();
        this.changes = changes;
        double min = this.runs.stream().mapToDouble(this::value).min().orElse(0);
        double max = this.runs.stream().mapToDouble(this::value).max().orElse(1);
        double free = MARGIN * (max > min ? max - min : max);
        this.low = min - free;
        this.high = max + free;
    }

    private double value(KeptRun run) {
        return run.value(figure);
    }

    String svg() {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg class=\"trend\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
                WIDTH,
                HEIGHT,
                TrendPage.escape(description())));
        axis(svg);
        levels(svg);
        for (int i = 0; i < runs.size(); i++) {
            KeptRun run = runs.get(i);
            svg.append(Rounded.format(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>%s, %s: %s</title></circle>%n",
                    x(i),
                    y(value(run)),
                    TrendPage.escape(run.id()),
                    TrendPage.escape(run.startedAt()),
                    TrendText.value(figure, value(run))));
        }
        return svg.append("</svg>\n").toString();
    }

    private String description() {
        String range = figure.label() + " of " + runs.size() + " runs, from " + TrendText.value(figure, low()) + " to "
                + TrendText.value(figure, high());
        return changes.isEmpty()
                ? range + "; no change found"
                : range + "; changes at run "
                        + String.join(
                                ", ",
                                changes.stream()
                                        .map(c -> Integer.toString(c.at() + 1))
                                        .toList());
    }

    private double low() {
        return runs.stream().mapToDouble(this::value).min().orElse(0);
    }

    private double high() {
        return runs.stream().mapToDouble(this::value).max().orElse(0);
    }

    private void axis(StringBuilder svg) {
        for (double value : new double[] {low(), (low() + high()) / 2, high()}) {
            svg.append(Rounded.format(
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                            + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n",
                    LEFT, WIDTH - EDGE, y(value), y(value), LEFT - 8, y(value) + 5, TrendText.value(figure, value)));
        }
        String first = runs.get(0).startedAt().replaceFirst("T.*", "");
        String last = runs.get(runs.size() - 1).startedAt().replaceFirst("T.*", "");
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\">%s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
                LEFT,
                HEIGHT - 6,
                TrendPage.escape(first),
                WIDTH - EDGE,
                HEIGHT - 6,
                TrendPage.escape(last)));
    }

    /** A line per level, and one at each change. Without a change there is no level to show. */
    private void levels(StringBuilder svg) {
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            int from = i == 0 ? 0 : changes.get(i - 1).at();
            int to = i + 1 < changes.size() ? changes.get(i + 1).at() : runs.size();
            level(svg, from, change.at() - 1, change.before());
            level(svg, change.at(), to - 1, change.after());
            double at = (x(change.at() - 1) + x(change.at())) / 2;
            svg.append(Rounded.format(
                    "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>%n",
                    change.worse() ? "worse" : "better", at, at, EDGE, HEIGHT - BOTTOM));
        }
    }

    private void level(StringBuilder svg, int from, int to, double value) {
        svg.append(Rounded.format(
                "<line class=\"level\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>%n",
                x(from), x(to), y(value), y(value)));
    }

    private double x(int run) {
        return LEFT + EDGE + (WIDTH - LEFT - 3.0 * EDGE) * run / Math.max(1, runs.size() - 1);
    }

    private double y(double value) {
        return EDGE + (HEIGHT - EDGE - BOTTOM) * (high - value) / (high - low);
    }
}
