package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.Documents;
import io.pgstress.bson.dump.Archives;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.naming.Naming;
import io.pgstress.importer.oplog.Oplog;
import io.pgstress.importer.oplog.OplogRequest;
import io.pgstress.importer.oplog.OplogSummary;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The entries of an oplog change the tables of a dump. */
final class OplogTest {
    private final OplogWriter oplog = new OplogWriter();
    private String url;
    private DumpFilter filter = DumpFilter.ALL;
    private boolean verify;

    @TempDir
    private Path directory;

    @BeforeEach
    void database() throws IOException {
        url = TestServer.freshDatabase("oplog");
        collection("shop", "orders", 1, 2, 3);
    }

    private static Map<String, Object> document(Object id) {
        return Map.of("_id", id, "n", 0);
    }

    private void collection(String database, String name, Object... ids) throws IOException {
        Path parent = Files.createDirectories(directory.resolve("dump").resolve(database));
        Files.write(
                parent.resolve(name + ".bson"),
                OplogWriter.documents(
                        Arrays.stream(ids).map(OplogTest::document).toList()));
        Files.writeString(parent.resolve(name + ".metadata.json"), "{}");
    }

    private ImportSummary replayed(boolean resume, long limit) throws Exception {
        Path dump = directory.resolve("dump");
        Files.write(dump.resolve("oplog.bson"), oplog.bytes());
        Imports imports = new Imports(url, directory);
        imports.resume = resume;
        imports.maxRejects = 100;
        imports.verify = verify;
        imports.oplog = new OplogRequest(true, null, limit).find(List.of(dump.toString()), filter);
        return imports.run(dump);
    }

    private OplogSummary replay() throws Exception {
        OplogSummary summary = replayed(false, 0).oplog();
        assertThat(summary).isNotNull();
        return summary;
    }

    /** The documents of a table, in order of their keys. */
    private String rows(String table) {
        return TestServer.text(
                url, "select coalesce(string_agg((data - '_id')::text, ' ' order by _id), '') from " + table);
    }

    private static Map<String, Object> command(String name, Object value, Object... more) {
        Map<String, Object> command = new LinkedHashMap<>(Map.of(name, value));
        for (int i = 0; i < more.length; i += 2) {
            command.put((String) more[i], more[i + 1]);
        }
        return command;
    }

    @Test
    void operationsOnDocumentsChangeTheirRows() throws Exception {
        oplog.insert("shop.orders", Map.of("_id", 4, "n", 4));
        oplog.insert("shop.orders", Map.of("_id", 1, "n", 10));
        oplog.delete("shop.orders", 2);
        oplog.delete("shop.orders", 99);
        oplog.update("shop.orders", 3, Map.of("_id", 3, "n", 30));
        oplog.update("shop.orders", 5, Map.of("_id", 5, "n", 50));
        oplog.update("shop.orders", 99, Map.of("$set", Map.of("n", 1)));

        OplogSummary summary = replay();

        assertThat(rows("orders")).isEqualTo("{\"n\": 10} {\"n\": 30} {\"n\": 4} {\"n\": 50}");
        assertThat(summary.applied()).isEqualTo(Map.of("insert", 2L, "delete", 2L, "update", 2L));
        assertThat(summary.missing()).isEqualTo(1);
        assertThat(summary.last()).isEqualTo(OplogWriter.FIRST_SECOND + 6 + ":1");
    }

    @Test
    void upsertCreatesADocument() throws Exception {
        oplog.entry("u", "shop.orders", w -> {
            OplogWriter.value(w, "o", Map.of("$set", Map.of("n", 7)));
            OplogWriter.value(w, "o2", Map.of("_id", 7));
            w.bool("b", true);
        });

        replay();

        assertThat(TestServer.text(url, "select data::text from orders where _id = 7"))
                .isEqualTo("{\"n\": 7, \"_id\": 7}");
    }

    @Test
    void limitEndsTheReplay() throws Exception {
        oplog.insert("shop.orders", Map.of("_id", 4, "n", 4));
        oplog.insert("shop.orders", Map.of("_id", 5, "n", 5));

        OplogSummary summary = replayed(false, OplogRequest.limit((OplogWriter.FIRST_SECOND + 1) + ":1"))
                .oplog();

        assertThat(summary).isNotNull();
        assertThat(summary.entries()).isEqualTo(1);
        assertThat(TestServer.number(url, "select max(_id) from orders")).isEqualTo(4);
    }

