package io.pgstress.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.RunResult;
import io.pgstress.testing.ResultSchema;
import io.pgstress.verdict.ResultMerge;
import io.pgstress.verdict.ResultMergeTest;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ResultSchemaTest {
    static Stream<RunResult> results() {
        return Stream.of(
                Samples.closed(),
                Samples.open(),
                Samples.nothing(),
                BulkSample.run(),
                HostsSample.threeHosts(),
                ResultMerge.of(List.of(Samples.closed(), renamed(Samples.closed()))));
    }

    private static RunResult renamed(RunResult r) {
        return ResultMergeTest.host("other", 9, r.load().outages());
    }

    @ParameterizedTest
    @MethodSource("results")
    void resultsMatchTheSchema(RunResult result) throws IOException {
        assertThat(new ResultSchema().problems(ReportsTest.text(Reports.JSON, result)))
                .isEmpty();
    }

    @Test
    void otherResultsMatchTheirSchemas() throws IOException {
        assertThat(new ResultSchema("comparison").problems(ReportsTest.text(Reports.JSON, MoreSamples.comparison())))
                .isEmpty();
        assertThat(new ResultSchema("rate-search").problems(ReportsTest.text(Reports.JSON, MoreSamples.rateSearch())))
                .isEmpty();
        assertThat(new ResultSchema("rehearsal").problems(ReportsTest.text(Reports.JSON, MoreSamples.rehearsal())))
                .isEmpty();
        assertThat(new ResultSchema("scaling").problems(ReportsTest.text(Reports.JSON, MoreSamples.scaling())))
                .isEmpty();
    }

    @Test
    void schemaReportsProblems() throws IOException {
        String json = ReportsTest.text(Reports.JSON, Samples.closed());

        assertThat(new ResultSchema().problems(json.replace("\"misses\" : 0", "\"misses\" : -1")))
                .anyMatch(p -> p.contains("misses"));
        assertThat(new ResultSchema().problems(json.replace("\"valid\"", "\"invalid\"")))
                .anyMatch(p -> p.contains("valid"));
    }
}
