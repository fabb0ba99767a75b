package io.pgstress.cli;

import static io.pgstress.cli.CommandLineTest.assertOneLine;
import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.importer.diff.DiffSummary;
import io.pgstress.importer.diff.DifferentRow;
import io.pgstress.importer.diff.PathDifference;
import io.pgstress.importer.diff.TableDiff;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code stress diff} finds planted differences, and nothing else. */
@Slow
final class DiffCommandTest {
    private static final int ROWS = 20_000;

    private static String url;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeDatabase() {
        url = TestServer.freshDatabase("cli_diff");
    }

    @BeforeEach
    void dropTables() {
        TestServer.execute(url, "drop schema public cascade", "create schema public");
    }

    private Path dump(String name, int count, BiConsumer<BsonWriter, Integer> fields) throws IOException {
        ByteSink sink = new ByteSink(1 << 16);
        BsonWriter writer = new BsonWriter(sink);
        for (int i = 0; i < count; i++) {
            writer.document();
            fields.accept(writer, i);
            writer.end();
        }
        return Files.write(directory.resolve(name + ".bson"), sink.toByteArray());
    }

    private static void order(BsonWriter w, int i) {
        w.objectId("_id", 1_600_000_000, i)
                .int32("n", i)
                .float64("price", i / 4.0)
                .string("text", "caf\u00e9 \t\\ \"" + i);
        w.document("address").string("city", "Rome").nothing("zip").end();
        w.array("tags").string("0", "a").int64("1", i).end();
    }

    private Ended load(Path dump, String... more) {
        List<String> args =
                new ArrayList<>(List.of("import", dump + "", "--url", url, "-q", "--rejects", directory + ""));
        args.addAll(Arrays.asList(more));
        return stress(args.toArray(String[]::new));
    }

    private Ended diff(Path dump, String... more) {
        List<String> args = new ArrayList<>(List.of("diff", dump + "", "--url", url, "-q"));
        args.addAll(Arrays.asList(more));
        return stress(args.toArray(String[]::new));
    }

    private TableDiff differences(int code, Path dump, String... more) {
        List<String> args = new ArrayList<>(List.of("--json", "-"));
        args.addAll(Arrays.asList(more));
        Ended ended = diff(dump, args.toArray(String[]::new));
        assertThat(ended.code()).as(ended.err()).isEqualTo(code);
        return Json.read(ended.out(), DiffSummary.class).tables().get(0);
    }

    /** The ids of every hundredth document, from this one. */
    private static List<String> ids(int first) {
        return IntStream.range(0, ROWS / 100)
                .mapToObj(i -> String.format("%08x%016x", 1_600_000_000, 100 * i + first))
                .toList();
    }

