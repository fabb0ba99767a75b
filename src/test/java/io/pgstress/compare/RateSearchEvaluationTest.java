package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.compare.LimitSearch.Found;
import io.pgstress.compare.Trial.Batch;
import io.pgstress.compare.Trial.Stage;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.plan.RateLimit;
import io.pgstress.report.Samples;
import io.pgstress.result.RateSearch;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.text.Records;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RateSearchEvaluationTest {
    private static final List<RateLimit> LIMITS = List.of(RateLimit.parse("p99<10ms"));

    private static Trial trial(double rate, Stage stage, long beyond) {
        return new Trial(
                rate, stage, 6, rate, null, 0, true, true, List.of(Collections.nCopies(12, new Batch(500, beyond, 0))));
    }

    /** A search in which this many of three confirmations of 1000 operations per second kept the limit. */
    private static RateSearch search(int held) {
        return search(held, Samples.closed());
    }

    private static RateSearch search(int held, RunResult ofEach) {
        List<Trial> trials = new ArrayList<>();
        trials.add(trial(1000, Stage.BISECTION, 1));
        trials.add(trial(1030, Stage.CONFIRMATION, 9));
        for (int i = 0; i < 3; i++) {
            trials.add(trial(1000, Stage.CONFIRMATION, i < held ? 1 : 9));
        }
        Found found = new Found(1200, trials, 1000.0, new Interval(1010, 990, 1020), 1030.0, held > 1, 0, true, null);
        List<RunResult> results = Collections.nCopies(trials.size(), ofEach);
        return RateSearchEvaluation.of(found, LIMITS, results, List.of());
    }

    @Test
    void rateThatMostConfirmationsKeptIsValid() {
        RateSearch found = search(3);

        assertThat(found.reasons()).extracting(Remark::code).doesNotContain(RemarkCode.RATE_NOT_CONFIRMED);
        assertThat(found.verdict().get(0)).contains("kept in 3 of 3 runs");
    }

    @Test
    void rateThatMostConfirmationsDidNotKeepIsNotValid() {
        RateSearch found = search(1);

        assertThat(found.valid()).isFalse();
        assertThat(found.reasons())
                .first()
                .isEqualTo(RemarkCode.RATE_NOT_CONFIRMED
                        .with("broke", 2)
                        .with("of", 4)
                        .with("trials", null)
                        .remark());
    }

    @Test
    void reasonOfTheSearchThatTheUserAcceptedIsAWarning() {
        RunResult run = Samples.closed();
        RunInfo accepting = Records.with(
                run.run(),
                "workload",
                Records.with(run.run().workload(), "accepted", List.of(RemarkCode.RATE_NOT_CONFIRMED)));

        RateSearch found = search(1, run.with(run.header().with(accepting)));

        assertThat(found.reasons()).extracting(Remark::code).doesNotContain(RemarkCode.RATE_NOT_CONFIRMED);
        assertThat(found.warnings())
                .filteredOn(warning -> warning.code() == RemarkCode.RATE_NOT_CONFIRMED)
                .hasSize(1);
    }

    /** At 1100, one of two trials kept the limit, so that it is neither below nor above it. */
    @Test
    void higherRatesThatWereTriedInVainAreTold() {
        List<Trial> trials = List.of(
                trial(1000, Stage.CONFIRMATION, 1),
                trial(1100, Stage.CONFIRMATION, 1),
                trial(1100, Stage.CONFIRMATION, 9));
        Found found = new Found(1200, trials, 1000.0, null, null, false, 0, true, null);

        RateSearch search = RateSearchEvaluation.of(found, LIMITS, Collections.nCopies(3, Samples.closed()), List.of());

        assertThat(search.verdict().get(0)).contains("1,100 ops/s").doesNotContain("no higher rate was tried");
        assertThat(search.reasons())
                .first()
                .isEqualTo(RemarkCode.RATE_NOT_CONFIRMED
                        .with("broke", null)
                        .with("of", 1)
                        .with("trials", 1)
                        .remark());
    }

    /** The share of operations that fail is the same at all rates, so that each is confirmed by chance or not at all. */
    @Test
    void noRateThatWasFoundMayBeTooHigh() {
        List<Trial> trials = List.of(
                trial(1000, Stage.BRACKETING, 1), trial(900, Stage.CONFIRMATION, 9), trial(900, Stage.CONFIRMATION, 9));
        Found found = new Found(1200, trials, null, null, null, false, 0, true, null);

        assertThat(RateSearchEvaluation.of(found, LIMITS, Collections.nCopies(3, Samples.closed()), List.of())
                        .reasons())
                .first()
                .isEqualTo(RemarkCode.NO_RATE_CONFIRMED
                        .with("broke", 2)
                        .with("of", 3)
                        .remark());
    }

    /** A single trial would only be a warning of its own. */
    @Test
    void machineThatOthersFilledWhenTheRateWasDecidedIsNotValid() {
        RunResult run = Samples.closed();
        RunResult filled = run.withRemarks(
                List.of(),
                List.of(RemarkCode.OTHERS_FILLED_MACHINE
                        .with("machine", "this machine")
                        .with("percent", 60.0)
                        .remark()));

        assertThat(search(3).reasons()).extracting(Remark::code).doesNotContain(RemarkCode.OTHERS_FILLED_SEARCH);
        assertThat(search(3, filled).reasons())
                .contains(RemarkCode.OTHERS_FILLED_SEARCH
                        .with("trials", 5L)
                        .with("of", 5)
                        .remark());
        RunResult perhapsByTheServer = run.withRemarks(
                List.of(),
                List.of(RemarkCode.CLIENT_HOST_FILLED.with("percent", 87.0).remark()));
        assertThat(search(3, perhapsByTheServer).reasons())
                .extracting(Remark::code)
                .contains(RemarkCode.OTHERS_FILLED_SEARCH);
    }

    @Test
    void generatorNearItsCeilingAtTheBrokenRateIsTheLimit() {
        RunResult run = Samples.closed();
        RunResult nearCeiling = run.withRemarks(
                run.reasons(),
                List.of(RemarkCode.GENERATOR_CEILING
                        .with("percent", 80.0)
                        .with("rate", 800.0)
                        .with("ceiling", 1000.0)
                        .remark()));

        assertThat(search(3).warnings()).extracting(Remark::code).doesNotContain(RemarkCode.GENERATOR_IS_LIMIT);
        assertThat(search(3, nearCeiling).warnings()).extracting(Remark::code).contains(RemarkCode.GENERATOR_IS_LIMIT);
    }
}