    @Test
    void commandsCreateRenameAndDropTables() throws Exception {
        collection("shop", "old", 1);
        collection("shop", "gone", 1);
        oplog.command("shop", command("create", "made", "idIndex", Map.of("name", "_id_")));
        oplog.insert("shop.made", Map.of("_id", "x", "n", 1));
        oplog.insert("shop.late", Map.of("_id", 1L << 40, "n", 2));
        oplog.command("shop", command("drop", "gone"));
        oplog.command("shop", command("renameCollection", "shop.old", "to", "shop.orders", "dropTarget", true));
        oplog.insert("shop.orders", Map.of("_id", 2, "n", 2));
        oplog.command("shop", command("createIndexes", "orders", "v", 2, "name", "n_1"));

        ImportSummary all = replayed(false, 0);
        OplogSummary summary = all.oplog();

        assertThat(rows("made")).isEqualTo("{\"n\": 1}");
        assertThat(TestServer.text(url, "select pg_typeof(_id) from late")).isEqualTo("bigint");
        assertThat(rows("orders")).isEqualTo("{\"n\": 0} {\"n\": 2}");
        assertThat(TestServer.text(url, "select to_regclass('gone') is null and to_regclass('old') is null"))
                .isEqualTo("t");
        assertThat(TestServer.text(url, "select to_regclass('gone_copy') is null and to_regclass('old_copy') is null"))
                .isEqualTo("t");
        assertThat(summary).isNotNull();
        assertThat(summary.rejects()).isEmpty();
        assertThat(summary.applied()).containsKeys("create", "drop", "renameCollection");
        assertThat(summary.leftOut()).containsEntry("commands on indexes and options", 1L);
        assertThat(summary.notes()).contains("not applied: createIndexes on shop.orders: n_1");
        assertThat(all.isWhole()).isTrue();
    }

    /** The dump has the new name, and all rows; the entries before the renaming have the old name. */
    @Test
    void renamingToACollectionOfTheDumpKeepsItsRows() throws Exception {
        oplog.insert("shop.before", Map.of("_id", 3, "n", 3));
        oplog.command("shop", command("renameCollection", "shop.before", "to", "shop.orders"));

        replay();

        assertThat(rows("orders")).isEqualTo("{\"n\": 0} {\"n\": 0} {\"n\": 3}");
    }

    @Test
    void droppedDatabaseLosesItsTables() throws Exception {
        collection("other", "things", 1);
        TestServer.execute(url, "create schema shop", "create table shop.mine ()");
        oplog.insert("shop.late", Map.of("_id", 1));
        oplog.command("shop", command("dropDatabase", 1));

        OplogSummary summary = replay();

        assertThat(summary.notes()).hasSize(2);
        assertThat(TestServer.number(url, "select count(*) from pg_tables where schemaname = 'shop'"))
                .isEqualTo(1);
        assertThat(rows("other.things")).isEqualTo("{\"n\": 0}");
    }

    @Test
    void operationsOnOtherCollectionsAreLeftOut() throws Exception {
        filter = new DumpFilter(List.of(), List.of("orders"), false);
        oplog.insert("shop.things", Map.of("_id", 1));
        oplog.insert("config.transactions", Map.of("_id", 1));
        oplog.insert("other.orders", Map.of("_id", 1));
        oplog.insert("shop.system.buckets.orders", Map.of("_id", 1));
        oplog.command("shop", command("create", "v", "viewOn", "orders"));
        oplog.insert("shop.", Map.of("_id", 1));
        oplog.insert("shop", Map.of("_id", 1));
        oplog.insert("shop.a\0b", Map.of("_id", 1));
        oplog.command("shop", command("create", ""));
        oplog.entry("n", "", w -> OplogWriter.value(w, "o", Map.of("msg", "noop")));

        OplogSummary summary = replay();

        assertThat(summary.leftOut())
                .isEqualTo(Map.of(
                        "its collection was not selected", 1L,
                        "an internal database of MongoDB", 1L,
                        "the buckets of a time series", 1L,
                        "another database than the dump's", 1L,
                        "a view", 1L,
                        "a namespace that MongoDB does not allow", 4L));
        assertThat(summary.noChange()).isEqualTo(1);
    }

