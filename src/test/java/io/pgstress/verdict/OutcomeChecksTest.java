package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When the outcomes of operations make a result not valid, or cause a warning. */
final class OutcomeChecksTest {
    @Test
    void warnsAboutMisses() {
        Remarks remarks = new Remarks();
        OutcomeChecks checks = new OutcomeChecks(remarks, "docs");
        checks.emptyHanded(
                Map.of("find_first", result(990, 10, 0), "find_insert", result(90, 0, 0)), Map.of(), List.of());
        assertThat(remarks.all()).isEmpty();
        checks.emptyHanded(Map.of("mine", result(98, 2, 0)), Map.of("find_first", 0.01), List.of());
        checks.emptyHanded(Map.of("mine", result(50, 0, 50)), Map.of("mine", 1.0), List.of());
        assertThat(remarks.all())
                .containsExactly(
                        RemarkCode.MISSES
                                .with("percent", 2.0)
                                .with("operation", "mine")
                                .with("table", "docs")
                                .remark(),
                        RemarkCode.DUPLICATES
                                .with("percent", 50.0)
                                .with("operation", "mine")
                                .remark());
    }

    @Test
    void missesAndDuplicatesTogetherHaveALimit() {
        Remarks remarks = new Remarks();
        OutcomeChecks checks = new OutcomeChecks(remarks, "docs");
        checks.emptyHanded(Map.of("find_first", result(99, 1, 0)), Map.of("find_first", 0.01), List.of());
        assertThat(remarks.all()).isEmpty();

        checks.emptyHanded(Map.of("find_insert", result(96, 2, 2)), Map.of("find_insert", 0.03), List.of());

        assertThat(remarks.reasons())
                .containsExactly(RemarkCode.TOO_MANY_MISSES
                        .with("percent", 4.0)
                        .with("operation", "find_insert")
                        .with("limit", "3%")
                        .with("misses", 2L)
                        .with("duplicates", 2L)
                        .with("table", "docs")
                        .remark());
    }

    /** Ids are read from the first server. */
    @Test
    void serverThatLacksRowsOfTheOthersIsNamed() {
        Remarks remarks = new Remarks();
        OutcomeChecks checks = new OutcomeChecks(remarks, "docs");
        List<NodeResult> nodes = List.of(
                node("jdbc:postgresql://a:5432/x?user=u", result(100, 0, 0)),
                node("jdbc:postgresql://b:5432/x?user=u", result(80, 20, 0)));
        checks.emptyHanded(Map.of("mine", result(180, 20, 0)), Map.of("mine", 0.01), nodes);
        checks.emptyHanded(Map.of("mine", result(180, 20, 0)), Map.of(), nodes);
        assertThat(remarks.all())
                .extracting(Remark::code, remark -> remark.figures().get("servers"))
                .containsExactly(tuple(RemarkCode.TOO_MANY_MISSES, "b:5432"), tuple(RemarkCode.MISSES, "b:5432"));
        assertThat(remarks.all())
                .allSatisfy(remark -> assertThat(remark.figures()).containsEntry("lacking", "b:5432"));

        Remarks alike = new Remarks();
        for (List<NodeResult> all : List.of(
                List.of(node("a", result(90, 10, 0)), node("b", result(90, 10, 0))),
                List.of(node("a", result(180, 20, 0))))) {
            new OutcomeChecks(alike, "docs").emptyHanded(Map.of("mine", result(180, 20, 0)), Map.of(), all);
        }
        assertThat(alike.all())
                .hasSize(2)
                .allSatisfy(remark -> assertThat(remark.figures()).doesNotContainKey("servers"));
    }

    /** Own SQL draws no ids, and a server does not lack what it holds itself. */
    @Test
    void rowsOfTheFirstServerAreAskedForOnlyIfIdsAreReadFromItAndMissedElsewhere() {
        assertThat(lacking("docs", List.of(0, 20, 20))).containsExactly("b, c", "b, c");
        assertThat(lacking(null, List.of(0, 20, 20))).containsExactly(null, null);
        assertThat(lacking("docs", List.of(20, 0, 0))).containsExactly(null, null);
        assertThat(lacking("docs", List.of(20, 20, 0))).containsExactly(null, null);
    }

    /**
     * The servers that may lack ids, by the remark beyond the limit and the one without a limit.
     *
     * @param misses of servers a, b and c
     */
    private static List<@Nullable Object> lacking(@Nullable String table, List<Integer> misses) {
        Remarks remarks = new Remarks();
        OutcomeChecks checks = new OutcomeChecks(remarks, table);
        List<NodeResult> nodes = IntStream.range(0, misses.size())
                .mapToObj(n -> node(List.of("a", "b", "c").get(n), result(100, misses.get(n), 0)))
                .toList();
        checks.emptyHanded(Map.of("mine", result(300, 40, 0)), Map.of("mine", 0.01), nodes);
        checks.emptyHanded(Map.of("mine", result(300, 40, 0)), Map.of(), nodes);
        assertThat(remarks.all())
                .hasSize(2)
                .allSatisfy(remark -> assertThat(remark.figures()).containsKey("servers"));
        List<@Nullable Object> lacking = new ArrayList<>();
        remarks.all().forEach(remark -> lacking.add(remark.figures().get("lacking")));
        return lacking;
    }

