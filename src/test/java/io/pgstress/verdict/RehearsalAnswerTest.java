package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.report.MoreSamples;
import io.pgstress.report.Samples;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.ErrorCount;
import io.pgstress.result.RateSearch;
import io.pgstress.result.RateSearch.KeptLimit;
import io.pgstress.result.RateSearch.TriedRate;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.Rehearsal.Answer;
import io.pgstress.result.Rehearsal.ObservedTime;
import io.pgstress.result.Rehearsal.ProfilePart;
import io.pgstress.result.Rehearsal.RehearsedOperation;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RemarkText.Figure;
import io.pgstress.result.RunResult;
import io.pgstress.result.Validity;
import io.pgstress.text.Records;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    private static final Remark NO_SUCCESS_OF = RemarkCode.NO_SUCCESS_OF
            .with("operation", NAME)
            .with("failed", 600L)
            .remark();

    private static final Remark OTHER = RemarkCode.HUNG_CLIENTS
            .with("clients", 1)
            .with("waiting", Map.of("find_by_customer", 1))
            .remark();

    private static final Remark FULL_CLIENT =
            RemarkCode.CLIENT_CPU.with("cores", 3.9).with("cpus", 4).remark();

    private static Rehearsal rehearsal(List<Remark> reasons, List<Remark> warnings) {
        return rehearsal(1_000, reasons, warnings);
    }

    /** Operations of 4.9 ms at 4,000 per second, of at most 8,200. */
    private static Rehearsal rehearsal(int operations, List<Remark> reasons, List<Remark> warnings) {
        LatencyHistogram times = new LatencyHistogram();
        for (int i = 0; i < operations; i++) {
            times.record(4_900_000);
        }
        RunResult run = Samples.open().withRemarks(reasons, warnings);
        RunResult load = run.with(Records.with(
                run.load(),
                "operations",
                Map.of(
                        NAME,
                        Samples.operation(
                                1_000, Map.of(), Map.of("total", Latency.of(times), "response", Latency.of(times))))));
        Rehearsal rehearsal =
                with(with(MoreSamples.rehearsal().withLoad(load), "collections", List.of()), "operations", List.of());
        return with(rehearsal, "profile", new ProfilePart(1_000, 0, Map.of()));
    }

    private static Rehearsal with(Rehearsal rehearsal, String name, @Nullable Object value) {
        return Records.with(rehearsal, name, value);
    }

    private static Rehearsal with(Rehearsal rehearsal, double millis, @Nullable Double highest) {
        ObservedTime median = new ObservedTime(millis, highest);
        return with(
                with(rehearsal, "observedRate", 4_000.0),
                "operations",
                List.of(new RehearsedOperation(
                        NAME, 1, median, null, List.of("customer"), List.of("Index Scan"), false, List.of())));
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
        assertThat(RehearsalAnswer.judged(rehearsal(List.of(OVERLOAD, OTHER), List.of(FULL_CLIENT)))
                        .reasons())
                .containsExactly(OTHER);
        assertJudged(rehearsal(List.of(), List.of(FULL_CLIENT)), Answer.GO, true);
        Rehearsal little = with(rehearsal(List.of(), List.of(FULL_CLIENT)), "rate", 7_500.0);
        assertJudged(little, Answer.GO_WITH_REMARKS, true, RemarkCode.HEADROOM_UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "CLIENT_CPU",
                "GENERATOR_CEILING",
                "GENERATOR_IS_LIMIT",
                "OTHERS_FILLED_MACHINE",
                "CLIENT_HOST_FILLED"
            })
    void whateverSaysThatAnotherWasTheLimitLeavesTheAnswerOpen(RemarkCode code) {
        assertJudged(rehearsal(List.of(OVERLOAD), List.of(remark(code))), Answer.UNKNOWN, false);
    }

    private static Remark remark(RemarkCode code) {
        Iterator<Figure> figures = code.figures().values().iterator();
        if (!figures.hasNext()) {
            return code.remark();
        }
        Figure first = figures.next();
        Remark.Builder remark = code.with(first.name(), value(first));
        figures.forEachRemaining(figure -> remark.with(figure.name(), value(figure)));
        return remark.remark();
    }

    private static Object value(Figure figure) {
        return figure.conversion().isEmpty() ? "x" : figure.isWhole() ? (Object) 3L : (Object) 3.0;
    }

    /** Otherwise an overloaded server looks faster than MongoDB. */
    @Test
    void timesOfAnOverloadedServerIncludeTheWaits() {
        Rehearsal kept = rehearsal(List.of(), List.of());
        Rehearsal overloaded = rehearsal(List.of(OVERLOAD), List.of());

        assertThat(kept.times(NAME)).isSameAs(latency(kept, "total"));
        assertThat(overloaded.times(NAME)).isSameAs(latency(overloaded, "response"));
    }

    private static @Nullable Latency latency(Rehearsal rehearsal, String kind) {
        return rehearsal.load().operations().get(NAME).latencyMicros().get(kind);
    }

    @Test
    void nothingFollowsFromTheTimesOfALoadThatIsNotValid() {
        assertJudged(with(rehearsal(List.of(OTHER), List.of()), 2, 3.0), Answer.UNKNOWN, false);
        assertJudged(rehearsal(List.of(OVERLOAD, OTHER), List.of()), Answer.UNKNOWN, false);
    }

    @Test
    void lostWritesAreAnAnswer() {
        assertJudged(rehearsal(List.of(LOST), List.of()), Answer.NO_GO, true, RemarkCode.ACKNOWLEDGED_WRITES_LOST);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "UNLOGGED_ROWS_LOST",
                "INSERTS_MISSING",
                "ROWS_MISSING",
                "ROWS_SURPLUS",
                "ROWS_DIFFER",
                "IDS_DIFFER",
                "UPDATES_NOT_COUNTED",
                "UPDATES_MISSING",
                "WRITES_DISCARDED",
                "COUNTS_DIFFER",
                "ROWS_DISCARDED"
            })
    void whateverSaysThatWritesWereLostIsAnAnswer(RemarkCode code) {
        assertJudged(
                rehearsal(List.of(remark(code)), List.of()), Answer.NO_GO, true, RemarkCode.ACKNOWLEDGED_WRITES_LOST);
    }

    /** The load is short, and has none: only the trials of the search do. */
    @Test
    void operationsThatDoNothingAreARemark() {
        Remark misses = RemarkCode.MISSES
                .with("percent", 5.0)
                .with("operation", NAME)
                .with("table", null)
                .remark();
        Rehearsal found = with(
                rehearsal(List.of(), List.of()),
                "search",
                Records.with(MoreSamples.rateSearch(), "validity", new Validity(true, List.of(), List.of(misses))));

        assertJudged(found, Answer.GO_WITH_REMARKS, true, RemarkCode.OPERATION_FINDS_NOTHING);
        assertJudged(
                rehearsal(List.of(), List.of(misses)),
                Answer.GO_WITH_REMARKS,
                true,
                RemarkCode.OPERATION_FINDS_NOTHING);
    }

    @Test
    void operationsThatDidNotRunAreARemark() {
        Rehearsal found = with(rehearsal(List.of(), List.of()), 5.0, 6.0);
        RunResult load = found.load();
        OperationResult none =
                Records.with(Objects.requireNonNull(load.operations().get(NAME)), "ok", 0L);

        assertJudged(
                found.withLoad(load.with(Records.with(load.load(), "operations", Map.of(NAME, none)))),
                Answer.GO_WITH_REMARKS,
                true,
                RemarkCode.OPERATIONS_NOT_RUN);
    }

    @Test
    void theHighestRateLeavesARoomForPeaks() {
        Rehearsal found = rehearsal(List.of(), List.of());

        assertJudged(with(found, "rate", 7_500.0), Answer.GO_WITH_REMARKS, true, RemarkCode.LITTLE_HEADROOM);
        assertJudged(with(found, "rate", 9_000.0), Answer.NO_GO, true, RemarkCode.LIMIT_NOT_KEPT);
    }

    @Test
    void withoutAConfirmedRateTheLoadAndTheTrialsDecide() {
        Rehearsal unclear = with(
                rehearsal(List.of(), List.of()),
                "search",
                Records.with(
                        MoreSamples.rateSearch(),
                        "validity",
                        new Validity(false, List.of(RemarkCode.RATE_NOT_CONFIRMED.remark()), List.of())));
        RateSearch search = Objects.requireNonNull(unclear.search());
        double held = search.tried().stream()
                .filter(TriedRate::held)
                .mapToDouble(TriedRate::rate)
                .max()
                .orElseThrow();

        assertJudged(with(unclear, "rate", held / 1.2), Answer.GO, true);
        assertJudged(with(unclear, "rate", held), Answer.GO_WITH_REMARKS, true, RemarkCode.HEADROOM_UNKNOWN);
        assertThat(RehearsalAnswer.judged(unclear).warnings())
                .extracting(Remark::code)
                .containsExactly(RemarkCode.RATE_NOT_CONFIRMED);
        Rehearsal short4ms =
                with(unclear, "search", Records.with(search, "limits", List.of(new KeptLimit("p99<4ms", 4_000, 0.01))));
        assertJudged(with(short4ms, "rate", held), Answer.GO_WITH_REMARKS, true, RemarkCode.HEADROOM_UNKNOWN);
        assertJudged(with(short4ms, "rate", held + 1), Answer.NO_GO, true, RemarkCode.LIMIT_NOT_KEPT);
    }

    @Test
    void aSearchThatFindsNoRateIsContradictedByALoadThatKeepsTheLimit() {
        Rehearsal found = rehearsal(List.of(), List.of());
        RateSearch none =
                Records.with(Records.with(Objects.requireNonNull(found.search()), "rate", null), "tried", List.of());

        assertJudged(with(found, "search", none), Answer.GO_WITH_REMARKS, true, RemarkCode.HEADROOM_UNKNOWN);
        RateSearch of4ms = Records.with(none, "limits", List.of(new KeptLimit("p99<4ms", 4_000, 0.01)));
        assertJudged(with(found, "search", of4ms), Answer.NO_GO, true, RemarkCode.LIMIT_NOT_KEPT);
        Rehearsal one = rehearsal(1, List.of(), List.of());
        assertJudged(with(one, "search", of4ms), Answer.NO_GO, true, RemarkCode.LIMIT_NOT_KEPT);
    }

    @Test
    void anOperationThatFailsIsAReason() {
        assertJudged(failing(600, NO_SUCCESS_OF), Answer.NO_GO, true, RemarkCode.OPERATION_FAILS);
        assertJudged(failing(600, NO_SUCCESS_OF, OVERLOAD), Answer.NO_GO, true, RemarkCode.OPERATION_FAILS);
        assertJudged(failing(600, NO_SUCCESS_OF, OTHER), Answer.NO_GO, false, RemarkCode.OPERATION_FAILS);
        assertJudged(failing(3), Answer.GO_WITH_REMARKS, true, RemarkCode.OPERATION_FAILS_AT_TIMES);
        Remark named = RehearsalAnswer.judged(failing(600)).because().get(0);
        assertThat(named.figures())
                .containsAllEntriesOf(Map.of("operation", NAME, "failed", 600L, "ended", 1_600L, "sqlstate", "22P02"));
    }

    /** An operation that failed so often for a reason of its own. */
    private static Rehearsal failing(long times, Remark... reasons) {
        Rehearsal found = rehearsal(List.of(reasons), List.of());
        RunResult load = found.load();
        OperationResult failing = Records.with(
                load.operations().get(NAME), "errors", Map.of("22P02", new ErrorCount(times, "invalid input syntax")));
        return found.withLoad(load.with(Records.with(load.load(), "operations", Map.of(NAME, failing))));
    }

    @Test
    void aLostConnectionIsNotTheFailureOfAnOperation() {
        Rehearsal found = rehearsal(List.of(OTHER), List.of());
        RunResult load = found.load();
        OperationResult lost = Records.with(
                load.operations().get(NAME),
                "errors",
                Map.of("08006", new ErrorCount(900, "lost"), "57P01", new ErrorCount(9, "shut down")));

        assertJudged(
                found.withLoad(load.with(Records.with(load.load(), "operations", Map.of(NAME, lost)))),
                Answer.UNKNOWN,
                false);
    }

    @Test
    void whatWasNotRehearsedIsARemark() {
        Rehearsal found = rehearsal(List.of(), List.of());

        assertJudged(
                with(found, "profile", new ProfilePart(1_000, 7, Map.of("shop.users", 80L))),
                Answer.GO_WITH_REMARKS,
                true,
                RemarkCode.OPERATIONS_NOT_TRANSLATED,
                RemarkCode.COLLECTIONS_NOT_REHEARSED);
        assertJudged(with(found, "profile", null), Answer.GO_WITH_REMARKS, true, RemarkCode.OPERATIONS_GUESSED);
        assertJudged(with(found, "rate", null), Answer.GO_WITH_REMARKS, true, RemarkCode.RATE_UNKNOWN);
    }
}
