package io.pgstress.report.file;

import io.pgstress.report.format.Columns;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Comparison;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/** The saved results, one line each. */
public final class HistoryTable {
    private static final int TEXTS = 6;

    private HistoryTable() {}

    public static void print(List<History.Entry> entries, Appendable out) throws IOException {
        Columns<RunResult> ofRun = new Columns<RunResult>()
                .add(
                        "statement",
                        run -> Objects.requireNonNullElse(run.run().workload().statement(), ""))
                .add(
                        "pool",
                        run -> Objects.requireNonNullElse(run.run().workload().pool(), ""))
                .count("threads", RunResult::clients)
                .add("ops/s", run -> run.total().opsPerSecond(), Figures::rate)
                .part(run -> run.headline(run.total()), TextTable.TIMES.only("p99 ms"))
                .count("errors", run -> run.total().failed());
        Columns<Result> columns = new Columns<Result>()
                .add("run", History::shortId)
                .add("started", result -> result.run().startedAt())
                .add("what", HistoryTable::what)
                .add("table", result -> result.dataset().table())
                .part(result -> result instanceof RunResult run ? run : null, ofRun)
                .add("valid", HistoryTable::valid);
        TextTable.of(TEXTS, columns, entries.stream().map(History.Entry::result).toList())
                .appendTo(out);
    }

    /** What was run, in one word: the mix, or the kind of result. */
    static String what(Result finding) {
        if (finding instanceof RunResult run) {
            return run.mix();
        }
        return finding instanceof Comparison ? Comparison.KIND : Scaling.KIND;
    }

    public static String valid(Result finding) {
        return switch (finding.usability()) {
            case VALID -> "yes";
            case VALID_WITH_WARNINGS -> "with warnings";
            case NOT_VALID -> "no";
        };
    }
}
