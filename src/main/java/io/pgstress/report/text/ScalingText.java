package io.pgstress.report.text;

import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Latency;
import io.pgstress.result.Scaling.Coefficient;
import io.pgstress.result.Scaling.Point;
import io.pgstress.result.Scaling.Step;
import io.pgstress.result.Scaling;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A climb of the number of clients as text and tables. */
final class ScalingText {
    private ScalingText() {}

    static TextReport of(Scaling scaling) {
        List<Fact> head = new ArrayList<>();
        scaling.servers()
                .forEach(s -> head.add(new Fact(
                        "server", SetupFacts.server(s, scaling.servers().size() == 1))));
        return new TextReport(
                "thread scaling of " + scaling.run().workload().mix() + " on "
                        + scaling.dataset().table(),
                head,
                List.of(steps(scaling), ratios(scaling)),
                ConsoleReport.CLOSED,
                scaling.verdict(),
                end(scaling));
    }

    private static TextTable steps(Scaling scaling) {
        TextTable table = new TextTable(
                0,
                List.of("clients", "ops/s", "from", "to", "fitted", "mean ms", "p50 ms", "p99 ms", "max ms", "errors"));
        for (Step step : scaling.steps()) {
            Latency l = step.latencyMicros();
            table.add(
                    Figures.count(step.clients()),
                    Figures.rate(step.opsPerSecond()),
                    step.low() == null ? "-" : Figures.rate(step.low()),
                    step.high() == null ? "-" : Figures.rate(step.high()),
                    fitted(scaling, step.clients()),
                    Figures.millis(l.mean()),
                    Figures.millis(l.p50()),
                    Figures.millis(l.p99()),
                    Figures.millis(l.max()),
                    Figures.count(step.errors()));
        }
        return table.optional("fitted", "mean ms");
    }

    /** The evidence for the knee. */
    private static TextTable ratios(Scaling scaling) {
        TextTable table = new TextTable(0, List.of("clients, repeated", "rounds", "% of best", "from", "to", "enough"));
        Scaling.KneeSearch search = scaling.kneeSearch();
        if (search != null) {
            for (Scaling.Ratio r : search.ratios()) {
                table.add(
                        Figures.count(r.clients()),
                        Figures.count(r.rounds()),
                        Figures.decimal(r.ratio() * 100, 1),
                        Figures.decimal(r.low() * 100, 1),
                        Figures.decimal(r.high() * 100, 1),
                        r.enough() == null ? "not decided" : r.enough() ? "yes" : "no");
            }
        }
        return table;
    }

    private static String fitted(Scaling scaling, int n) {
        Scaling.Fit fit = scaling.fit();
        return fit == null ? "-" : Figures.rate(fit.at(n));
    }

    private static List<Fact> end(Scaling scaling) {
        List<Fact> facts = new ArrayList<>();
        addPoint(facts, "knee", scaling.knee());
        if (scaling.knee() == null && scaling.kneeSearch() != null) {
            facts.add(new Fact("knee", undetermined(scaling.kneeSearch())));
        }
        addPoint(facts, "peak", scaling.peak());
        addPoint(facts, "within limit", scaling.withinLimit());
        Scaling.Fit fit = scaling.fit();
        if (fit != null) {
            facts.add(new Fact("one client", coefficient(fit.lambda(), 0) + " ops/s, fitted"));
            facts.add(new Fact("contention", coefficient(fit.sigma(), 5)));
            facts.add(new Fact("coherency", coefficient(fit.kappa(), 7)));
        }
        return facts;
    }

    private static String undetermined(Scaling.KneeSearch search) {
        return search.toClients() == null
                ? "not reached"
                : "not determined: between " + Figures.count(search.fromClients()) + " and "
                        + Figures.count(search.toClients()) + " clients";
    }

    private static void addPoint(List<Fact> facts, String label, @Nullable Point p) {
        if (p != null) {
            facts.add(new Fact(
                    label,
                    Figures.count(p.clients()) + " clients: " + Figures.rate(p.opsPerSecond()) + " ops/s, p99 "
                            + Figures.time(p.p99Micros())));
        }
    }

    private static String coefficient(Coefficient c, int decimals) {
        String interval = c.low() == null || c.high() == null
                ? ""
                : " (" + Figures.decimal(c.low(), decimals) + " to " + Figures.decimal(c.high(), decimals) + ")";
        return Figures.decimal(c.value(), decimals) + interval;
    }
}
