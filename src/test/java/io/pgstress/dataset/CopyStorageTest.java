package io.pgstress.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.dialect.TableStorage;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The copy table is stored like the table under load, or the result says what differs. */
final class CopyStorageTest {
    private static final String COLUMNS = "(_id int primary key, data jsonb not null default '{}')";

    private static final TableName DOCS = TableName.parse("docs");

    private String url;

    @BeforeEach
    void makeDatabase() {
        url = TestServer.emptyDatabase("copy_storage");
    }

    private void fill() {
        TestServer.execute(url, "insert into docs select i, '{}' from generate_series(0, 99) i", "vacuum analyze docs");
    }

    private TableStorage storage(TableName table) throws SQLException {
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            return TableStorage.read(connection, table);
        }
    }

    private RunResult run(String operation, String... more) {
        return Runs.run("-t docs -c 2 --think 2ms --warmup 0 -T 0.15 --url " + url + " --op " + operation, more);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create unlogged table docs " + COLUMNS,
                "create table docs " + COLUMNS + " with (fillfactor = 70, toast.autovacuum_enabled = off)",
                "create table docs " + COLUMNS + " partition by range (_id);"
                        + "create table low partition of docs for values from (minvalue) to (50) with (fillfactor = 50);"
                        + "create unlogged table other partition of docs default",
                "create table docs " + COLUMNS + " partition by hash (_id);"
                        + "create table h0 partition of docs for values with (modulus 2, remainder 0) partition by hash (_id);"
                        + "create table h00 partition of h0 for values with (modulus 1, remainder 0);"
                        + "create table h1 partition of docs for values with (modulus 2, remainder 1)"
            })
    void isStoredLikeTheTable(String definition) throws SQLException {
        TestServer.execute(url, definition);
        fill();

        RunResult run = run("find_insert");

        assertThat(storage(DOCS.copy())).isEqualTo(storage(DOCS)).isNotEqualTo(TableStorage.PLAIN);
        assertThat(run.warnings()).noneMatch(remark -> remark.code() == RemarkCode.COPY_TABLE_DIFFERS);
        assertThat(Runs.found(run, RemarkCode.INSERTS_FOUND)).hasSize(1);
    }

    /** It may have rows, grants or triggers of its owner by now. */
    @Test
    void isKeptIfTheTableHasChangedSinceAndTheDifferenceIsNamed() throws SQLException {
        TestServer.execute(url, "create table docs " + COLUMNS);
        fill();
        run("find_insert");
        TestServer.execute(url, "alter table docs set (fillfactor = 60)");

        RunResult run = run("find_delete");

        assertThat(storage(DOCS.copy())).isEqualTo(TableStorage.PLAIN);
        assertThat(run.warnings())
                .filteredOn(remark -> remark.code() == RemarkCode.COPY_TABLE_DIFFERS)
                .singleElement()
                .satisfies(remark -> assertThat(remark.figures())
                        .containsEntry("differences", "storage parameters fillfactor = '60'"));
    }

    @Test
    void keepsATableOfTheUserAndNamesWhatDiffers() throws SQLException {
        TestServer.execute(
                url,
                "create unlogged table docs " + COLUMNS + " with (fillfactor = 60)",
                "create table docs_copy (like docs including all)",
                "create function nothing() returns trigger language plpgsql as 'begin return new; end'",
                "create trigger one before insert on docs for each row execute function nothing()");
        fill();

        RunResult run = run("find_insert");

        assertThat(storage(DOCS.copy())).isEqualTo(TableStorage.PLAIN);
        assertThat(run.warnings())
                .filteredOn(remark -> remark.code() == RemarkCode.COPY_TABLE_DIFFERS)
                .singleElement()
                .satisfies(remark -> assertThat(remark.figures())
                        .containsEntry("differences", "unlogged, storage parameters fillfactor = '60', 1 trigger"));
    }

    @Test
    void aQuoteInTheNameOfTheTableIsShown() {
        TestServer.table(url, "\"we\"\"ird\"", 100);

        RunResult run = Runs.run("-t 'we\"ird' -c 2 --think 2ms --warmup 0 -T 0.15 --op find_insert --url " + url);

        assertThat(Runs.found(run, RemarkCode.INSERTS_FOUND))
                .singleElement()
                .satisfies(figures -> assertThat(figures).containsEntry("table", "we\"ird_copy"));
    }

    @Test
    void isNotDroppedByARunThatKeepsItsRows() throws SQLException {
        TestServer.execute(url, "create table docs " + COLUMNS);
        fill();
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            new CopyTable(DOCS, KeyType.INT, Dialects.of(Dialects.AUTO, connection)).create(connection);
        }
        TestServer.execute(
                url,
                "insert into docs_copy select -i, '{}' from generate_series(1, 5) i",
                "alter table docs set unlogged");

        run("find_insert", "--no-reset");

        assertThat(TestServer.number(url, "select count(*) from docs_copy where _id < 0"))
                .isEqualTo(5);
    }
}
