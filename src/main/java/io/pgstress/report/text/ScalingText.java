package io.pgstress.report.text;

import io.pgstress.report.format.Columns;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Scaling;
import io.pgstress.result.Scaling.Coefficient;
import io.pgstress.result.Scaling.Point;
import io.pgstress.result.Scaling.Step;
import io.pgstress.text.Counted;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A climb of the number of clients as text and tables. */
final class ScalingText {
    private ScalingText() {}

    static TextReport of(Scaling scaling) {
        return new TextReport(
                "scaling of " + scaling.run().workload().mix() + " on "
                        + scaling.dataset().table(),
                scaling.verdict(),
                result(scaling).all(),
                List.of(steps(scaling), ratios(scaling)),
                List.of(),
                "",
                RunDetails.servers(scaling).all());
    }

    private static TextTable steps(Scaling scaling) {
        Scaling.Fit fit = scaling.fit();
        Columns<Step> columns = new Columns<Step>()
                .count("clients", Step::clients)
                .add("ops/s", Step::opsPerSecond, Figures::rate)
                .add("from", Step::low, Figures::rate)
                .add("to", Step::high, Figures::rate)
                .add("fitted", step -> fit == null ? null : fit.at(step.clients()), Figures::rate)
                .part(Step::latencyMicros, TextTable.TIMES.only("mean ms", "p50 ms", "p99 ms", "max ms"))
                .count("errors", Step::errors);
        return TextTable.of(0, columns, scaling.steps()).optional("fitted", "mean ms");
    }

    /** The evidence for the knee. */
    private static TextTable ratios(Scaling scaling) {
        Columns<Scaling.Ratio> columns = new Columns<Scaling.Ratio>()
                .count("clients, repeated", Scaling.Ratio::clients)
                .count("rounds", Scaling.Ratio::rounds)
                .decimal("% of best", r -> r.ratio() * 100, 1)
                .decimal("from", r -> r.low() * 100, 1)
                .decimal("to", r -> r.high() * 100, 1)
                .add("enough", r -> r.enough() == null ? "not decided" : r.enough() ? "yes" : "no");
        Scaling.KneeSearch search = scaling.kneeSearch();
        return TextTable.of(0, columns, search == null ? List.of() : search.ratios());
    }

    private static Facts result(Scaling scaling) {
        Facts facts = new Facts()
                .add("knee", scaling.knee() == null ? undetermined(scaling.kneeSearch()) : words(scaling.knee()))
                .add("peak", words(scaling.peak()));
        Scaling.Fit fit = scaling.fit();
        if (fit != null) {
            facts.add("one client", coefficient(fit.lambda(), 1, 0, "") + " ops/s by the fitted curve")
                    .add("contention", coefficient(fit.sigma(), 100, 1, "%") + " of each operation is serialized")
                    .add(
                            "coherency",
                            coefficient(fit.kappa(), 100, 3, "%")
                                    + " of an operation's time is added by each client for each other" + " client");
        }
        return facts;
    }

    private static String undetermined(Scaling.@Nullable KneeSearch search) {
        if (search == null) {
            return "";
        }
        return search.toClients() == null
                ? "not reached"
                : "not determined: between " + Figures.count(search.fromClients()) + " and "
                        + Figures.count(search.toClients()) + " clients";
    }

    private static String words(@Nullable Point p) {
        return p == null
                ? ""
                : Counted.of(p.clients(), "client") + ": " + Figures.rate(p.opsPerSecond()) + " ops/s, p99 "
                        + Figures.time(p.p99Micros());
    }

    private static String coefficient(Coefficient c, double scale, int decimals, String unit) {
        String interval = c.low() == null || c.high() == null
                ? ""
                : " (" + Figures.decimal(c.low() * scale, decimals) + unit + " to "
                        + Figures.decimal(c.high() * scale, decimals) + unit + ")";
        return Figures.decimal(c.value() * scale, decimals) + unit + interval;
    }
}
