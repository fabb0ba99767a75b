package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.DuplicateKeyPolicy;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.JsonOptions.NulPolicy;
import io.pgstress.bson.json.JsonOptions.Utf8Policy;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.Naming;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.TestServer;
import io.pgstress.text.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rejected documents are in the files, each with its reason; the others are in the table. */
final class RejectsTest extends ImportTestCase {
    @Test
    void countsAndReportsEachKind() throws Exception {
        imports.keyType = KeyType.INT;
        byte[] documents = Imports.documents(6, (w, i) -> {
            switch (i) {
                case 1 -> w.string("no", "key");
                case 2 -> w.string("_id", "text");
                case 3 -> w.int32("_id", 3).string("s", "a\0b");
                default -> w.int32("_id", i);
            }
        });

        CollectionSummary summary = imports.one("kinds", documents);

        assertThat(summary.rows()).isEqualTo(3);
        assertThat(summary.rejected()).isEqualTo(3);
        assertThat(summary.rejects()).hasSize(3);
        assertThat(count("kinds")).isEqualTo(3);
        assertThat(Files.readAllLines(directory.resolve("kinds.rejects.json")))
                .hasSize(3)
                .anySatisfy(line ->
                        assertThat(Json.readMap(line).toString()).contains("document=2", "_id=text", "--key-type"));
    }

    @Test
    void rejectsNameTheirIds() throws Exception {
        imports.keyType = KeyType.TEXT;
        byte[] documents = Imports.documents(4, (w, i) -> {
            switch (i) {
                case 0 -> w.int32("_id", 7);
                case 1 -> w.string("_id", "a\"b");
                case 2 -> w.string("_id", "x".repeat(5000));
                default -> w.string("no", "key");
            }
            w.string("s", "\0");
        });

        imports.one("named", documents);

        assertThat(Files.readAllLines(directory.resolve("named.rejects.json")))
                .extracting(line -> Json.readMap(line).get("_id"))
                .containsExactly(Map.of("$numberInt", "7"), "a\"b", null, null);
    }

    @Test
    void importsRejectsAfterAFix() throws Exception {
        byte[] documents = Imports.documents(2, (w, i) -> w.int32("_id", i).string("s", i == 0 ? "x\0" : "y"));
        imports.one("fixable", documents);
        Path rejects = directory.resolve("fixable.rejects.bson");
        String refused = Files.readString(rejects, StandardCharsets.ISO_8859_1);
        Files.writeString(rejects, refused.replace("x\0", "xx"), StandardCharsets.ISO_8859_1);

        CollectionSummary again = imports.one(rejects);

        assertThat(again.documents()).isEqualTo(1);
        assertThat(again.table()).isEqualTo("fixable.rejects");
        assertThat(again.rejected()).isZero();
        assertThat(TestServer.text(url, "select data->>'s' from \"fixable.rejects\" where _id = 0"))
                .isEqualTo("xx");
    }

    @Test
    void importsTheCompleteDocumentsOfATruncatedFile() throws Exception {
        byte[] documents = Imports.numbered(100, i -> i);

        CollectionSummary summary = imports.one("truncated", Arrays.copyOf(documents, documents.length - 3));

        assertThat(summary.fault()).contains("truncated.bson at byte", "expected a document of");
        assertThat(count("truncated")).isEqualTo(99);
        imports.resume = true;
        assertThatThrownBy(() -> imports.one("truncated", documents)).hasMessageContaining("was damaged");
    }

    @Test
    void importsLargeDocumentsWithManyJobs() throws Exception {
        imports.jobs = 16;
        byte[] documents = Imports.documents(
                6, (BsonWriter w, Integer i) -> w.int32("_id", i).string("s", "z".repeat(9_000_000)));

        assertThat(imports.one("large", documents).rows()).isEqualTo(6);
    }

    @Test
    void shortensLongNamesTheSameWayEachTime() throws Exception {
        String name = "\u00e9".repeat(50);
        Path file = imports.write(name, Imports.numbered(1, i -> i));

        String table = imports.one(file).table();

        assertThat(table).startsWith("\u00e9".repeat(18) + "$").hasSize(31);
        assertThatThrownBy(() -> imports.run(file)).hasMessageContaining("table " + table + " exists");
    }

