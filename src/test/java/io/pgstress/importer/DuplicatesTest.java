package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.RejectLimit.TooManyRejectsException;
import io.pgstress.importer.table.DuplicateMerge;
import io.pgstress.importer.table.LoadedChunks;
import io.pgstress.importer.table.ProgressTables;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents with the same {@code _id}, and existing tables. */
final class DuplicatesTest extends ImportTestCase {
    /** Several chunks; the second half has the ids of the first. */
    private static final int DOCUMENTS = 70_000;

    private static final int TWO_CHUNKS = 40_000;

    @BeforeEach
    void tables() {
        TestServer.execute(
                url,
                "drop table if exists d, d_copy, stress_progress.stress_imports, stress_progress.stress_import_chunks");
    }

    @ParameterizedTest
    @CsvSource({"SKIP, 0", "REPLACE, 35000"})
    void orderOfTheInputDecidesWhichDuplicateStays(OnDuplicate policy, int difference) throws Exception {
        imports.jobs = 3;
        imports.onDuplicate = policy;

        CollectionSummary summary = imports.one("d", Imports.wide(DOCUMENTS, i -> i % (DOCUMENTS / 2)));

        assertThat(summary.duplicates()).isEqualTo(DOCUMENTS / 2);
        assertThat(summary.rows()).isEqualTo(DOCUMENTS / 2);
        assertThat(number("select count(*) from d where (data->>'n')::int = _id + " + difference))
                .isEqualTo(DOCUMENTS / 2);
        assertThat(exists("d_import")).isFalse();
    }

    @Test
    void duplicatesAreRejectsIfTheKeyExistsFirst() throws Exception {
        imports.keyAfter = false;

        CollectionSummary summary = imports.one("d", Imports.numbered(100, i -> i == 99 ? 0 : i));

        assertThat(summary.rejects()).containsEntry("refused by the server: duplicate key (23505)", 1L);
        assertThat(summary.rows()).isEqualTo(99);
    }

    /** Then the duplicates cannot be found at once, and each is found by itself. The server sees a duplicate after 1000 rows. */
    @Test
    void duplicatesBesideAnotherRefusedRowAreRejectsToo() throws Exception {
        TestServer.execute(
                url,
                "create table d (_id int primary key, data jsonb not null default '{}' check (data->>'n' <> '1500'))");
        imports.ifExists = IfExists.APPEND;
        imports.maxRejects = 2;

        CollectionSummary summary = imports.one("d", Imports.numbered(2000, i -> i == 7 ? 0 : i));

        assertThat(summary.rejects())
                .containsEntry("refused by the server: duplicate key (23505)", 1L)
                .containsEntry("refused by the server: a check constraint (23514)", 1L);
        assertThat(summary.rows()).isEqualTo(1998);
    }

