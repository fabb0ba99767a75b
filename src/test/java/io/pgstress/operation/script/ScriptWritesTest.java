package io.pgstress.operation.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.operation.TableCheck;
import io.pgstress.operation.Writes;
import io.pgstress.plan.script.ScriptParser;
import io.pgstress.result.RemarkCode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which writes of a script can be checked, according to its text. */
final class ScriptWritesTest {
    private static List<TableCheck> checks(String text) {
        return new ScriptWrites("mine", ScriptParser.parse(text, "mine.sql"), false).checks();
    }

    @Test
    void preparedTransactionsAreCommittedByOthers() {
        assertThat(checks(
                        "begin;\ninsert into seen values (1);\ninsert into seen values (2);\nprepare transaction 'p';"))
                .singleElement()
                .isInstanceOfSatisfying(
                        TableCheck.Unchecked.class,
                        check -> assertThat(check.remark())
                                .isEqualTo(RemarkCode.STEP_NOT_CHECKED
                                        .with("operation", "mine")
                                        .with("why", "it has transactions of two phases")
                                        .remark()));
    }

    @Test
    void aSearchPathConcernsOtherScriptsOfTheSession() {
        assertThat(checks("set search_path = other;\nselect 1;"))
                .singleElement()
                .isInstanceOf(TableCheck.Unchecked.class);
        assertThat(checks("begin;\nsavepoint s;\nselect 1;\nrollback to s;\ncommit;"))
                .as("nothing is written")
                .isEmpty();
        assertThat(checks("begin;\ninsert into seen values (1);\ncommit;"))
                .singleElement()
                .isInstanceOf(Writes.class);
    }
}
