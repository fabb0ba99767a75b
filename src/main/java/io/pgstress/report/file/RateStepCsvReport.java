package io.pgstress.report.file;

import io.pgstress.report.format.Figures;
import io.pgstress.result.RateStep;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.List;

/** CSV with one row per step of an open load's target rate. */
public final class RateStepCsvReport extends CsvReport {
    private static final List<String> COLUMNS =
            List.of("run", "started_at", "from_seconds", "seconds", "target_rate", "ops_per_second", "backlog", "knee");

    @Override
    public String name() {
        return "csv-steps";
    }

    @Override
    public String description() {
        return "CSV with one row per step of --rate.";
    }

    @Override
    List<String> header() {
        List<String> header = new ArrayList<>(COLUMNS);
        header.addAll(timeColumns(List.of("response")));
        return header;
    }

    @Override
    List<List<String>> rows(RunResult result) {
        return result.load().open().rateSteps().stream()
                .map(step -> row(result, step))
                .toList();
    }

    private static List<String> row(RunResult result, RateStep step) {
        List<String> row = new ArrayList<>(List.of(
                result.run().id(),
                result.run().startedAt(),
                Figures.plain(step.fromSeconds()),
                Figures.plain(step.seconds()),
                Figures.plain(step.targetRate()),
                Figures.plain(step.opsPerSecond()),
                Long.toString(step.backlog()),
                Boolean.toString(step.knee())));
        row.addAll(times(step.responseMicros()));
        return row;
    }
}
