package io.pgstress.testing.truth;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An SVG of reported over served times, on logarithmic scales: true reports are on the diagonal. */
final class TruthPicture {
    private static final int SIZE = 520;
    private static final int LEFT = 64;
    private static final int TOP = 40;
    private static final double FROM_MILLIS = 0.5;
    private static final double TO_MILLIS = 5000;
    private static final List<Double> TICKS = List.of(1.0, 10.0, 100.0, 1000.0);

    private final List<String> shapes = new ArrayList<>();
    private int tools;

    /** A percentile, in milliseconds. */
    record Point(double served, double reported) {}

    /** Adds the points of a tool and its name to the legend; the first tool has circles, another one crosses. */
    void add(String tool, List<Point> points) {
        boolean isFirst = tools == 0;
        double y = TOP + 24 + 22.0 * tools;
        shapes.add(mark(isFirst, LEFT + 20, y));
        shapes.add(text(LEFT + 34, y + 5, "start", tool));
        points.forEach(p -> shapes.add(mark(isFirst, x(p.served), y(p.reported))));
        tools++;
    }

    String svg() {
        StringBuilder svg = new StringBuilder();
        svg.append(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"14\">%n",
                LEFT + SIZE + 20, TOP + SIZE + 56));
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
        svg.append(text(LEFT, TOP - 14, "start", "p50, p90, p99 and p99.9 of every load, in milliseconds"));
        for (double tick : TICKS) {
            svg.append(line(x(tick), TOP, x(tick), (double) TOP + SIZE, "#ddd"));
            svg.append(line(LEFT, y(tick), (double) LEFT + SIZE, y(tick), "#ddd"));
            svg.append(text(x(tick), TOP + SIZE + 20, "middle", format("%.0f", tick)));
            svg.append(text(LEFT - 8, y(tick) + 5, "end", format("%.0f", tick)));
        }
        svg.append(line(x(FROM_MILLIS), y(FROM_MILLIS), x(TO_MILLIS), y(TO_MILLIS), "#999"));
        svg.append(text(LEFT + SIZE / 2.0, TOP + SIZE + 44, "middle", "what the server did"));
        svg.append(format(
                "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">what was reported</text>%n",
                TOP + SIZE / 2));
        shapes.forEach(svg::append);
        return svg.append("</svg>\n").toString();
    }

    private static double place(double millis) {
        double within = Math.min(TO_MILLIS, Math.max(FROM_MILLIS, millis));
        return SIZE * Math.log(within / FROM_MILLIS) / Math.log(TO_MILLIS / FROM_MILLIS);
    }

    private static double x(double millis) {
        return LEFT + place(millis);
    }

    private static double y(double millis) {
        return TOP + SIZE - place(millis);
    }

    private static String mark(boolean isCircle, double x, double y) {
        return isCircle
                ? format(
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"none\" stroke=\"#06c\" stroke-width=\"2\"/>%n",
                        x, y)
                : format("<path d=\"M%.1f %.1fl8 8m0-8l-8 8\" stroke=\"#c40\" stroke-width=\"2\"/>%n", x - 4, y - 4);
    }

    private static String line(double x1, double y1, double x2, double y2, String colour) {
        return format(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n", x1, y1, x2, y2, colour);
    }

    private static String text(double x, double y, String anchor, String text) {
        return format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, text);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
