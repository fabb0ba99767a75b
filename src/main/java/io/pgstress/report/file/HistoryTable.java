package io.pgstress.report.file;

import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Comparison;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.result.Workload;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/** The saved results, one line each. */
public final class HistoryTable {
    private static final int TEXTS = 6;

    private HistoryTable() {}

    public static void print(List<History.Entry> entries, Appendable out) throws IOException {
        TextTable table = new TextTable(
                TEXTS,
                List.of(
                        "run",
                        "started",
                        "what",
                        "table",
                        "statement",
                        "pool",
                        "threads",
                        "ops/s",
                        "p99 ms",
                        "errors",
                        "valid"));
        for (History.Entry entry : entries) {
            Result finding = entry.result();
            if (finding instanceof RunResult run) {
                table.add(row(run));
            } else {
                table.add(row(finding));
            }
        }
        table.appendTo(out);
    }

    /** What was run, in one word: the mix, or the kind of result. */
    static String what(Result finding) {
        if (finding instanceof RunResult run) {
            return run.mix();
        }
        return finding instanceof Comparison ? Comparison.KIND : Scaling.KIND;
    }

    private static List<String> row(RunResult run) {
        Workload workload = run.run().workload();
        OperationResult all = run.total();
        Latency latency = run.headline(all);
        return List.of(
                History.shortId(run),
                run.run().startedAt(),
                what(run),
                run.dataset().table(),
                Objects.toString(workload.statement(), ""),
                Objects.toString(workload.pool(), ""),
                Figures.count(run.clients()),
                Figures.rate(all.opsPerSecond()),
                latency == null ? "-" : Figures.millis(latency.p99()),
                Figures.count(all.failed()),
                valid(run));
    }

    private static List<String> row(Result finding) {
        String table = finding instanceof Comparison c
                ? c.dataset().table()
                : ((Scaling) finding).dataset().table();
        return List.of(
                History.shortId(finding),
                finding.run().startedAt(),
                what(finding),
                table,
                "-",
                "-",
                "-",
                "-",
                "-",
                "-",
                valid(finding));
    }

    public static String valid(Result finding) {
        return switch (finding.usability()) {
            case VALID -> "yes";
            case VALID_WITH_WARNINGS -> "with warnings";
            case NOT_VALID -> "no";
        };
    }
}
