package io.pgstress.report.file;

import io.pgstress.report.format.Figures;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CSV with one row per interval. */
public final class IntervalCsvReport extends CsvReport {
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
        return "CSV with one row per interval.";
    }

    @Override
    List<String> header() {
        List<String> header = new ArrayList<>(COLUMNS);
        header.addAll(timeColumns(KINDS));
        header.addAll(List.of("rows_per_second", "mb_per_second")); // last, because they were added later
        return header;
    }

    @Override
    List<List<String>> rows(RunResult result) {
        return result.intervals().stream()
                .map(interval -> row(result.run().id(), interval))
                .toList();
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
                cell(i.inMbitPerSecond()),
                cell(i.outMbitPerSecond()),
                cell(i.clientCpuCores()),
                counts(i.errors())));
        List<@Nullable Latency> times =
                Arrays.asList(i.totalMicros(), i.acquireMicros(), i.serviceMicros(), i.responseMicros(), i.lagMicros());
        times.forEach(latency -> row.addAll(times(latency)));
        row.add(Figures.plain(i.rowsPerSecond()));
        row.add(cell(i.megabytesPerSecond()));
        return row;
    }
}
