package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.report.MoreSamples;
import io.pgstress.report.Samples;
import io.pgstress.result.Latency;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.Rehearsal.Answer;
import io.pgstress.result.Rehearsal.ObservedTime;
import io.pgstress.result.Rehearsal.RehearsedOperation;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.Validity;
import io.pgstress.text.Records;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What follows from the findings of a rehearsal. */
final class RehearsalAnswerTest {
    private static final String NAME = "find_by_customer";

    private static final Remark OVERLOAD = RemarkCode.OVERLOAD
            .with("served", 3_000.0)
            .with("due", 4_000.0)
            .with("backlog", 9_000L)
            .remark();

    private static final Remark LOST = RemarkCode.WRITES_DISCARDED
            .with("operation", "update_by_id")
            .with("rows", 3L)
            .with("kind", "update")
            .remark();

    private static final Remark FULL_CLIENT =
            RemarkCode.CLIENT_CPU.with("cores", 3.9).with("cpus", 4).remark();

    /** Operations of 4.9 ms at 4,000 per second, of at most 8,200. */
    private static Rehearsal rehearsal(List<Remark> reasons, List<Remark> warnings) {
        LatencyHistogram times = new LatencyHistogram();
        for (int i = 0; i < 1_000; i++) {
            times.record(4_900_000);
        }
        RunResult run = Samples.open().withRemarks(reasons, warnings);
        RunResult load = run.with(Records.with(
                run.load(),
                "operations",
                Map.of(NAME, Samples.operation(1_000, Map.of(), Map.of("total", Latency.of(times))))));
        return with(with(MoreSamples.rehearsal().withLoad(load), "collections", List.of()), "operations", List.of());
    }

    private static Rehearsal with(Rehearsal rehearsal, String name, Object value) {
        return Records.with(rehearsal, name, value);
    }

    private static Rehearsal with(Rehearsal rehearsal, double millis, @Nullable Double highest) {
        ObservedTime median = new ObservedTime(millis, highest);
        return with(
                with(rehearsal, "observedRate", 4_000.0),
                "operations",
                List.of(new RehearsedOperation(
                        NAME, 1, median, null, 1.0, List.of("customer"), List.of("Index Scan"), false, List.of())));
    }

    private static void assertJudged(Rehearsal rehearsal, Answer answer, boolean isValid, RemarkCode... because) {
        Rehearsal judged = RehearsalAnswer.judged(rehearsal);
        assertThat(judged.because()).extracting(Remark::code).containsExactly(because);
        assertThat(judged.answer()).isEqualTo(answer);
        assertThat(judged.valid()).isEqualTo(isValid);
        assertThat(judged.exceedsLimit()).isEqualTo(answer == Answer.NO_GO);
    }

    @Test
    void goesWithoutAReasonAgainstIt() {
        assertJudged(rehearsal(List.of(), List.of()), Answer.GO, true);
    }

    @Test
    void slowerThanInMongoDbIsARemark() {
        Rehearsal found = rehearsal(List.of(), List.of());

        assertJudged(with(found, 2, 3.0), Answer.GO_WITH_REMARKS, true, RemarkCode.SLOWER_THAN_MONGODB);
        assertJudged(with(found, 2, 4.0), Answer.GO, true); // 4 ms stand for less than 5
        assertJudged(with(found, 2, null), Answer.GO, true);
        assertJudged(with(with(found, 2, 3.0), "observedRate", 1_000.0), Answer.GO, true);
        assertJudged(
                with(rehearsal(List.of(OVERLOAD), List.of()), 2, 3.0), Answer.NO_GO, true, RemarkCode.RATE_NOT_REACHED);
    }

    @Test
    void overloadIsAnAnswerUnlessTheClientIsTheLimit() {
        assertJudged(rehearsal(List.of(OVERLOAD), List.of()), Answer.NO_GO, true, RemarkCode.RATE_NOT_REACHED);
        assertJudged(rehearsal(List.of(OVERLOAD), List.of(FULL_CLIENT)), Answer.UNKNOWN, false);
        assertJudged(rehearsal(List.of(), List.of(FULL_CLIENT)), Answer.GO, true);
    }

    @Test
    void nothingFollowsFromTheTimesOfALoadThatIsNotValid() {
        Remark other = RemarkCode.NO_SUCCESS.remark();

        assertJudged(with(rehearsal(List.of(other), List.of()), 2, 3.0), Answer.UNKNOWN, false);
        assertJudged(rehearsal(List.of(OVERLOAD, other), List.of()), Answer.UNKNOWN, false);
    }

    @Test
    void lostWritesAreAnAnswer() {
        assertJudged(rehearsal(List.of(LOST), List.of()), Answer.NO_GO, true, RemarkCode.ACKNOWLEDGED_WRITES_LOST);
    }

    @Test
    void theHighestRateLeavesARoomForPeaks() {
        Rehearsal found = rehearsal(List.of(), List.of());

        assertJudged(with(found, "rate", 7_500.0), Answer.GO_WITH_REMARKS, true, RemarkCode.LITTLE_HEADROOM);
        assertJudged(with(found, "rate", 9_000.0), Answer.NO_GO, true, RemarkCode.LIMIT_NOT_KEPT);
        Rehearsal unclear = with(
                with(found, "rate", 9_000.0),
                "search",
                Records.with(
                        MoreSamples.rateSearch(),
                        "validity",
                        new Validity(false, List.of(RemarkCode.RATE_NOT_CONFIRMED.remark()), List.of())));
        assertJudged(unclear, Answer.GO, true);
        assertThat(RehearsalAnswer.judged(unclear).warnings())
                .extracting(Remark::code)
                .containsExactly(RemarkCode.RATE_NOT_CONFIRMED);
    }
}