    /** Each halving of a chunk would be a transaction, and its rows would remain as dead ones. */
    @Test
    void allDuplicatesOfAChunkAreFoundAtOnce() throws Exception {
        imports.one("d", Imports.numbered(2000, i -> i));
        long size = number("select pg_relation_size('d')");
        long transaction = number("select txid_current()");
        imports.ifExists = IfExists.APPEND;
        imports.maxRejects = 2000;

        CollectionSummary summary = imports.one(
                "d",
                Imports.documents(
                        2000,
                        (w, i) -> w.int32("_id", i == 1999 ? 2500 : 1000 + i)
                                .int32("k", 1)
                                .int32("k", 2)));

        assertThat(summary.rejects()).containsEntry("refused by the server: duplicate key (23505)", 1001L);
        assertThat(summary.rows()).isEqualTo(999);
        assertThat(summary.altered()).containsEntry("duplicateKeys", 999L);
        assertThat(number("select count(*) from d where _id >= 2000 and data->>'k' = '2'"))
                .isEqualTo(999);
        assertThat(number("select txid_current()") - transaction).isLessThan(40);
        assertThat(number("select pg_relation_size('d')")).isLessThan(2 * size);
        assertThat(Files.readAllLines(directory.resolve("d.rejects.json")))
                .hasSize(1001)
                .first()
                .asString()
                .contains("\"document\":0,", "\"_id\":{\"$numberInt\":\"1000\"}");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void moreRejectsThanToleratedEndTheImport(boolean atomic) throws Exception {
        Path file = imports.write("d", Imports.wide(TWO_CHUNKS, i -> i));
        imports.one(file);
        imports.ifExists = IfExists.APPEND;
        imports.maxRejects = 9;
        imports.atomic = atomic;
        imports.keyAfter = false;
        Path again = atomic ? imports.write("d", Imports.wide(TWO_CHUNKS, i -> i / 2)) : file;

        assertThatThrownBy(() -> imports.run(again))
                .isInstanceOf(TooManyRejectsException.class)
                .hasMessageMatching("[\\d,]+ documents rejected, more than --max-rejects 9"
                        + " \\(refused by the server: duplicate key \\(23505\\)\\), of .*d: see .*d\\.rejects\\.json"
                        + (atomic ? "; nothing was imported" : "; the import stopped after 0 rows; .*--resume.*"));

        assertThat(Files.readAllLines(directory.resolve("d.rejects.json"))).hasSizeBetween(10, TWO_CHUNKS - 1);
        assertThat(count("d")).isEqualTo(TWO_CHUNKS);
        assertThat(number("select count(*) from stress_progress.stress_imports where state <> 'complete'"))
                .isEqualTo(atomic ? 0 : 1);
    }

    @Test
    void resumeWithAHigherLimitGoesOn() throws Exception {
        imports.one("d", Imports.numbered(10, i -> i));
        imports.ifExists = IfExists.APPEND;
        Path file = imports.write("d", Imports.wide(TWO_CHUNKS, i -> i < 5 ? i : i + TWO_CHUNKS));
        assertThatThrownBy(() -> imports.run(file)).isInstanceOf(TooManyRejectsException.class);
        imports.resume = true;
        imports.maxRejects = 5;

        CollectionSummary summary = imports.one(file);

        assertThat(summary.rejected()).isEqualTo(5);
        assertThat(count("d")).isEqualTo(10 + TWO_CHUNKS - 5);
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
        assertThat(count("stress_progress.stress_imports")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"APPEND, 20", "TRUNCATE, 10", "DROP, 10"})
    void treatsExistingTablesAsRequested(IfExists policy, int rows) throws Exception {
        imports.one("d", Imports.numbered(10, i -> i));
        imports.ifExists = policy;

        CollectionSummary summary = imports.one("d", Imports.numbered(10, i -> i + 100));

        assertThat(summary.rows()).isEqualTo(10);
        assertThat(count("d")).isEqualTo(rows);
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
        assertThat(count("d")).isEqualTo(2);
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

    private static final TableName TABLE = TableName.parse("docs");

    private static void makeTables() {
        TestServer.execute(
                url,
                "drop table if exists docs, more",
                "create table docs (_id int primary key, data text)",
                "create table more (_id int, data text)",
                "insert into docs values (1, 'old'), (2, 'old')",
                "insert into more values (2, 'new'), (3, 'new')");
    }

    /** Citus returns the number of rows selected. */
    @Test
    void countsInsertedRowsIfTheServerDoesNot() throws SQLException {
        makeTables();
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Statement statement = connection.createStatement()) {
            Statement boasting = (Statement) Proxy.newProxyInstance(
                    Statement.class.getClassLoader(), new Class<?>[] {Statement.class}, (proxy, method, arguments) -> {
                        Object result = method.invoke(statement, arguments);
                        return method.getName().equals("executeLargeUpdate") ? (Object) 200L : result;
                    });
            String rows = "select _id, data from more";

            assertThat(new DuplicateMerge("docs", rows, false).move(boasting, OnDuplicate.SKIP))
                    .isEqualTo(1);
            assertThat(new DuplicateMerge("docs", rows, false).move(boasting, OnDuplicate.SKIP))
                    .isZero();
        }
    }

    @Test
    void waitsForTheTransactionThatHasEnteredTheChunk() throws Exception {
        assertEntersAfterAnother(url, TABLE);
    }

    /** Entering documents waits for a transaction that has entered them, and then does not. */
    static void assertEntersAfterAnother(String url, TableName table) throws Exception {
        try (Connection first = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Connection second = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            ProgressTables progress = ProgressTables.in(first, "");
            progress.create(first);
            LoadedChunks chunks = progress.chunks();
            LoadedChunks.Part part = new LoadedChunks.Part(0, 512, 7);
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            assertThat(chunks.enter(first, table, part, false)).isTrue();

            CompletableFuture<Boolean> entered = CompletableFuture.supplyAsync(() -> {
                try {
                    return chunks.enter(second, table, part, false);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            while (TestServer.number(url, "select count(*) from pg_locks where not granted") == 0) {
                Thread.onSpinWait();
            }
            first.commit();

            assertThat(entered.get()).isFalse();
            assertThat(chunks.isHalved(second, table, part)).isFalse();
        }
    }
}
