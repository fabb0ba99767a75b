package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.KeyType;
import io.pgstress.testing.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Documents with the same {@code _id}, and existing tables. */
final class DuplicatesTest extends ImportTestCase {
    /** Several chunks; the second half has the ids of the first. */
    private static final int DOCUMENTS = 80_000;

    @BeforeEach
    void tables() {
        TestServer.execute(url, "drop table if exists d, d_copy, stress_imports, stress_import_chunks");
    }

    @ParameterizedTest
    @CsvSource({"SKIP, 0", "REPLACE, 40000"})
    void orderOfTheInputDecidesWhichDuplicateStays(OnDuplicate policy, int difference) throws Exception {
        imports.jobs = 3;
        imports.onDuplicate = policy;

        CollectionSummary summary = imports.one("d", Imports.wide(DOCUMENTS, i -> i % (DOCUMENTS / 2)));

        assertThat(summary.duplicates()).isEqualTo(DOCUMENTS / 2);
        assertThat(summary.rows()).isEqualTo(DOCUMENTS / 2);
        assertThat(number("select count(*) from d where (data->>'n')::int = _id + " + difference))
                .isEqualTo(DOCUMENTS / 2);
        assertThat(TestServer.text(url, "select to_regclass('d_import') is null"))
                .isEqualTo("t");
    }

    @Test
    void duplicatesAreRejectsIfTheKeyExistsFirst() throws Exception {
        imports.keyAfter = false;

        CollectionSummary summary = imports.one("d", Imports.numbered(100, i -> i == 99 ? 0 : i));

        assertThat(summary.rejects()).containsEntry("refused by the server: duplicate key (23505)", 1L);
        assertThat(summary.rows()).isEqualTo(99);
    }

    @Test
    void resumeCreatesTheKeyOnceDuplicatesAreDeleted() throws Exception {
        Path file = imports.write("d", Imports.numbered(100, i -> i == 99 ? 0 : i));

        CollectionSummary summary = imports.one(file);

        assertThat(summary.fault()).contains("no primary key", "Key (_id)=(0)", "--resume");
        assertThat(summary.rows()).isEqualTo(100);
        TestServer.execute(url, "delete from d where data->>'n' = '99'");
        imports.resume = true;
        CollectionSummary resumed = imports.one(file);
        assertThat(resumed.fault()).isEmpty();
        assertThat(resumed.skipped()).isEqualTo(100);
        assertThat(number("select count(*) from pg_index where indrelid = 'd'::regclass and indisprimary"))
                .isEqualTo(1);
        assertThat(number("select count(*) from stress_imports")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"APPEND, 20", "TRUNCATE, 10", "DROP, 10"})
    void treatsExistingTablesAsRequested(IfExists policy, int rows) throws Exception {
        imports.one("d", Imports.numbered(10, i -> i));
        imports.ifExists = policy;

        CollectionSummary summary = imports.one("d", Imports.numbered(10, i -> i + 100));

        assertThat(summary.rows()).isEqualTo(10);
        assertThat(number("select count(*) from d")).isEqualTo(rows);
    }

    @Test
    void keepsTheKeyTypeOfAnExistingTable() throws Exception {
        TestServer.execute(url, "create table d (_id bigint primary key, data jsonb)");
        imports.ifExists = IfExists.APPEND;

        CollectionSummary ints = imports.one("d", Imports.numbered(10, i -> i));
        CollectionSummary texts = imports.one("d", Imports.documents(2, (w, i) -> w.string("_id", "s" + i)));

        assertThat(ints.keyType()).isEqualTo("bigint");
        assertThat(ints.rows()).isEqualTo(10);
        assertThat(texts.rejected()).isEqualTo(2);
    }

    @Test
    void usesTheRequestedKeyType() throws Exception {
        imports.keyType = KeyType.NUMERIC;

        assertThat(imports.one("d", Imports.numbered(10, i -> i)).keyType()).isEqualTo("numeric");
        assertThat(number("select count(*) from d where _id = 7")).isEqualTo(1);
    }

    /** Text keys may be unchanged or JSON. */
    @Test
    void laterKeysHaveTheFormOfTheTable() throws Exception {
        imports.one("d", Imports.documents(2, (w, i) -> {
            if (i == 0) {
                w.string("_id", "abc");
            } else {
                w.int32("_id", 1);
            }
        }));
        imports.ifExists = IfExists.APPEND;
        imports.onDuplicate = OnDuplicate.SKIP;
        byte[] text = Imports.documents(1, (w, i) -> w.string("_id", "abc"));

        assertThat(imports.one("d", text).duplicates()).isEqualTo(1);
        assertThat(number("select count(*) from d")).isEqualTo(2);
        imports.ifExists = IfExists.TRUNCATE;
        imports.one("d", text);
        assertThat(TestServer.text(url, "select _id from d")).isEqualTo("abc");
    }

    @Test
    void ratesAndRatioCoverWhatWasLoaded() throws Exception {
        Path file = imports.write("d", Imports.numbered(10, i -> i));
        assertThat(imports.one(file).ratio()).isPositive();
        imports.resume = true;
        ImportSummary resumed = imports.run(file);
        assertThat(resumed.megabytesPerSecond()).isZero();
        assertThat(resumed.bsonBytes()).isPositive();
        imports.resume = false;
        imports.ifExists = IfExists.APPEND;

        CollectionSummary more = imports.one("d", Imports.numbered(10, i -> i + 10));

        assertThat(more.loadedBytes()).isEqualTo(more.bsonBytes());
        assertThat(more.ratio()).isZero();
    }
}
