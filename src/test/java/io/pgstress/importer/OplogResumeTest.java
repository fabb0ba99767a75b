package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.extra.oplog.Oplog;
import io.pgstress.extra.oplog.Oplog.OplogRequest;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.Replay.OplogSummary;
import io.pgstress.importer.table.Naming;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A replay that ended early, or an import that is made again. */
final class OplogResumeTest extends OplogFixture {
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
}
