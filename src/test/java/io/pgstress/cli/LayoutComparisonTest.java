package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.MoreSamples;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.Rehearsal.Layout;
import io.pgstress.result.Rehearsal.TableBytes;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Validity;
import io.pgstress.text.Records;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which layout is named, by the intervals of comparisons. */
final class LayoutComparisonTest {
    private static final List<Layout> LAYOUTS = List.of(layout("as imported"), layout("indexes"), layout("lz4"));

    private static Layout layout(String name) {
        return new Layout(
                name, List.of("sql of " + name), new TableBytes(1_000_000, 0, name.length()), 1_000, null, 5.0);
    }

    private static Comparison compared(Effect... effects) {
        return Records.with(
                Records.with(MoreSamples.comparison(), "effects", List.of(effects)), "validity", Validity.NONE);
    }

    private static Effect rate(String variant, double ratio, String verdict) {
        return new Effect(variant, "opsPerSecond", ratio, 0.9 * ratio, 1.1 * ratio, verdict, 8, null, null, List.of());
    }

    private static Remark judged(Comparison found, Comparison withBest) {
        return LayoutComparison.judged(LAYOUTS, found, best -> withBest, layout -> List.of("update_" + layout));
    }

    @Test
    void theBestIsNamedWithWhatItCosts() {
        Remark named = judged(
                compared(rate("indexes", 3, "faster"), rate("lz4", 1.2, "faster")),
                compared(rate("as imported", 0.3, "slower"), rate("lz4", 0.4, "slower")));

        assertThat(named.code()).isEqualTo(RemarkCode.LAYOUT_FASTER);
        assertThat(named.figures())
                .containsAllEntriesOf(Map.of(
                        "layout", "indexes",
                        "ratio", 3.0,
                        "walBytes", 5.0,
                        "slower", "update_indexes",
                        "sql", "sql of indexes"));
    }

    @Test
    void noneIsNamedUnlessItIsFasterThanAllOthers() {
        Remark tied = judged(
                compared(rate("lz4", 1.2, "faster"), rate("indexes", 3, "faster")),
                compared(rate("as imported", 0.3, "slower"), rate("lz4", 0.9, "undecided")));

        assertThat(tied.code()).isEqualTo(RemarkCode.LAYOUTS_TIED);
        assertThat(tied.figures()).containsEntry("layouts", "indexes, lz4");
    }

    @Test
    void noneIsNamedWithoutEvidence() {
        Comparison equal = compared(rate("indexes", 1.05, "undecided"), rate("lz4", 0.5, "slower"));
        Comparison notValid = Records.with(
                compared(rate("indexes", 3, "faster")),
                "validity",
                new Validity(false, List.of(RemarkCode.NO_SUCCESS.remark()), List.of()));

        assertThat(judged(equal, equal).code()).isEqualTo(RemarkCode.LAYOUT_NOT_FASTER);
        assertThat(judged(notValid, equal).code()).isEqualTo(RemarkCode.LAYOUTS_NOT_VALID);
    }
}