    @Test
    void whatCannotBeAppliedIsRejectedWithItsTime() throws Exception {
        oplog.insert("shop.orders", Map.of("_id", 4, "s", "a\0b"));
        oplog.update("shop.orders", 1, Map.of("$v", 2, "diff", Map.of("x", 1)));
        oplog.update("shop.orders", 1, Map.of("$inc", Map.of("n", 1)));
        oplog.update("shop.orders", 1, Map.of("$set", Map.of("n", 5)));
        oplog.command("shop", command("frobnicate", "orders"));
        oplog.entry("c", "admin.$cmd", w -> {
            OplogWriter.value(w, "o", Map.of("commitTransaction", 1));
            OplogWriter.value(w, "lsid", Map.of("id", "s"));
            w.int64("txnNumber", 1);
        });
        oplog.entry("x", "shop.orders", w -> OplogWriter.value(w, "o", Map.of()));

        OplogSummary summary = replay();

        assertThat(summary.rejects())
                .isEqualTo(Map.of(
                        "the character U+0000, which jsonb cannot store", 1L,
                        "a malformed $v: 2 diff", 1L,
                        "an unknown update", 1L,
                        "an unknown command", 1L,
                        "a transaction that began before the oplog", 1L,
                        "an unknown operation", 1L));
        assertThat(rows("orders")).startsWith("{\"n\": 5}");
        List<String> lines = Files.readAllLines(directory.resolve("oplog.bson.rejects.json"));
        assertThat(lines).hasSize(6);
        assertThat(lines.get(0)).contains("ts " + OplogWriter.FIRST_SECOND + ":1, insert in shop.orders, _id");
        assertThat(Files.size(directory.resolve("oplog.bson.rejects.bson"))).isPositive();
    }

    /** A batch is divided until the operation is found. */
    @Test
    void whatTheServerRefusesIsRejected() throws Exception {
        collection("shop", "orders", 1, 2);
        replayed(false, 0);
        TestServer.execute(url, "alter table orders add check (data ->> 'n' <> '13')");
        for (int i = 0; i < 40; i++) {
            oplog.insert("shop.orders", Map.of("_id", i, "n", i));
        }
        Imports imports = new Imports(url, directory);
        Path file = Files.write(directory.resolve("more.bson"), oplog.bytes());
        imports.ifExists = IfExists.TRUNCATE;
        imports.maxRejects = 1;
        imports.oplog = Oplog.find("-", file, filter, 0);

        OplogSummary summary = imports.run(directory.resolve("dump")).oplog();

        assertThat(summary).isNotNull();
        assertThat(summary.rejects()).isEqualTo(Map.of("refused by the server: a check constraint (23514)", 1L));
        assertThat(TestServer.number(url, "select count(*) from orders")).isEqualTo(39);
    }

    @Test
    void keysOfTheOplogWidenTheKeyColumn() throws Exception {
        collection("shop", "empty");
        oplog.insert("shop.orders", Map.of("_id", 1L << 40));
        oplog.insert("shop.empty", Map.of("_id", 1));

        replay();

        assertThat(TestServer.text(url, "select pg_typeof(_id) from orders limit 1"))
                .isEqualTo("bigint");
        assertThat(TestServer.text(url, "select pg_typeof(_id) from empty")).isEqualTo("integer");
    }

    @Test
    void keyThatDoesNotFitAnExistingTableIsRejected() throws Exception {
        TestServer.execute(url, "create table orders (_id int primary key, data jsonb not null)");
        oplog.insert("shop.orders", Map.of("_id", "text"));
        Imports imports = new Imports(url, directory);
        Path file = Files.write(directory.resolve("more.bson"), oplog.bytes());
        imports.ifExists = IfExists.APPEND;
        imports.oplog = Oplog.find("-", file, filter, 0);

        OplogSummary summary = imports.run(directory.resolve("dump")).oplog();

        assertThat(summary).isNotNull();
        assertThat(summary.rejects()).containsOnlyKeys("an _id that does not fit the key type");
    }

