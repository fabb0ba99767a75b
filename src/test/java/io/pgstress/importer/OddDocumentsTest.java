package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.json.LegacyUuids;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Documents without an {@code _id} or with one that differs from the others, and collections with options. */
final class OddDocumentsTest extends ImportTestCase {
    @Test
    void missingIdsAreGeneratedInOrderAndTheSameEachTime() throws Exception {
        byte[] documents = Imports.documents(100, (w, i) -> w.int32("n", i));
        imports.generateIds = true;
        imports.verify = true;

        CollectionSummary summary = imports.one("generated", documents);

        assertThat(summary.rows()).isEqualTo(100);
        assertThat(summary.altered()).containsEntry("generatedIds", 100L);
        assertThat(summary.fault()).isEmpty();
        assertThat(number("select count(*) from generated where data->'_id'->>'$oid' = _id"))
                .isEqualTo(100);
        assertThat(TestServer.text(
                        url,
                        "select array_agg((data->>'n')::int order by _id) = array(select generate_series(0, 99))"
                                + " from generated"))
                .isEqualTo("t");
        TestServer.execute(url, "create table before as select * from generated");
        imports.ifExists = IfExists.DROP;
        imports.one("generated", documents);
        assertThat(number("select count(*) from before join generated using (_id, data)"))
                .isEqualTo(100);
    }

    @Test
    void largeDocumentIsGivenAnId() throws Exception {
        imports.generateIds = true;
        imports.verify = true;

        CollectionSummary summary =
                imports.one("large_one", Imports.documents(1, (w, i) -> w.string("s", "x".repeat(3_000_000))));

        assertThat(summary.fault()).isEmpty();
        assertThat(number("select length(data->>'s') from large_one where length(_id) = 24"))
                .isEqualTo(3_000_000);
    }

    @Test
    void withoutTheOptionTheyAreRejected() throws Exception {
        CollectionSummary summary = imports.one("rejected", Imports.documents(3, (w, i) -> w.int32("n", i)));

        assertThat(summary.rejects()).containsEntry("no _id; --missing-id generate makes one", 3L);
    }

    @Test
    void oneOddKeyIsNamedWithTheNumbers() throws Exception {
        byte[] documents = Imports.documents(1001, (w, i) -> {
            if (i == 700) {
                w.string("_id", "odd");
            } else {
                w.int32("_id", i);
            }
        });

        CollectionSummary summary = imports.one("odd", documents);

        assertThat(summary.notes())
                .startsWith("every _id is stored as JSON text, because no type holds all of them: 1,000 int32s (such"
                        + " as {\"$numberInt\":\"0\"}), 1 string (such as \"odd\")");
        assertThat(imports.one("even", Imports.numbered(3, i -> i)).notes())
                .containsExactly("indexes: unknown, because the dump does not describe them");
    }

    @Test
    void namesThatPostgresReservesGetAnUnderscore() throws Exception {
        Path dump = directory.resolve("dump");
        for (String name : List.of("pg_db/pg_class", "pg_db/plain", "information_schema/tables")) {
            Files.createDirectories(dump.resolve(name).getParent());
            Files.write(dump.resolve(name + ".bson"), Imports.numbered(1, i -> i));
        }

        assertThat(imports.run(dump).collections())
                .extracting(CollectionSummary::table)
                .containsExactly("_information_schema.tables", "_pg_db.pg_class", "_pg_db.plain");
        assertThat(imports.one("pg_class", Imports.numbered(1, i -> i)).table()).isEqualTo("_pg_class");
    }

    @Test
    void optionsInTheMetadataAreNamed() throws Exception {
        Files.writeString(
                directory.resolve("capped.metadata.json"),
                "{\"options\":{\"capped\":true,\"size\":{\"$numberInt\":\"4096\"},\"validator\":{\"$jsonSchema\":{}},"
                        + "\"collation\":{\"locale\":\"fr\"}},\"indexes\":[{\"v\":2}],\"uuid\":\"00\"}");

        assertThat(imports.one("capped", Imports.numbered(1, i -> i)).notes())
                .containsExactly(
                        "options in the metadata that the table does not have: capped, size, validator, collation");
    }

    @Test
    void interruptEndsTheScan() {
        DumpCollection collection = new DumpCollection("db", "c", "c.bson", -1);
        KeyScan scan = new KeyScan(Set.of(), false, LegacyUuids.KEEP);
        scan.begin(collection);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> scan.chunk(collection, new Chunk(0))).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }
}