    @Test
    void findsEveryPlantedDifferenceAndNothingElse() throws Exception {
        Path dump = dump("orders", ROWS, DiffCommandTest::order);
        assertThat(load(dump).code()).isZero();
        assertThat(diff(dump).out()).contains("no differences: 20,000 documents, 20,000 rows, ");
        TestServer.execute(
                url,
                "delete from orders where (data->>'n')::int % 100 = 1",
                "insert into orders select 'new' || i, '{}' from generate_series(1, 200) i",
                "update orders set data = jsonb_set(data, '{address,city}', '\"Paris\"') where (data->>'n')::int % 100 = 2",
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

    /** Checks the ids with a number, and the path of the first one. */
    private static void assertPath(TableDiff found, int number, PathDifference path) {
        assertThat(found.differentRows()).extracting(DifferentRow::id).containsAll(ids(number));
        assertThat(found.differentRows())
                .filteredOn(row -> row.id().equals(ids(number).get(0)))
                .flatExtracting(DifferentRow::paths)
                .containsExactly(path);
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

    @Test
    void oddKeysAreNamedAsInTheTable() throws Exception {
        Path dump = dump("k", 6, (w, i) -> {
            switch (i) {
                case 0 -> w.string("_id", "a\tb\\n\"'");
                case 1 -> w.int32("_id", 1);
                case 2 -> w.document("_id").int32("a", 1).end();
                case 3 -> w.string("_id", "");
                default -> w.int32("_id", i).int32("_id", i + 10);
            }
            w.int32("n", i);
        });
        load(dump);
        TestServer.execute(url, "update k set data = jsonb_set(data, '{n}', '-1')");

        TableDiff found = differences(ExitCode.LIMIT_BROKEN, dump);

        assertThat(found.differentRows()).hasSize(6).allSatisfy(row -> {
            assertThat(TestServer.number(
                            url,
                            "select count(*) from k where _id = '" + row.id().replace("'", "''") + "'"))
                    .isEqualTo(1);
            assertThat(row.paths()).extracting(PathDifference::path).containsExactly("n");
        });
    }

    @Test
    void missingTableIsADifference() throws Exception {
        Path dump = dump("m", 30, (w, i) -> w.int32("_id", i));

        TableDiff found = differences(ExitCode.LIMIT_BROKEN, dump);

        assertThat(found.onlyInDump()).isEqualTo(30);
        assertThat(found.notes()).containsExactly("there is no table m");
    }

    @Test
    void tablesThatAreNotInTheDumpAreNamed() throws Exception {
        Path dump = dump("a", 10, (w, i) -> w.int32("_id", i));
        load(dump);
        TestServer.execute(
                url,
                "create table b (_id int, data jsonb)",
                "create table a_copy (_id int, data jsonb)",
                "create table c (_id int, data text)");

        Ended ended = diff(dump);

        assertThat(ended.out()).contains("\nnot in the dump: b\nno differences: ");
        assertThat(ended.code()).isZero();
        assertThat(diff(dump, "--include", "*.a").out()).doesNotContain("not in the dump");
    }

    @Test
    void severalDumpsAreComparedUnderTheirNewNames() throws Exception {
        Path one = dump("one", 10, (w, i) -> w.int32("_id", i));
        Path two = dump("two", 20, (w, i) -> w.int32("_id", i));
        String[] names = {two.toString(), "--schema", "dumped", "--rename", "*.one=*.first"};
        load(one, names);
        TestServer.execute(url, "delete from dumped.first where _id = 3");

        Ended ended = diff(one, names);

        assertThat(ended.out())
                .contains("dumped.first, only in the dump: 1\n  3\n")
                .contains("\n1 difference: 30 documents, 29 rows, ");
        assertOneLine(
                diff(one, two.toString(), "--table", "x"), ExitCode.USAGE, "--table names one table, but there are 2");
        assertOneLine(diff(one, one.toString()), ExitCode.USAGE, "one.bson: this dump is named twice");
    }

    @Test
    void otherTablesAreComparedBesideOneOfAnotherShape() throws Exception {
        dump("m", 30, (w, i) -> w.int32("_id", i));
        dump("n", 30, (w, i) -> w.int32("_id", i));
        load(directory);
        TestServer.execute(url, "drop table m", "create table m (_id int, data json)");

        Ended ended = diff(directory);

        assertThat(ended.code()).isEqualTo(ExitCode.DATA);
        assertThat(ended.out())
                .contains("not complete: nothing was compared: column data of table m must be jsonb, but is json")
                .contains("no differences in what could be compared: 30 documents, 30 rows, ");
    }

    @Test
    void damagedDumpIsComparedAsFarAsItCanBeRead() throws Exception {
        Path dump = dump("d", 1000, (w, i) -> w.int32("_id", i));
        load(dump);
        byte[] bytes = Files.readAllBytes(dump);
        Files.write(dump, Arrays.copyOf(bytes, bytes.length / 2 + 3));
        assertThat(differences(ExitCode.DATA, dump).fault()).startsWith("the rest was not compared: ");
        TestServer.execute(url, "delete from d where _id = 7");

        TableDiff found = differences(ExitCode.LIMIT_BROKEN, dump);

        assertThat(found.idsOnlyInDump()).containsExactly("7");
        assertThat(found.onlyInTable()).isZero();
    }

    @Test
    void badInputIsOneLine() throws Exception {
        Path dump = dump("b", 1, (w, i) -> w.int32("_id", i));

        assertOneLine(
                diff(dump, "--sample", "0"), ExitCode.USAGE, "--sample: must be above 0 and at most 100%, was 0%");
        assertOneLine(diff(dump, "--limit", "-1"), ExitCode.USAGE, "--limit");
        assertOneLine(diff(directory.resolve("none")), ExitCode.USAGE, "none: no such file or directory");
        assertOneLine(
                diff(directory, "--collection", "other"),
                ExitCode.USAGE,
                "there is no collection to compare; left out: ");
    }
}
