package io.pgstress.testing.truth;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Markdown of reports beside the truth. Times are in milliseconds. */
final class TruthTable {
    private static final double GOAL_PERCENT = 2;
    private static final double GOAL_MILLIS = 0.2;
    private static final double NANOS_PER_MILLI = 1e6;

    private final String tool;
    private final StringBuilder text = new StringBuilder();
    private final List<TruthPicture.Point> points = new ArrayList<>();
    private int cells;
    private int met;

    TruthTable(String tool) {
        this.tool = tool;
        text.append(
                "| load | | p50 ms | p90 ms | p99 ms | p99.9 ms | max ms | per second | valid, warnings |\n|---|---|--:|--:|--:|--:|--:|--:|---|\n");
    }

    /** Adds the lines of a load: expected, served and reported figures, and the error of the report. */
    void add(Case load, Report report) {
        line(load.name(), "expected", figures(load.expected()));
        List<Double> served = figures(report.served());
        line("", "served", served);
        List<Double> reported = new ArrayList<>();
        report.micros().forEach(m -> reported.add(m / 1000));
        reported.add(report.perSecond());
        line("", tool, reported);
        List<String> errors = new ArrayList<>();
        for (int i = 0; i < served.size(); i++) {
            errors.add(error(i, served.get(i), reported.get(i)));
        }
        row("", "error", errors, report.valid());
    }

    private static List<Double> figures(Truth truth) {
        List<Double> figures = new ArrayList<>();
        Report.PERCENTS.forEach(p -> figures.add(truth.percentile(p) / NANOS_PER_MILLI));
        figures.add(truth.perSecond());
        return figures;
    }

    private String error(int place, double truth, double reported) {
        double percent = 100 * (reported / truth - 1);
        boolean isTime = place < Report.PERCENTS.size();
        boolean isGood = Math.abs(percent) <= GOAL_PERCENT || (isTime && Math.abs(reported - truth) <= GOAL_MILLIS);
        if (!isTime || Report.PERCENTS.get(place) < 100) {
            cells++;
            met += isGood ? 1 : 0;
            if (isTime) {
                points.add(new TruthPicture.Point(truth, reported));
            }
        }
        String shown = String.format(Locale.ROOT, "%+.1f%%", percent);
        return isGood ? shown : "**" + shown + "**";
    }

    private void line(String load, String what, List<Double> figures) {
        Function<Double, String> format = f -> String.format(Locale.ROOT, f < 100 ? "%.3f" : "%.1f", f);
        row(load, what, figures.stream().map(format).toList(), "");
    }

    private void row(String load, String what, List<String> values, String valid) {
        text.append("| ").append(load).append(" | ").append(what).append(" | ");
        text.append(String.join(" | ", values)).append(" | ").append(valid).append(" |\n");
    }

    String markdown() {
        return text.toString();
    }

    /** How much of it is within the goal; the longest time is not part of the goal. */
    String summary() {
        return met + " of " + cells + " figures of " + tool;
    }

    static String goal() {
        return String.format(Locale.ROOT, "within %.0f%% or %.1f ms of what the server did", GOAL_PERCENT, GOAL_MILLIS);
    }

    void draw(TruthPicture picture) {
        picture.add(tool, points);
    }
}
