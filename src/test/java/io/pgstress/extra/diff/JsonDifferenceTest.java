package io.pgstress.extra.diff;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.extra.diff.DiffSummary.DifferentRow;
import io.pgstress.extra.diff.DiffSummary.PathDifference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The paths at which documents and rows differ. */
final class JsonDifferenceTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "{\"a\":1}             | {\"a\":2}              | a     | 1           | 2",
                "{\"a\":{\"b\":[1,{}]}}| {\"a\":{\"b\":[1,{\"c\":null}]}} | a.b.1.c | none | null",
                "{\"a\":[1,2]}         | {\"a\":[1]}            | a.1   | 2           | none",
                "{\"a\":1}             | {\"a\":\"1\"}          | a     | 1           | \"1\"",
                "{\"a\":null}          | {}                     | a     | null        | none",
                "{\"a\":{}}            | {\"a\":[]}             | a     | {}          | []",
                "{\"a\":1.0000000000000000000001} | {\"a\":1}   | a     | 1.0000000000000000000001 | 1",
                "{\"a\":1}             | [1]                    | ''    | {\"a\": 1}  | [1]",
                "{\"a\":1}             | null                   | ''    | {\"a\": 1}  | null",
                "{\"a\":1,\"b\":2}     | {\"b\":3,\"a\":1.0}    | b     | 2           | 3",
                "{\"a\":1e400}         | {\"a\":1e401}          | a     | 1E+400      | 1E+401",
            })
    void namesThePath(String dump, String table, String path, String inDump, String inTable) {
        DifferentRow row = JsonDifference.of("7", dump, table);

        assertThat(row.note()).isNull();
        assertThat(row.more()).isFalse();
        assertThat(row.paths()).containsExactly(new PathDifference(path, inDump, inTable));
    }

    @Test
    void namesTheFirstPathsAndShortensValues() {
        String text = "x".repeat(1000);
        DifferentRow row = JsonDifference.of(
                "7",
                "{\"d\":1,\"c\":1,\"b\":1,\"a\":\"" + text + "\"}",
                "{\"d\":2,\"c\":2,\"b\":2,\"a\":{\"z\":[\"" + text + "\"]}}");

        assertThat(row.more()).isTrue();
        assertThat(row.paths()).extracting(PathDifference::path).containsExactly("a", "b", "c");
        assertThat(row.paths().get(0).dump()).hasSize(63).startsWith("\"xxx").endsWith("x...");
        assertThat(row.paths().get(0).table()).hasSize(63).startsWith("{\"z\": [\"xxx");
    }

    /** The letter é as one character, and as two; a space that does not break. */
    @Test
    void textsThatLookEqualAreEscaped() {
        assertThat(JsonDifference.of("7", "{\"a\":\"caf\u00e9\"}", "{\"a\":\"cafe\u0301\"}")
                        .paths())
                .containsExactly(new PathDifference("a", "\"caf\\u00e9\"", "\"cafe\\u0301\""));
        assertThat(JsonDifference.of("7", "{\"a\":\"1\u00a0000\"}", "{\"a\":\"1 000\"}")
                        .paths())
                .containsExactly(new PathDifference("a", "\"1\\u00a0000\"", "\"1 000\""));
        assertThat(JsonDifference.of("7", "{\"a\":\"\u00e9\"}", "{\"a\":\"\u00e8\"}")
                        .paths())
                .containsExactly(new PathDifference("a", "\"\u00e9\"", "\"\u00e8\""));
    }

    @Test
    void longTextsAreShownWhereTheyDiffer() {
        String text = "x".repeat(500);
        PathDifference found = JsonDifference.of(
                        "7", "{\"a\":\"" + text + "1" + text + "\"}", "{\"a\":\"" + text + "2" + text + "\"}")
                .paths()
                .get(0);

        assertThat(found.dump()).hasSize(66).startsWith("...xxx").contains("1");
        assertThat(found.table()).hasSize(66).contains("2");
    }

    @Test
    void deepNestingIsSaid() {
        String deep = "[".repeat(5000) + "]".repeat(5000);

        assertThat(JsonDifference.of("7", deep, "1").note()).contains("the path cannot be determined: ");
    }
}
