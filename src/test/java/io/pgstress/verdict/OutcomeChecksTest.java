package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When the outcomes of operations make a result not valid, or cause a warning. */
final class OutcomeChecksTest {
    @Test
    void warnsAboutMisses() {
        Remarks remarks = new Remarks();
        new OutcomeChecks(remarks)
                .emptyHanded(Map.of("find_first", result(990, 10, 0), "find_insert", result(90, 0, 0)));
        assertThat(remarks.all()).isEmpty();
        new OutcomeChecks(remarks).emptyHanded(Map.of("find_first", result(98, 2, 0)));
        new OutcomeChecks(remarks).emptyHanded(Map.of("find_insert", result(50, 0, 50)));
        assertThat(Remark.texts(remarks.all()))
                .containsExactly(
                        "2.0% of find_first matched no row; misses are excluded from rates",
                        "50.0% of find_insert met a duplicate key; duplicates are excluded from rates");
    }

    @Test
    void moreThanOnePercentOfFailuresIsNotValidByDefault() {
        assertThat(failed(100, 0).all()).isEmpty();
        Remarks few = failed(99, 1);
        assertThat(few.reasons()).isEmpty();
        assertThat(Remark.texts(few.warnings()))
                .containsExactly(
                        "1 of 100 operations failed (1.00%); they are excluded from rates and times; most often"
                                + " 40P01: deadlock");
        Remarks many = failed(98, 2);
        assertThat(many.reasons()).isNotEmpty();
        assertThat(Remark.texts(many.reasons()))
                .containsExactly(
                        "2 of 100 operations failed (2.00%), more than --max-error-rate 1%; most often 40P01: deadlock");
    }

    private static Remarks failed(long ok, long failed) {
        Remarks remarks = new Remarks();
        new OutcomeChecks(remarks)
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
                                                : Map.of(
                                                        "40P01", new OperationResult.ErrorCount(failed, "deadlock")))));
        return remarks;
    }

    private static OperationResult result(long ok, long misses, long duplicates) {
        return result(ok, misses, duplicates, Map.of());
    }

    private static OperationResult result(
            long ok, long misses, long duplicates, Map<String, OperationResult.ErrorCount> errors) {
        return new OperationResult(ok, ok, misses, duplicates, 0, 0, 0, ok, errors, ok, ok, null, Map.of(), Map.of());
    }
}
