package io.pgstress.report.page;

import io.pgstress.plan.FigureLimit;
import io.pgstress.report.BulkSample;
import io.pgstress.report.HostsSample;
import io.pgstress.report.MoreSamples;
import io.pgstress.report.Samples;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.Result;
import io.pgstress.result.Validity;
import io.pgstress.text.Records;
import io.pgstress.verdict.FigureLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The results of the pages that tests look at, by name. */
final class PageSamples {
    /** Results of real runs on a busy two-core machine, with intervals without histograms. */
    private static final Path RECORDED = Path.of("src/test/resources/report");

    private PageSamples() {}

    static List<Result> results(String name) throws IOException {
        return switch (name) {
            case "open" -> List.of(Samples.open());
            case "bulk" -> List.of(BulkSample.run());
            case "hosts" -> List.of(HostsSample.threeHosts());
            case "steps" ->
                List.of(FigureLimits.checked(
                        Samples.steps(), List.of(FigureLimit.parse("p99>20ms"), FigureLimit.parse("ops/s<7000"))));
            case "tenMinutes" -> List.of(Samples.tenMinutes());
            case "nothing" -> List.of(Samples.nothing());
            case "states" ->
                List.of(
                        Samples.closed(),
                        Samples.closed().withRemarks(List.of(), Samples.warnings("a warning", "another")),
                        Samples.closed()
                                .withRemarks(Samples.reasons("a node was gone", "more"), Samples.warnings("a warning")),
                        MoreSamples.comparison(),
                        MoreSamples.scaling());
            case "warnings" -> List.of(Samples.withFiveWarnings());
            case "scalingNotValid" ->
                List.of(Records.with(
                        MoreSamples.scaling(),
                        "validity",
                        new Validity(false, Samples.reasons("a node was gone"), List.of())));
            case "ownTables" -> List.of(MoreSamples.onOwnTables());
            case "comparison" -> List.of(MoreSamples.comparison());
            case "scaling" -> List.of(MoreSamples.scaling());
            case "rateSearch" -> List.of(MoreSamples.rateSearch());
            case "rehearsal" -> List.of(MoreSamples.rehearsal());
            case "everything" ->
                List.of(Samples.closed(), Samples.open(), MoreSamples.comparison(), MoreSamples.scaling());
            case "severalOfAKind" ->
                List.of(
                        MoreSamples.comparison(),
                        MoreSamples.comparison(),
                        MoreSamples.scaling(),
                        MoreSamples.scaling());
            case "several" -> List.of(Samples.closed(), Samples.open());
            case "closed" -> List.of(Samples.closed());
            default -> List.of(ResultFile.read(RECORDED.resolve(name + ".json")));
        };
    }
}
