package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgstress.extra.indexes.IndexMode;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.IndexResult.Part;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Indexes of a second or resumed import, and names that are taken. */
@Slow
final class IndexesRepeatedTest extends IndexesFixture {
    @Test
    void namesUniqueViolationsAndKeepsTheRows() throws Exception {
        CollectionSummary summary = imports.one(
                dump("twice", "a:1,unique", 8, (w, i) -> w.int32("_id", i).int32("a", i / 2)));

        assertThat(summary.rows()).isEqualTo(8);
        assertThat(summary.fault()).isEmpty();
        assertThat(index(summary, "a_1").fault())
                .isEqualTo("rows with the same values: _id 0, 1; _id 2, 3; _id 4, 5; _id 6, 7");
    }

    @Test
    void resumeCreatesWhatFailed() throws Exception {
        Path dump = dump("again", "a:1,unique", 8, (w, i) -> w.int32("_id", i).int32("a", i / 2));
        imports.one(dump);
        TestServer.execute(url, "delete from again where _id % 2 = 1");
        imports.resume = true;

        assertThat(index(imports.one(dump), "a_1").indexes())
                .extracting(Part::state)
                .containsExactly("created", "exists");
    }

    @Test
    void aMissingFieldCountsAsNullInAUniqueIndex() throws Exception {
        Path dump = dump("lacking", "a:1,unique", 3, (w, i) -> {
            w.int32("_id", i);
            if (i == 1) {
                w.nothing("a");
            } else if (i == 2) {
                w.int32("a", 1);
            }
        });

        assertThat(index(imports.one(dump), "a_1").fault()).isEqualTo("rows with the same values: _id 0, 1");
    }

    @Test
    void rowsFromBeforeTheImportCountToo() throws Exception {
        TestServer.execute(
                url,
                "create table grown (_id int primary key, data jsonb not null default '{}')",
                "insert into grown values (-1, '{\"_id\": -1, \"a\": [1, 2]}')");
        imports.ifExists = IfExists.APPEND;

        CollectionSummary summary =
                imports.one(dump("grown", "a:1", 3, (w, i) -> w.int32("_id", i).int32("a", i)));

        assertThat(index(summary, "a_1").indexes())
                .extracting(Part::definition)
                .containsExactly("gin ((data -> 'a') jsonb_path_ops)");
    }

    @Test
    void anIndexOfTheSameNameIsNotReplaced() throws Exception {
        imports.ifExists = IfExists.TRUNCATE;
        TestServer.execute(
                url,
                "create table taken (_id int primary key, data jsonb not null default '{}')",
                "create index taken_a_1 on taken ((data -> 'b'))");

        CollectionSummary summary = imports.one(dump("taken", "a:1", 3, (w, i) -> w.int32("_id", i)));

        assertThat(index(summary, "a_1").fault())
                .startsWith("an index of this name exists with another definition, USING btree ")
                .contains("'b'");
    }

    /** As one whose concurrent creation failed: no query uses it, and a unique one keeps nothing unique. */
    @Test
    void anIndexThatIsNotValidDoesNotServe() throws Exception {
        imports.ifExists = IfExists.APPEND;
        Path dump = dump("half", "a:1", 3, (w, i) -> w.int32("_id", i).int32("a", i));
        imports.one(dump);
        TestServer.execute(url, "update pg_index set indisvalid = false where indexrelid = 'half_a_1'::regclass");
        Files.write(dump.resolve("half.bson"), Imports.documents(1, (w, i) -> w.int32("_id", 9)));

        assertThat(index(imports.one(dump), "a_1").indexes()).singleElement().satisfies(part -> {
            assertThat(part.state()).isEqualTo("created");
            assertThat(part.name()).startsWith("half_a_1$");
        });
        assertThat(indexes("half")).isEqualTo(2);
    }

    /** One name space: index b_c_1 of a and index c_1 of a_b would have the same name. */
    @Test
    void aNameThatAnotherTableHasGetsDigits() throws Exception {
        imports.ifExists = IfExists.APPEND;
        Path first = dump("name", "x_y:1", 3, (w, i) -> w.int32("_id", i));
        Path second = dump("name_x", "y:1", 3, (w, i) -> w.int32("_id", i));
        imports.one(first);
        String name = index(imports.one(second), "y_1").indexes().get(0).name();

        assertThat(name).matches("name_x_y_1\\$[0-9a-f]{12}");
        Files.write(second.resolve("name_x.bson"), Imports.documents(1, (w, i) -> w.int32("_id", 9)));
        assertThat(index(imports.one(second), "y_1").indexes()).singleElement().satisfies(part -> {
            assertThat(part.name()).isEqualTo(name);
            assertThat(part.state()).isEqualTo("exists");
        });
    }

    @Test
    void anIndexMayBeNamedLikeThePrimaryKey() throws Exception {
        Path dump = dump("keyed", "a:1", 3, (w, i) -> w.int32("_id", i));
        Files.writeString(
                dump.resolve("keyed.metadata.json"),
                IndexedDump.metadata("keyed", "{\"v\":2,\"key\":{\"a\":1},\"name\":\"pkey\"}"));

        assertThat(index(imports.one(dump), "pkey").indexes())
                .extracting(Part::state)
                .containsExactly("created");
    }

    @Test
    void anInterruptEndsTheCreationAndResumeFinishesIt() throws Exception {
        Path dump = dump("halted", "a:1", 3, (w, i) -> w.int32("_id", i));
        imports.indexes = IndexMode.NONE;
        imports.one(dump);
        imports.indexes = IndexMode.CREATE;
        imports.resume = true;
        CompletableFuture<String> progress = new CompletableFuture<>();
        imports.listener = listener(progress);
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> ended.complete(catchThrowable(() -> imports.one(dump))));
        try (Connection other = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("lock table halted in row exclusive mode");
            thread.start();
            assertThat(progress.get(30, TimeUnit.SECONDS)).startsWith("creating indexes: 0 of 1 done; halted: a_1");
            thread.interrupt();

            assertThat(ended.get(30, TimeUnit.SECONDS))
                    .hasMessageContaining("interrupted")
                    .hasMessageContaining("--resume");
            assertThat(indexes("halted")).isEqualTo(1);
        }

        assertThat(index(imports.one(dump), "a_1").indexes())
                .extracting(Part::state)
                .containsExactly("created");
    }
}
