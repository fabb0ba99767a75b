package io.pgstress.report.text;

import io.pgstress.report.format.Columns;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.RateSearch;
import io.pgstress.result.RateSearch.TriedRate;
import java.util.List;

/** A search for the highest rate as text and a table. */
final class RateSearchText {
    private RateSearchText() {}

    static TextReport of(RateSearch search) {
        return new TextReport(
                "highest rate of " + search.run().workload().mix() + " on "
                        + search.dataset().table(),
                search.verdict(),
                new Facts()
                        .add("closed loop", Figures.rate(search.closedOpsPerSecond()) + " ops/s")
                        .all(),
                List.of(tried(search)),
                List.of(),
                ConsoleReport.OPEN,
                RunDetails.servers(search).all());
    }

    private static TextTable tried(RateSearch search) {
        Columns<TriedRate> columns = new Columns<TriedRate>()
                .add("rate", TriedRate::rate, Figures::rate)
                .add("stage", TriedRate::stage)
                .add("ops/s", TriedRate::opsPerSecond, Figures::rate)
                .part(TriedRate::responseMicros, TextTable.TIMES.only("p50 ms", "p99 ms", "max ms"));
        for (int i = 0; i < search.limits().size(); i++) {
            int limit = i;
            columns.decimal(
                    "% over " + search.limits().get(i).limit(),
                    t -> 100 * t.beyond().get(limit).share(),
                    2);
        }
        columns.count("errors", TriedRate::errors)
                .add("held", t -> t.held() ? "yes" : t.complete() ? "no" : "no (ended early)");
        return TextTable.of(2, columns, search.tried()).optional("max ms", "errors", "ops/s");
    }
}
