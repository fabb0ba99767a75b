package io.pgstress.report.file;

import io.pgstress.report.format.Figures;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Comma-separated values, a row an interval. */
public final class IntervalCsvReport implements ReportWriter {
    private static final List<String> COLUMNS = List.of(
            "run",
            "at_seconds",
            "seconds",
            "phase",
            "ok",
            "failed",
            "misses",
            "duplicates",
            "late",
            "ops_per_second",
            "target_rate",
            "backlog",
            "in_mbit_per_second",
            "out_mbit_per_second",
            "client_cpu_cores",
            "errors");
    private static final List<String> KINDS = List.of("total", "acquire", "service", "response", "lag");

    @Override
    public String name() {
        return "csv";
    }

    @Override
    public String description() {
        return "Comma-separated values, a row an interval.";
    }

    @Override
    public void write(List<? extends Result> findings, Appendable out) throws IOException {
        List<String> header = new ArrayList<>(COLUMNS);
        header.addAll(CsvCells.timeHeaders(KINDS));
        header.addAll(CsvCells.ROW_RATES);
        CsvCells.line(header, out);
        for (RunResult result : ReportWriter.runs(findings)) {
            for (IntervalResult interval : result.intervals()) {
                CsvCells.line(row(result.run().id(), interval), out);
            }
        }
    }

    private static List<String> row(String run, IntervalResult i) {
        List<String> row = new ArrayList<>(List.of(
                run,
                Figures.plain(i.atSeconds()),
                Figures.plain(i.seconds()),
                i.phase(),
                Long.toString(i.ok()),
                Long.toString(i.failed()),
                Long.toString(i.misses()),
                Long.toString(i.duplicates()),
                Long.toString(i.late()),
                Figures.plain(i.opsPerSecond()),
                i.targetRate() == null ? "" : Figures.plain(i.targetRate()),
                i.backlog() == null ? "" : i.backlog().toString(),
                Figures.plain(i.inMbitPerSecond()),
                Figures.plain(i.outMbitPerSecond()),
                Figures.plain(i.clientCpuCores()),
                CsvCells.counts(i.errors())));
        List<@Nullable Latency> times =
                Arrays.asList(i.totalMicros(), i.acquireMicros(), i.serviceMicros(), i.responseMicros(), i.lagMicros());
        times.forEach(latency -> row.addAll(CsvCells.times(latency)));
        row.add(Figures.plain(i.rowsPerSecond()));
        row.add(CsvCells.rate(i.megabytesPerSecond()));
        return row;
    }
}
