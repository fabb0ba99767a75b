package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.extra.oplog.Oplog.OplogRequest;
import io.pgstress.importer.Replay.OplogSummary;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The entries of an oplog change the tables of a dump. */
final class OplogTest extends OplogFixture {
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

    /** As {@code drop} there: nothing here is its. */
    @Test
    void anotherDatabaseThatIsDroppedIsLeftOut() throws Exception {
        oplog.command("elsewhere", command("dropDatabase", 1));

        OplogSummary summary = replay();

        assertThat(summary.applied()).isEmpty();
        assertThat(summary.leftOut()).containsExactly(Map.entry("another database than the dump's", 1L));
    }

    @Test
    void aDumpMayHaveOnlyAnOplog() throws Exception {
        Files.delete(directory.resolve("dump/shop/orders.bson"));
        Files.delete(directory.resolve("dump/shop/orders.metadata.json"));
        oplog.insert("shop.orders", document(7));

        OplogSummary summary = replay();

        assertThat(summary.applied()).containsExactly(Map.entry("insert", 1L));
        assertThat(rows("orders")).isEqualTo("{\"n\": 0}");
        TestServer.execute(url, "drop table orders");
        assertThat(replay().applied()).containsExactly(Map.entry("insert", 1L));
        assertThat(rows("orders")).isEqualTo("{\"n\": 0}");
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
}
