package io.pgstress.extra.history;

import io.pgstress.extra.history.KeptRun.Figure;
import io.pgstress.extra.history.Trend.Change;
import io.pgstress.report.page.HtmlReport;
import io.pgstress.text.Rounded;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A page that plots the kept results of each test, with the changes that were found. It needs no scripts. */
public final class TrendPage {
    private TrendPage() {}

    public static void write(List<Trend> trends, Appendable out) throws IOException {
        out.append(String.format(
                Locale.ROOT,
                """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="generator" content="pgstress">
            <title>pgstress: history</title>
            <style>
            %s%s</style>
            </head>
            <body>
            <header><h1>pgstress history</h1></header>
            <main>
            %s</main>
            </body>
            </html>
            """,
                HtmlReport.resource("report.css"),
                HtmlReport.resource("trend.css"),
                trends.stream().map(TrendPage::section).collect(Collectors.joining())));
    }

    private static String section(Trend trend) {
        StringBuilder figures = new StringBuilder();
        for (Figure figure : Figure.values()) {
            List<KeptRun> runs = trend.runs().stream()
                    .filter(r -> r.figures().containsKey(figure))
                    .toList();
            if (runs.size() > 1) {
                List<Change> changes = trend.changes().stream()
                        .filter(c -> c.figure() == figure)
                        .toList();
                figures.append(String.format(
                        Locale.ROOT,
                        """
            <figure><h3>%1$s</h3>
            %2$s<details><summary>The figures</summary><div class="scroll" tabindex="0"><table><caption>%1$s of each run</caption>\
            <thead><tr><th scope="col">run</th><th scope="col">started</th><th scope="col" class="n">%1$s</th></tr></thead><tbody>
            %3$s</tbody></table></div></details>
            </figure>
            """,
                        figure.label(),
                        new Plot(figure, runs, changes).svg(),
                        rows(figure, trend.runs())));
            }
        }
        return String.format(
                Locale.ROOT, """
            <section>
            <h2>%s</h2>
            <p class="note">%s</p>
            %s
            %s</section>
            """, escape(trend.test()), escape(TrendText.runs(trend)), changes(trend), figures);
    }

    private static String changes(Trend trend) {
        return trend.changes().isEmpty()
                ? "<p>No change found.</p>"
                : trend.changes().stream()
                        .map(change -> item(change, trend.runs()))
                        .collect(Collectors.joining("", "<ul>\n", "</ul>"));
    }

    private static String item(Change change, List<KeptRun> runs) {
        return "<li class=\"" + change.direction() + "\">" + escape(TrendText.sentence(change, runs))
                + change.alsoChanged().stream()
                        .map(other -> "<br>with it changed: " + escape(other))
                        .collect(Collectors.joining())
                + "</li>\n";
    }

    private static String rows(Figure figure, List<KeptRun> runs) {
        StringBuilder rows = new StringBuilder();
        for (KeptRun run : runs) {
            Double value = run.figures().get(figure);
            rows.append(String.format(
                    Locale.ROOT,
                    "<tr><th scope=\"row\">%s</th><td>%s</td><td class=\"n\">%s</td></tr>%n",
                    escape(run.id()),
                    escape(run.startedAt()),
                    value == null ? "-" : TrendText.value(figure, value)));
        }
        return rows.toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    /** The values of a figure from run to run as an SVG: a point per run, a line per level. */
    private record Plot(Figure figure, List<KeptRun> runs, List<Change> changes, double min, double max) {
        private static final int WIDTH = 1000;
        private static final int HEIGHT = 220;
        private static final int LEFT = 90;
        private static final int EDGE = 12;
        private static final int BOTTOM = 26;

        /** Share of the range that remains free above and below. */
        private static final double MARGIN = 0.08;

        /** @param runs at least two, all of which have the figure */
        Plot(Figure figure, List<KeptRun> runs, List<Change> changes) {
            this(
                    figure,
                    runs,
                    changes,
                    runs.stream().mapToDouble(r -> r.value(figure)).min().orElseThrow(),
                    runs.stream().mapToDouble(r -> r.value(figure)).max().orElseThrow());
        }

        String svg() {
            StringBuilder svg = new StringBuilder(Rounded.format(
                    "<svg class=\"trend\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
                    WIDTH, HEIGHT, escape(description())));
            for (double value : new double[] {min, (min + max) / 2, max}) {
                line(svg, "grid", LEFT, WIDTH - EDGE, y(value), y(value));
                text(svg, LEFT - 8, y(value) + 5, " text-anchor=\"end\"", TrendText.value(figure, value));
            }
            text(svg, LEFT, HEIGHT - 6, "", TrendText.day(runs.get(0)));
            text(svg, WIDTH - EDGE, HEIGHT - 6, " text-anchor=\"end\"", TrendText.day(runs.get(runs.size() - 1)));
            levels(svg);
            for (int i = 0; i < runs.size(); i++) {
                KeptRun run = runs.get(i);
                svg.append(Rounded.format(
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>%s, %s: %s</title></circle>%n",
                        x(i),
                        y(run.value(figure)),
                        escape(run.id()),
                        escape(run.startedAt()),
                        TrendText.value(figure, run.value(figure))));
            }
            return svg.append("</svg>\n").toString();
        }

        private String description() {
            String at = changes.stream().map(c -> Integer.toString(c.at() + 1)).collect(Collectors.joining(", "));
            return figure.label() + " of " + runs.size() + " runs, from " + TrendText.value(figure, min) + " to "
                    + TrendText.value(figure, max)
                    + (changes.isEmpty() ? "; no change found" : "; changes at run " + at);
        }

        /** A line per level, and one at each change. Without a change there is no level to show. */
        private void levels(StringBuilder svg) {
            for (int i = 0; i < changes.size(); i++) {
                Change change = changes.get(i);
                int from = i == 0 ? 0 : changes.get(i - 1).at();
                int to = i + 1 < changes.size() ? changes.get(i + 1).at() : runs.size();
                line(svg, "level", x(from), x(change.at() - 1), y(change.before()), y(change.before()));
                line(svg, "level", x(change.at()), x(to - 1), y(change.after()), y(change.after()));
                double at = (x(change.at() - 1) + x(change.at())) / 2;
                line(svg, change.direction(), at, at, EDGE, HEIGHT - BOTTOM);
            }
        }

        private static void line(StringBuilder svg, String style, double x1, double x2, double y1, double y2) {
            svg.append(Rounded.format(
                    "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>%n", style, x1, x2, y1, y2));
        }

        private static void text(StringBuilder svg, double x, double y, String attributes, String text) {
            svg.append(Rounded.format("<text x=\"%.1f\" y=\"%.1f\"%s>%s</text>%n", x, y, attributes, escape(text)));
        }

        private double x(int run) {
            return LEFT + EDGE + (WIDTH - LEFT - 3.0 * EDGE) * run / (runs.size() - 1);
        }

        /** The range of the values, with free space, takes the whole height. */
        private double y(double value) {
            double free = MARGIN * (max > min ? max - min : max);
            return EDGE + (HEIGHT - EDGE - BOTTOM) * (max + free - value) / (max - min + 2 * free);
        }
    }
}