    private static NodeResult node(String url, OperationResult mine) {
        return new NodeResult(url, 1, Map.of("mine", mine), null, null, null);
    }

    @Test
    void tableIsToBeCheckedOnlyIfItsIdsWereDrawn() {
        assertThat(adviceOnMisses("docs")).contains("--table").contains("copy table");
        assertThat(adviceOnMisses(null))
                .contains("what the operation asks for")
                .doesNotContain("--table")
                .doesNotContain("copy table");
    }

    private static String adviceOnMisses(@Nullable String table) {
        Remarks remarks = new Remarks();
        new OutcomeChecks(remarks, table)
                .emptyHanded(Map.of("mine", result(90, 10, 0)), Map.of("mine", 0.01), List.of());
        return remarks.reasons().get(0).advice();
    }

    @Test
    void runThatEndedInItsWarmupMeasuredNothing() {
        Remarks remarks = new Remarks();
        new OutcomeChecks(remarks, "docs").operations(0.01, Map.of("find", result(0, 0, 0)), false);

        assertThat(remarks.all()).containsExactly(RemarkCode.NOTHING_MEASURED.remark());
    }

    @Test
    void errorsAreToBeReadOnlyIfThereAreAny() {
        OperationResult.ErrorCount deadlock = new OperationResult.ErrorCount(3, "deadlock");

        assertThat(withoutSuccess(result(0, 0, 0, Map.of("40P01", deadlock)))).contains(RemarkCode.NO_SUCCESS);
        assertThat(withoutSuccess(result(0, 2, 1))).containsExactly(RemarkCode.ONLY_MISSES);
        assertThat(withoutSuccess(result(0, 0, 0))).containsExactly(RemarkCode.NONE_ENDED);
    }

    /** One remark has all that is known of them. */
    @Test
    void errorsOfARunWithoutSuccessAreNamed() {
        Remarks remarks = new Remarks();
        OperationResult.ErrorCount missing = new OperationResult.ErrorCount(3, "no such table");
        new OutcomeChecks(remarks, "docs")
                .operations(0.01, Map.of("find", result(0, 0, 0, Map.of("42P01", missing))), true);

        assertThat(remarks.reasons().get(0))
                .isEqualTo(RemarkCode.NO_SUCCESS
                        .with("failed", 3L)
                        .with("sqlstate", "42P01")
                        .with("message", "no such table")
                        .remark());
    }

    private static List<RemarkCode> withoutSuccess(OperationResult operation) {
        Remarks remarks = new Remarks();
        new OutcomeChecks(remarks, "docs").operations(0.01, Map.of("find", operation), true);
        return remarks.all().stream().map(Remark::code).toList();
    }

    @Test
    void moreThanOnePercentOfFailuresIsNotValidByDefault() {
        assertThat(failed(100, 0).all()).isEmpty();
        Remarks few = failed(99, 1);
        assertThat(few.reasons()).isEmpty();
        assertThat(few.warnings())
                .containsExactly(RemarkCode.FAILED
                        .with("failed", 1)
                        .with("ended", 100)
                        .with("percent", 1.0)
                        .with("sqlstate", "40P01")
                        .with("message", "deadlock")
                        .remark());
        Remarks many = failed(98, 2);
        assertThat(many.reasons())
                .containsExactly(RemarkCode.TOO_MANY_FAILED
                        .with("failed", 2)
                        .with("ended", 100)
                        .with("percent", 2.0)
                        .with("limit", "1%")
                        .with("sqlstate", "40P01")
                        .with("message", "deadlock")
                        .remark());
    }

    /** The datanode of a Postgres-XL cluster crashed: one SQLSTATE stands for two faults. */
    @Test
    void mostFrequentMessageIsNamedAndNotTheFirstOfItsSqlstate() {
        Remarks remarks = new Remarks();
        OperationResult.ErrorCount errors = new OperationResult.ErrorCount(
                329,
                "Failed to receive more data from data node 16386",
                Map.of(
                        "Failed to receive more data from data node …",
                        4L,
                        "Could not begin transaction on data node.",
                        325L));
        new OutcomeChecks(remarks, "docs")
                .operations(0.01, Map.of("find", result(100, 0, 0, Map.of("XX000", errors))), true);

        assertThat(remarks.all().get(0).figures())
                .containsEntry("sqlstate", "XX000")
                .containsEntry("message", "Could not begin transaction on data node.");
    }

    private static Remarks failed(long ok, long failed) {
        Remarks remarks = new Remarks();
        new OutcomeChecks(remarks, "docs")
                .operations(
                        0.01,
                        Map.of(
                                "find_update",
                                result(
                                        ok,
                                        0,
                                        0,
                                        failed == 0
                                                ? Map.of()
                                                : Map.of("40P01", new OperationResult.ErrorCount(failed, "deadlock")))),
                        true);
        return remarks;
    }

    private static OperationResult result(long ok, long misses, long duplicates) {
        return result(ok, misses, duplicates, Map.of());
    }

    private static OperationResult result(
            long ok, long misses, long duplicates, Map<String, OperationResult.ErrorCount> errors) {
        return new OperationResult(
                ok, ok, misses, duplicates, 0, 0, 0, ok, errors, Map.of(), ok, ok, null, Map.of(), Map.of());
    }
}
