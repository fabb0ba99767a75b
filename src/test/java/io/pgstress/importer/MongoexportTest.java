package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.Documents;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.testing.TestServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Imports of what mongoexport writes. */
final class MongoexportTest extends ImportTestCase {
    private Path file(String name, String text) throws Exception {
        return Files.writeString(directory.resolve(name), text);
    }

    private static String lines(int count, IntFunction<String> document) {
        return IntStream.range(0, count).mapToObj(document).collect(Collectors.joining("\n", "", "\n"));
    }

    @Test
    void linesBecomeTheRowsThatBsonWouldBecome() throws Exception {
        imports.verify = true;
        String date = "{\"$date\":\"2020-01-02T03:04:05.678Z\"}";
        IntFunction<String> document =
                i -> "{\"_id\":{\"$oid\":\"%024x\"},\"n\":%d,\"d\":1.5,\"at\":%s}".formatted(i, i, date);

        CollectionSummary json = imports.one(file("as_json.json", lines(100, document)));
        imports.one(
                "as_bson",
                Documents.concat(IntStream.range(0, 100)
                        .mapToObj(i -> Documents.ofJson(document.apply(i)))
                        .toArray(byte[][]::new)));

        assertThat(json.fault()).isEmpty();
        assertThat(json.rows()).isEqualTo(100);
        assertThat(json.keyType()).isEqualTo("text");
        assertThat(number("select count(*) from as_json join as_bson using (_id, data)"))
                .isEqualTo(100);
    }

    @Test
    void arrayInAStreamIsImportedLikeLines() throws Exception {
        String array = "[" + lines(1_000, i -> "{\"_id\":" + i + "}" + (i < 999 ? "," : "")) + "]";

        CollectionSummary summary = imports.stream(array.getBytes(StandardCharsets.UTF_8), 1_000, 2_000);

        assertThat(summary.keyType()).isEqualTo("int");
        assertThat(summary.rows()).isEqualTo(1_000);
    }

    /** A document that is not imported does not decide about the key's type. */
    @Test
    void rejectedDocumentHasNoKey() throws Exception {
        imports.maxRejects = 1;
        imports.generateIds = true;

        CollectionSummary summary = imports.one(file("ints.jsonl", "{\"_id\":1}\n{\"_id\":2,}\n{\"_id\":3}\n"));

        assertThat(summary.keyType()).isEqualTo("int");
        assertThat(summary.rows()).isEqualTo(2);
    }

    /** Neither is the end of each line a terminal's work, nor is an export without documents a fault. */
    @Test
    void linesMayEndInCarriageReturnsAndAFileMayBeEmpty() throws Exception {
        assertThat(imports.one(file("none.json", "")).fault()).isEmpty();

        String fault = imports.one(file("crlf.json", "{\"_id\":1}\r\n".repeat(5) + "{\"_id\":"))
                .fault();
        assertThat(fault).contains("line 6").doesNotContain("terminal");
    }

    @Test
    void rejectedDocumentsAreNamedByTheirLine() throws Exception {
        imports.maxRejects = 5;
        String text = """
                {"_id":1}
                {"_id":2,}
                {"_id":3,"d":{"$date":"soon"}}
                {"_id":4,"s":"\\u0000"}
                {"n":5}
                {"_id":6}
                """;

        CollectionSummary summary = imports.one(file("odd.jsonl", text));

        assertThat(summary.rows()).isEqualTo(2);
        assertThat(summary.rejects())
                .containsEntry("not Extended JSON", 2L)
                .containsEntry("no _id; --missing-id generate makes one", 1L)
                .hasSize(3);
        assertThat(Files.readAllLines(directory.resolve("odd.rejects.json")))
                .hasSize(4)
                .anyMatch(line -> line.contains("\"document\":1,\"offset\":10,\"line\":2"))
                .anyMatch(line ->
                        line.contains("\"document\":3,\"offset\":52,\"line\":4,\"_id\":{\"$numberInt\":\"4\"}"));
        assertThat(directory.resolve("odd.rejects.bson")).doesNotExist();
        assertThat(Files.readAllLines(directory.resolve("odd.rejects.documents.json")))
                .containsExactlyElementsOf(text.lines().toList().subList(1, 5));
    }

    /** What is rejected is the text itself, so it can be mended, and no import takes it for another document. */
    @Test
    void rejectsAreImportedOnceTheyAreMended() throws Exception {
        imports.maxRejects = 5;
        imports.generateIds = true;
        imports.one(file("mended.json", "{\"_id\":1}\n{\"_id\":2,\n\"n\":[5,]}\n{\"_id\":3,}\n"));
        Path rejects = directory.resolve("mended.rejects.documents.json");
        Path elsewhere = Files.createDirectory(directory.resolve("mending"));
        Imports again = new Imports(url, elsewhere);
        again.generateIds = true;
        again.maxRejects = 5;

        assertThat(again.one(rejects).rejects()).containsOnly(Map.entry("not Extended JSON", 2L));
        Files.writeString(rejects, Files.readString(rejects).replace(",]", "]").replace(",}", "}"));
        again.ifExists = IfExists.DROP;
        assertThat(again.one(rejects).rows()).isEqualTo(2);
        assertThat(TestServer.text(
                        url, "select string_agg(data::text, ' ' order by _id) from \"mended.rejects.documents\""))
                .isEqualTo("{\"n\": [5], \"_id\": 2} {\"_id\": 3}");
    }

