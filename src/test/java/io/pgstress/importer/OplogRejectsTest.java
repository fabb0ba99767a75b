package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.extra.oplog.Oplog;
import io.pgstress.importer.Replay.OplogSummary;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Entries of an oplog that are left out or rejected. */
final class OplogRejectsTest extends OplogFixture {
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
}