    @Test
    void everyTypeOfKeyIsFound() throws Exception {
        List<Object> keys = List.of(1.5, new OplogWriter.Oid(1, 2), "a\tb\\c", Instant.ofEpochMilli(-1L), 7L);
        for (int i = 0; i < keys.size(); i++) {
            collection("shop", "k" + i, keys.get(i));
            oplog.update("shop.k" + i, keys.get(i), Map.of("$set", Map.of("n", i)));
        }

        OplogSummary summary = replay();

        assertThat(summary.missing()).isZero();
        for (int i = 0; i < keys.size(); i++) {
            assertThat(rows("k" + i)).isEqualTo("{\"n\": " + i + "}");
        }
    }

    @Test
    void completeReplayIsNotRepeated() throws Exception {
        oplog.insert("shop.orders", Map.of("_id", 4, "n", 4));
        oplog.command("shop", command("drop", "orders"));
        oplog.insert("shop.orders", Map.of("_id", 9, "n", 9));
        replay();

        ImportSummary again = replayed(true, 0);

        assertThat(rows("orders")).isEqualTo("{\"n\": 9}");
        assertThat(again.oplog()).isNotNull();
        assertThat(again.oplog().skipped()).isEqualTo(3);
        assertThat(again.oplog().applied()).isEmpty();
        assertThat(again.collections()).extracting(CollectionSummary::rows).containsExactly(0L);
    }

    /** The rows are verified before the replay; later they differ from the dump, as they must. */
    @Test
    void rowsAreVerifiedBeforeTheReplay() throws Exception {
        oplog.delete("shop.orders", 1);
        verify = true;
        assertThat(replayed(false, 0).isWhole()).isTrue();
        assertThat(replayed(true, 0).isWhole()).isTrue();

        url = TestServer.freshDatabase("oplog");
        verify = false;
        replay();
        verify = true;
        CollectionSummary late = replayed(true, 0).collections().get(0);
        assertThat(late.fault()).isEqualTo("nothing was verified: the oplog has changed the rows since");
    }

    /** The progress of a replay belongs to its tables, and ends when their rows are loaded again. */
    @Test
    void laterImportOfTheSameDumpIsReplayedFromTheBeginning() throws Exception {
        oplog.update("shop.orders", 1, Map.of("$set", Map.of("n", 1)));
        replay();
        Imports other = new Imports(url, directory);
        other.naming = new Naming(List.of(), "elsewhere", null);
        other.run(directory.resolve("dump"));
        Imports again = new Imports(url, directory);
        again.ifExists = IfExists.DROP;
        again.run(directory.resolve("dump"));

        other.resume = true;
        other.oplog = new OplogRequest(true, null, 0)
                .find(List.of(directory.resolve("dump").toString()), filter);
        other.run(directory.resolve("dump"));
        OplogSummary late = replayed(true, 0).oplog();

        assertThat(rows("elsewhere.orders")).isEqualTo("{\"n\": 1} {\"n\": 0} {\"n\": 0}");
        assertThat(late).isNotNull();
        assertThat(late.skipped()).isZero();
        assertThat(rows("orders")).isEqualTo("{\"n\": 1} {\"n\": 0} {\"n\": 0}");
    }

    @Test
    void tablesThatAreNotOfTheDumpAreNotChanged() throws Exception {
        TestServer.execute(url, "create table mine (_id int primary key, data jsonb not null)");
        oplog.command("shop", command("drop", "mine"));

        assertThatThrownBy(this::replay)
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("table mine exists, but not from this dump")
                .hasMessageContaining("shop.mine")
                .hasMessageContaining("--if-exists append");
        assertThat(TestServer.text(url, "select to_regclass('orders') is null")).isEqualTo("t");

        TestServer.execute(url, "drop table mine");
        oplog.insert("shop.mine", Map.of("_id", 1, "n", 1));
        replay();
        oplog.insert("shop.mine", Map.of("_id", 2, "n", 2)); // another oplog, for the table that the first one made
        replayed(true, 0);
        assertThat(rows("mine")).isEqualTo("{\"n\": 1} {\"n\": 2}");
    }

    @Test
    void rejectsThatAreReplayedAreNotOverwritten() throws Exception {
        oplog.entry("x", "shop.orders", w -> OplogWriter.value(w, "o", Map.of()));
        replay();
        Path rejects = directory.resolve("oplog.bson.rejects.bson");
        long size = Files.size(rejects);
        Imports imports = new Imports(url, directory);
        imports.ifExists = IfExists.DROP;
        imports.oplog = Oplog.find("-", rejects, filter, 0);

        assertThatThrownBy(() -> imports.run(directory.resolve("dump")))
                .hasMessageContaining("rejects.bson exists and holds rejects");
        imports.resume = true;
        assertThatThrownBy(() -> imports.run(directory.resolve("dump"))).hasMessageContaining("move it away");
        assertThat(rejects).hasSize(size);
    }

