package io.pgstress.report.file;

import io.pgstress.report.format.Figures;
import io.pgstress.result.RateStep;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Comma-separated values, one row per step of an open load's target rate. */
public final class RateStepCsvReport implements ReportWriter {
    private static final List<String> COLUMNS =
            List.of("run", "started_at", "from_seconds", "seconds", "target_rate", "ops_per_second", "backlog", "knee");

    @Override
    public String name() {
        return "csv-steps";
    }

    @Override
    public String description() {
        return "Comma-separated values, one row per step of --rate.";
    }

    @Override
    public void write(List<? extends Result> findings, Appendable out) throws IOException {
        List<String> header = new ArrayList<>(COLUMNS);
        header.addAll(CsvCells.timeHeaders(List.of("response")));
        CsvCells.line(header, out);
        for (RunResult result : ReportWriter.runs(findings)) {
            for (RateStep step : result.rateSteps()) {
                List<String> row = new ArrayList<>(List.of(
                        result.run().id(),
                        result.run().startedAt(),
                        Figures.plain(step.fromSeconds()),
                        Figures.plain(step.seconds()),
                        Figures.plain(step.targetRate()),
                        Figures.plain(step.opsPerSecond()),
                        Long.toString(step.backlog()),
                        Boolean.toString(step.knee())));
                row.addAll(CsvCells.times(step.responseMicros()));
                CsvCells.line(row, out);
            }
        }
    }
}
