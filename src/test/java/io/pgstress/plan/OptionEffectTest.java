package io.pgstress.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.scenario.ScenarioExpansion;
import io.pgstress.plan.scenario.ScenarioReader;
import io.pgstress.testing.Runs;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Options without effect on the operations of a run. */
final class OptionEffectTest {
    private static final RunSpecReader READER = Runs.reader();

    @Test
    void refusesAllOptionsWithoutEffectTogether() {
        assertThatThrownBy(() -> Runs.spec("--op find_insert --batch 10 --rows 5 --scale 2"))
                .isInstanceOfSatisfying(
                        InvalidPlanException.class,
                        e -> assertThat(e.problems())
                                .containsExactlyInAnyOrder(
                                        "--batch: has no effect on find_insert; it is for find_in",
                                        "--scale: has no effect on find_insert; it is for select_only, simple_update, tpcb",
                                        "--rows: has no effect on find_insert; it is for bulk_batch, bulk_copy, bulk_insert,"
                                                + " shard_insert, shard_insert_grouped"));
    }

    @Test
    void acceptsOptionsThatAffectOneOperationOfTheMix() {
        assertThatCode(() -> Runs.spec("--op find_first:3,find_in:1 --batch 10"))
                .doesNotThrowAnyException();
    }

    @Test
    void scenarioBaseMayHaveOptionsThatAffectOneVariant() {
        assertThatCode(() -> expand("op: [find_in, find_first]")).doesNotThrowAnyException();
        assertThatThrownBy(() -> expand("op: [find, find_first]"))
                .hasMessageContaining("line 2: base.batch: has no effect on");
    }

    private static void expand(String vary) {
        new ScenarioExpansion(READER, Purpose.BLOCK)
                .expand(ScenarioReader.read("base:\n  batch: 10\n  table: docs\nvary:\n  " + vary + "\n"));
    }

    @Test
    void namesAndLettersOfOptionsAreUnique() {
        List<Option<?>> options = READER.options(Purpose.RUN);
        assertThat(options).extracting(Option::name).doesNotHaveDuplicates();
        assertThat(options)
                .extracting(Option::letter)
                .filteredOn(letter -> !letter.isEmpty())
                .doesNotHaveDuplicates();
    }
}