    /** The replay ended between two operations of an entry, after the first was rejected. */
    @Test
    void resumedReplayRejectsTheRestOfAnEntry() throws Exception {
        Map<String, Object> unknown = Map.of("op", "x", "ns", "shop.orders", "o", Map.of());
        oplog.command("shop", command("applyOps", List.of(unknown, unknown)));
        assertThat(replay().rejected()).isEqualTo(2);
        TestServer.execute(url, "update stress_oplog_replays set applied = 1");
        Path bson = directory.resolve("oplog.bson.rejects.bson");
        byte[] both = Files.readAllBytes(bson);
        Files.write(bson, Arrays.copyOf(both, both.length / 2));
        Path json = directory.resolve("oplog.bson.rejects.json");
        Files.writeString(json, Files.readAllLines(json).get(0) + "\n");

        OplogSummary resumed = replayed(true, 0).oplog();

        assertThat(resumed).isNotNull();
        assertThat(resumed.rejected()).isEqualTo(2);
        assertThat(bson).hasBinaryContent(both);
    }

    @Test
    void truncatedOplogIsNotComplete() throws Exception {
        oplog.insert("shop.orders", Map.of("_id", 4, "n", 4));
        oplog.insert("shop.orders", Map.of("_id", 5, "n", 5));
        Path file = directory.resolve("cut.bson");
        byte[] bytes = oplog.bytes();
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
        Imports imports = new Imports(url, directory);
        imports.oplog = Oplog.find("-", file, filter, 0);

        ImportSummary summary = imports.run(directory.resolve("dump"));

        assertThat(summary.isWhole()).isFalse();
        assertThat(summary.oplog()).isNotNull();
        assertThat(summary.oplog().fault())
                .contains("the rest was not replayed")
                .contains("cut.bson");
        assertThat(TestServer.number(url, "select max(_id) from orders")).isEqualTo(4);
    }

    @Test
    void oplogOfAMemberIsFound() throws Exception {
        collection("local", "oplog.rs");
        oplog.insert("shop.orders", Map.of("_id", 4, "n", 4));
        Path dump = directory.resolve("dump");
        Files.write(dump.resolve("local").resolve("oplog.rs.bson"), oplog.bytes());
        Imports imports = new Imports(url, directory);
        imports.oplog = Oplog.find(dump.toString(), null, filter, 0);

        ImportSummary summary = imports.run(dump);

        assertThat(TestServer.number(url, "select max(_id) from orders")).isEqualTo(4);
        assertThat(summary.leftOut()).isEmpty();
    }

    @Test
    void oplogOfAnArchiveIsFound() throws Exception {
        oplog.insert("shop.orders", Map.of("_id", 4, "n", 4));
        byte[] orders = OplogWriter.documents(List.of(document(1)));
        Path archive = Files.write(
                directory.resolve("archive"),
                Documents.concat(
                        Archives.prelude(
                                Archives.metadata("shop", "orders", "", ""), Archives.metadata("", "oplog", "", "")),
                        Archives.block("shop", "orders", orders),
                        Archives.end("shop", "orders", orders),
                        Archives.block("", "oplog", oplog.bytes()),
                        Archives.end("", "oplog", oplog.bytes())));
        Imports imports = new Imports(url, directory);
        imports.oplog = Oplog.find(archive.toString(), null, filter, 0);

        ImportSummary summary = imports.run(archive);

        assertThat(summary.isWhole()).isTrue();
        assertThat(TestServer.number(url, "select sum(_id) from orders")).isEqualTo(5);
    }

    @Test
    void missingOplogIsNamedBeforeTheImport() {
        String dump = directory.resolve("dump").toString();

        assertThatThrownBy(() -> Oplog.find(dump, null, filter, 0))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageContaining("there is no oplog in " + dump);
        assertThatThrownBy(() -> Oplog.find("-", null, filter, 0)).hasMessageContaining("--oplog-file");
        assertThatThrownBy(() -> OplogRequest.limit("yesterday")).hasMessageContaining("SECONDS[:COUNTER]");
    }
}
