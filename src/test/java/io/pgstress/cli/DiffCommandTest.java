package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.extra.diff.DiffSummary.DifferentRow;
import io.pgstress.extra.diff.DiffSummary.PathDifference;
import io.pgstress.extra.diff.DiffSummary.TableDiff;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code stress diff} finds planted differences, and nothing else. */
@Slow
final class DiffCommandTest extends DiffFixture {
    @Test
    void findsEveryPlantedDifferenceAndNothingElse() throws Exception {
        Path dump = dump("orders", ROWS, DiffCommandTest::order);
        assertThat(load(dump).code()).isZero();
        assertThat(diff(dump).out()).contains("no differences: 20,000 documents, 20,000 rows, ");
        TestServer.execute(
                url,
                "delete from orders where (data->>'n')::int % 100 = 1",
                "insert into orders select 'new' || i, '{}' from generate_series(1, 200) i",
                "update orders set data = jsonb_set(data, '{address,city}', '\"Paris\"') where (data->>'n')::int % 100"
                        + " = 2",
                "update orders set data = data - 'price' where (data->>'n')::int % 100 = 3",
                "update orders set data = jsonb_set(data, '{tags,1}', '\"x\"') where (data->>'n')::int % 100 = 4",
                "update orders set _id = 'moved' || _id where (data->>'n')::int % 100 = 5",
                "update orders set data = jsonb_set(data, '{n}', (data->>'n' || '.0')::jsonb)"
                        + " where (data->>'n')::int % 100 = 6");

        TableDiff found = differences(ExitCode.LIMIT_BROKEN, dump, "--limit", "5000");

        assertThat(found.equal()).isEqualTo(ROWS - 1000);
        assertThat(found.rows()).isEqualTo(ROWS);
        assertThat(found.onlyInDump()).isEqualTo(400);
        assertThat(found.onlyInTable()).isEqualTo(400);
        assertThat(found.different()).isEqualTo(600);
        assertThat(found.idsOnlyInDump()).hasSize(400).containsAll(ids(1)).containsAll(ids(5));
        assertThat(found.idsOnlyInTable()).hasSize(400).contains("new1", "new200");
        assertThat(found.idsOnlyInTable().stream().filter(id -> id.startsWith("moved")))
                .containsExactlyInAnyOrderElementsOf(
                        ids(5).stream().map(id -> "moved" + id).toList());
        assertPath(found, 2, new PathDifference("address.city", "\"Rome\"", "\"Paris\""));
        assertPath(found, 3, new PathDifference("price", "0.75", null));
        assertPath(found, 4, new PathDifference("tags.1", "4", "\"x\""));
        assertThat(found.differentRows()).hasSize(600);
    }

    @Test
    void textNamesDifferencesUpToTheLimit() throws Exception {
        Path dump = dump("t", 50, (w, i) -> w.int32("_id", i).int32("n", i));
        load(dump);
        TestServer.execute(url, "update t set data = '{\"_id\": 7}' where _id = 7", "delete from t where _id < 5");

        Ended ended = diff(dump, "--limit", "3");

        assertThat(ended.code()).isEqualTo(ExitCode.LIMIT_BROKEN);
        assertThat(ended.out())
                .contains(
                        "t, only in the dump: 5\n",
                        "  and 2 more (--limit)\n",
                        "t, different: 1\n  7\n    n: 7 in the dump, missing in the table\n")
                .doesNotContain("only in the table:")
                .contains("\n6 differences: 50 documents, 45 rows, ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"int", "bigint", "numeric", "text"})
    void sampleChoosesTheSameDocumentsOnBothSides(String type) throws Exception {
        Path dump = dump("s", 5_000, (w, i) -> w.int32("_id", i).int32("n", i));
        load(dump, "--key-type", type);
        assertThat(differences(ExitCode.DONE, dump, "--sample", "20%").equal()).isBetween(800L, 1_200L);
        assertThat(diff(dump, "--sample", "20%").out())
                .startsWith("no differences between 1 table and the dump, a sample of 20%\n");
        TestServer.execute(url, "update s set data = data - 'n'");

        TableDiff found = differences(ExitCode.LIMIT_BROKEN, dump, "--sample", "0.1", "--limit", "5000");

        assertThat(found.different())
                .isBetween(350L, 650L)
                .isEqualTo(found.documents())
                .isEqualTo(found.rows());
        assertThat(found.differentRows()).hasSize((int) found.documents());
        assertThat(found.notes().toString()).contains("most rows differ");
    }

    @ParameterizedTest
    @CsvSource({"skip,0,1", "replace,1,0", "fail,0,1"})
    void repeatedIdsFollowTheRuleOfTheImport(String rule, int skip, int replace) throws Exception {
        Path dump = dump("r", 300, (w, i) -> w.int32("_id", i % 200).int32("n", i));
        load(dump, "--on-duplicate", rule, "--primary-key", "before");

        assertThat(differences(ExitCode.DONE, dump, "--on-duplicate", rule).repeated())
                .isEqualTo(100);
        assertThat(diff(dump, "--on-duplicate", "skip").code()).isEqualTo(skip);
        assertThat(diff(dump, "--on-duplicate", "replace").code()).isEqualTo(replace);
    }

    @Test
    void rejectedDocumentsAreNoDifferences() throws Exception {
        Path dump = dump("j", 100, (w, i) -> {
            if (i % 10 > 0) {
                w.int32("_id", i);
            }
            w.string("s", i == 5 ? "a\0b" : "");
        });
        load(dump, "--max-rejects", "100");

        TableDiff found = differences(ExitCode.DATA, dump);

        assertThat(found.rejected()).isEqualTo(11);
        assertThat(found.differences()).isZero();
        assertThat(found.rejects())
                .hasSize(11)
                .anySatisfy(reject -> assertThat(reject.id()).isEqualTo("{\"$numberInt\":\"5\"}"));
        assertThat(diff(dump, "--max-rejects", "11").code()).isZero();
    }

    @Test
    void generatedIdsAreFoundAgain() throws Exception {
        Path dump = dump("g", 100, (w, i) -> w.int32("n", i));
        load(dump, "--missing-id", "generate");

        assertThat(differences(ExitCode.DONE, dump, "--missing-id", "generate").equal())
                .isEqualTo(100);
        assertThat(differences(ExitCode.LIMIT_BROKEN, dump).rejected()).isEqualTo(100);
    }

    @Test
    void largeDocumentsAreComparedInPieces() throws Exception {
        String text = "a\u0001\u00e9".repeat(600_000);
        Path dump = dump("l", 4, (w, i) -> w.int32("_id", i).string("s", i % 2 == 0 ? text : ""));
        load(dump);
        assertThat(differences(ExitCode.DONE, dump).equal()).isEqualTo(4);
        TestServer.execute(
                url, "update l set data = jsonb_set(data, '{s}', to_jsonb(data->>'s' || 'x')) where _id in (1, 2)");

        TableDiff found = differences(ExitCode.LIMIT_BROKEN, dump);

        assertThat(found.differentRows())
                .containsExactlyInAnyOrder(
                        new DifferentRow("1", List.of(new PathDifference("s", "\"\"", "\"x\"")), false, null),
                        new DifferentRow("2", List.of(), false, "too large to determine the path"));
    }
}