    /** 378 letters as URLs encode them; file systems allow 255. */
    @Test
    void rejectsOfLongNamesHaveShortFileNames() throws Exception {
        imports.maxRejects = 1;
        imports.naming = new Naming(List.of(), "\u0436".repeat(31), new TableName("", "\u0436".repeat(28)));

        Path file = imports.write("x", Imports.documents(1, (w, i) -> w.string("_id", "a\0b")));
        assertThat(imports.one(file).rejected()).isEqualTo(1);

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .filteredOn(name -> name.endsWith(".rejects.bson"))
                    .singleElement()
                    .asString()
                    .hasSizeLessThan(255);
        }
    }

    @Test
    void rejectsThatCannotBeWrittenEndTheImportWithTheDirectory() {
        Path file = imports.write(
                "unwritten", Imports.documents(1, (w, i) -> w.int32("_id", i).string("s", "a\0b")));

        assertThatThrownBy(() -> new Imports(url, Path.of("/proc")).run(file))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("unwritten: rejects cannot be written to /proc: ")
                .hasMessageContaining("loaded 0 rows");
    }

    @Test
    void doesNotOverwriteRejectsOfAnEarlierImport() throws Exception {
        imports.one("kept", Imports.documents(1, (w, i) -> w.string("s", "no key")));
        Path rejects = directory.resolve("kept.rejects.bson");
        imports.ifExists = IfExists.APPEND;

        assertThatThrownBy(() -> imports.one("kept", Imports.numbered(1, i -> i)))
                .hasMessageContaining(rejects + " exists")
                .hasMessageContaining("--rejects");
        assertThat(rejects).exists();
        imports.ifExists = IfExists.DROP;
        assertThat(imports.one("kept", Imports.numbered(1, i -> i)).rows()).isEqualTo(1);
        assertThat(rejects).as("of a table that is gone").doesNotExist();
    }

    @Test
    void lastOfRepeatedKeysMustFit() throws Exception {
        imports.keyType = KeyType.INT;
        byte[] documents = Imports.documents(2, (w, i) -> {
            if (i == 0) {
                w.string("_id", "x").int32("n", 1).int32("_id", 5);
            } else {
                w.int32("_id", 6).string("_id", "x");
            }
        });

        CollectionSummary summary = imports.one("twice", documents);

        assertThat(summary.rejected()).isEqualTo(1);
        assertThat(TestServer.text(url, "select string_agg(_id::text, ',') from twice"))
                .isEqualTo("5");
    }

    /** Two keys become equal; the last one in the input counts, not the greater one. */
    @Test
    void replacedKeysKeepTheirOrder() throws Exception {
        imports.json = new JsonOptions(
                ExtendedJson.RELAXED, NulPolicy.REJECT, Utf8Policy.REPLACE, DuplicateKeyPolicy.KEEP_LAST, 100);
        byte[] documents = Imports.documents(
                1, (w, i) -> w.int32("_id", 1).string("Q", "first").string("P", "last"));
        String raw = new String(documents, StandardCharsets.ISO_8859_1);
        byte[] replaced =
                raw.replace("Q\0", "\u00ff\0").replace("P\0", "\u00fe\0").getBytes(StandardCharsets.ISO_8859_1);

        imports.one("replaced", replaced);

        assertThat(TestServer.text(url, "select data->>chr(65533) from replaced"))
                .isEqualTo("last");
    }

    @Test
    void findsRefusedDocumentsByHalving() throws Exception {
        TestServer.execute(url, "create table refused (_id int, data jsonb check ((data->>'n')::int % 1000 <> 7))");
        imports.ifExists = IfExists.APPEND;
        imports.jobs = 3;

        CollectionSummary summary = imports.one("refused", Imports.numbered(3000, i -> i));

        assertThat(summary.rejects()).containsEntry("refused by the server: a check constraint (23514)", 3L);
        assertThat(count("refused")).isEqualTo(2997);
        assertThat(Files.readAllLines(directory.resolve("refused.rejects.json")))
                .hasSize(3);
    }

    @Test
    void countsOnlyLoadedDocumentsAsAltered() throws Exception {
        TestServer.execute(url, "create table altered (_id int, data jsonb check ((data->>'_id')::int <> 7))");
        imports.ifExists = IfExists.APPEND;
        imports.maxRejects = 1;

        CollectionSummary summary = imports.one(
                "altered",
                Imports.documents(16, (w, i) -> w.int32("_id", i).int32("k", 1).int32("k", 2)));

        assertThat(summary.rejected()).isEqualTo(1);
        assertThat(summary.altered()).containsEntry("duplicateKeys", 15L);
    }

    @Test
    void failedCommitDoesNotRepeatRejects() throws Exception {
        TestServer.execute(
                url, "create table deferred (_id int primary key deferrable initially deferred, data jsonb)");
        imports.ifExists = IfExists.APPEND;
        byte[] documents = Imports.documents(8, (w, i) -> {
            if (i == 1) {
                w.string("no", "key");
            } else {
                w.int32("_id", i == 7 ? 0 : i);
            }
        });

        CollectionSummary summary = imports.one("deferred", documents);

        assertThat(summary.rejected()).isEqualTo(2);
        assertThat(Files.readAllLines(directory.resolve("deferred.rejects.json")))
                .hasSize(2);
    }

    private void refusing(String table, String condition, String state) {
        TestServer.execute(
                url,
                "create table " + table + " (_id int, data jsonb)",
                "create sequence " + table + "_tries",
                "create function " + table + "() returns trigger language plpgsql as $$ begin if " + condition
                        + " then raise exception 'no space left' using errcode = '" + state
                        + "'; end if; return new; end $$",
                "create trigger refuse before insert on " + table + " for each row execute function " + table + "()");
        imports.ifExists = IfExists.APPEND;
    }

    @ParameterizedTest
    @CsvSource({
        "full_disk, 53100, no space left (SQLSTATE 53100); loaded 0 rows; run the same command with --resume",
        "unsupported, 0A000, no space left (SQLSTATE 0A000); loaded 0 rows; run the same command with --resume",
        "broken, XX000, 100 documents in a row"
    })
    void stopsIfTheDocumentsAreNotTheCause(String table, String state, String message) {
        refusing(table, "true", state);
        Path file = imports.write(table, Imports.numbered(2000, i -> i));

        assertThatThrownBy(() -> imports.run(file))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining(message);
        assertThat(directory.resolve(table + ".rejects.json")).doesNotExist();
    }

    @Test
    void aResumedImportDoesNotCountRejectsAsImported() throws Exception {
        refusing("resumed", "new._id % 100 = 7", "23514");
        Path file = imports.write("resumed", Imports.numbered(500, i -> i));
        assertThat(imports.one(file).rejected()).isEqualTo(5);
        imports.resume = true;

        CollectionSummary again = imports.one(file);

        assertThat(again.skipped()).isEqualTo(495);
        assertThat(again.rejected()).isEqualTo(5);
    }

    /** Once the server accepts another document, an internal error is of the document; 54000 is jsonb's limit, for one. */
    @ParameterizedTest
    @CsvSource({"XX000, an internal error", "54000, a value beyond a limit of the server"})
    void singleDocumentsThatTheServerRefusesAreRejects(String state, String words) throws Exception {
        String table = "unclear_" + state.toLowerCase(Locale.ROOT);
        refusing(table, "new._id % 1000 = 7", state);

        CollectionSummary summary = imports.one(table, Imports.numbered(2000, i -> i));

        assertThat(summary.rejects()).containsEntry("refused by the server: " + words + " (" + state + ")", 2L);
        assertThat(count(table)).isEqualTo(1998);
    }

    @Test
    void retriesADocumentRefusedWithoutAReason() throws Exception {
        refusing("again", "new._id = 7 and nextval('again_tries') < 5", "XX000"); // at the fourth attempt it is alone

        CollectionSummary summary = imports.one("again", Imports.numbered(8, i -> i));

        assertThat(summary.rejected()).isZero();
        assertThat(count("again")).isEqualTo(8);
    }
}