    @Test
    void resumedImportCountsRejectsOnce() throws Exception {
        imports.maxRejects = 10;
        String wide = "x".repeat(1_000);
        Path dump = file(
                "again.json",
                lines(20_000, i -> "{\"_id\":" + i + ",\"s\":\"" + wide + "\"" + (i % 5_000 == 7 ? ",}" : "}")));

        imports.cutOff(dump, 2);
        imports.resume = true;
        CollectionSummary summary = imports.one(dump);

        assertThat(summary.skipped()).isPositive();
        assertThat(summary.rejected()).isEqualTo(4);
        assertThat(count("again")).isEqualTo(19_996);
        for (String file : List.of("again.rejects.json", "again.rejects.documents.json")) {
            assertThat(Files.readAllLines(directory.resolve(file))).hasSize(4);
        }
        assertThat(imports.one(dump).rejected()).isEqualTo(4);
    }

    @Test
    void whatAFaultLeavesOutIsCounted() throws Exception {
        String rest = "{\"_id\":2,\"s\":\"x\n{\"_id\":3}\n";

        assertThat(imports.one(file("left.json", "{\"_id\":1}\n" + rest)).fault())
                .contains("found the end of the line; this leaves out the last 27 bytes");
        assertThat(imports.one(Files.write(
                                directory.resolve("packed.json.gz"),
                                Documents.gzip(
                                        ("{\"_id\":1}\n" + rest + "x".repeat(9_986)).getBytes(StandardCharsets.UTF_8))))
                        .fault())
                .contains("this leaves out the last 10,013 bytes");
        assertThat(imports.one("cut_bson", Arrays.copyOf(Imports.numbered(2, i -> i), 40))
                        .fault())
                .contains("this leaves out the last 19 bytes");
    }

    @Test
    void truncatedFileKeepsWhatCameBefore() throws Exception {
        CollectionSummary summary = imports.one(file("cut.json", "{\"_id\":1}\n{\"_id\":2}\n{\"_id\":3, \"s\": \"x"));

        assertThat(summary.rows()).isEqualTo(2);
        assertThat(summary.fault())
                .contains("cut.json in line 3 at byte 20: expected a document up to its closing brace");
    }

    @Test
    void interruptedImportIsResumedWhereItWas() throws Exception {
        String wide = "x".repeat(1_000);
        Path dump = Files.write(
                directory.resolve("long_one.json.gz"),
                Documents.gzip(lines(20_000, i -> "{\"_id\":" + i + ",\"s\":\"" + wide + "\"}")
                        .getBytes(StandardCharsets.UTF_8)));

        imports.cutOff(dump, 2);
        imports.resume = true;
        imports.verify = true;
        CollectionSummary summary = imports.one(dump);

        assertThat(summary.skipped()).isPositive();
        assertThat(summary.fault()).isEmpty();
        assertThat(count("long_one")).isEqualTo(20_000);
    }

    @Test
    void atomicImportOfABrokenFileImportsNothing() throws Exception {
        imports.atomic = true;
        Path dump = file("whole.json", "[{\"_id\":1},{\"_id\":2},]");

        CollectionSummary summary = imports.one(dump);

        assertThat(summary.fault()).contains("a document after the comma");
        assertThat(exists("whole")).isFalse();
    }

    @Test
    void bothFormsOfACollectionAreRefused() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("both"));
        Files.write(folder.resolve("twice.bson"), Imports.numbered(1, i -> i));
        Files.writeString(folder.resolve("twice.json"), "{\"_id\":1}\n");
        imports.ifExists = IfExists.DROP;

        assertThatThrownBy(() -> imports.run(folder)).hasMessageContaining("twice.bson and twice.json");
        assertThat(TestServer.text(url, "select to_regclass('twice') is null")).isEqualTo("t");
    }

    /** It would be unclear whether they belong to one database. */
    @Test
    void exportsBesideDirectoriesWithExportsAreRefused() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("exports"));
        Path backup = Files.createDirectory(folder.resolve("backup"));
        Files.writeString(folder.resolve("users.json"), "{\"_id\":1}\n");
        Files.writeString(backup.resolve("users.json"), "{\"_id\":2}\n");

        assertThatThrownBy(() -> imports.run(folder)).hasMessageContaining("both, such as users.json and backup/");
    }
}
