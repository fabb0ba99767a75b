package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.dataset.CopyTable.CopyMark;
import io.pgstress.plan.TableName;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operations that write to the copy table. */
@Slow
final class InsertAndDeleteTest extends OperationsFixture {
    @Test
    void insertCopiesRowsUnchangedAndCountsThem() {
        RunResult run = run("--op find_insert -T 0.5 -R 2000"); // half of the ids, so there is no pause
        OperationResult result = run.operations().get("find_insert");

        assertThat(result.duplicates()).isZero();
        assertThat(TestServer.number(
                        url, "select count(*) from docs_copy join docs using (_id) where docs_copy.data <> docs.data"))
                .isZero();
        assertThat(run.load().halts().count()).isZero();
        assertThat(TestServer.number(url, "select count(*) from docs_copy"))
                .isEqualTo(result.statements().get("insert").callsInAll())
                .isPositive();
    }

    /** A row that was found is no miss, whatever is in it. */
    @Test
    void rowsWithoutADocumentAreFoundAndWritten() {
        TestServer.execute(
                url,
                "create table undocumented (_id int primary key, data jsonb)",
                "insert into undocumented select i, case when i % 2 = 0 then '{}'::jsonb end from generate_series(1, 1000) i");

        for (String operation : List.of("find_first", "find_update", "find_insert", "find_delete")) {
            OperationResult result =
                    run("-t undocumented -T 0.3 --op " + operation).operations().get(operation);

            assertThat(result.misses()).as(operation).isZero();
            assertThat(result.errors()).as(operation).isEmpty();
            assertThat(result.ok()).as(operation).isPositive();
        }
        assertThat(TestServer.number(url, "select count(*) from undocumented where data is null"))
                .isEqualTo(500);
    }

    @Test
    void usedUpIdsPauseAllClientsAndTheRunContinues() throws InterruptedException {
        int rows = 500;
        TestServer.table(url, "few", rows);

        RunResult run = runUntil(3L * rows, "--op find_insert -t few");

        assertThat(run.load().halts().count()).isPositive();
        assertThat(run.load().halts().seconds()).isPositive();
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        OperationResult result = run.operations().get("find_insert");
        assertThat(result.ok()).isGreaterThan(rows);
        assertThat(result.duplicates()).isZero();
        assertThat(result.errors()).isEmpty();
        long inTheEnd = TestServer.number(url, "select count(*) from few_copy");
        assertThat(result.statements().get("insert").callsInAll())
                .isLessThanOrEqualTo((long) run.load().halts().count() * rows + inTheEnd)
                .isGreaterThan((long) run.load().halts().count() * (rows - 4 * 32) + inTheEnd);
    }

    @Test
    void usedUpIdsEndAnInvalidRunWithoutReset() {
        TestServer.execute(url, "create table docs_copy (like docs including all)");

        RunResult run = run("--op find_insert -T 20 --no-reset");

        assertThat(run.valid()).isFalse();
        assertThat(run.run().partial()).isTrue();
        assertThat(run.remarks()).anyMatch(w -> w.code() == RemarkCode.ENDED_EARLY);
        assertThat(TestServer.number(url, "select count(*) from docs_copy")).isEqualTo(ROWS);
    }

    @Test
    void duplicatesAreNotCountedAsWork() {
        TestServer.execute(
                url, "create table docs_copy (like docs including all)", "insert into docs_copy select * from docs");

        RunResult run = run("--op find_insert -T 20 --no-reset");
        OperationResult result = run.operations().get("find_insert");

        assertThat(run.reasons()).extracting(Remark::code).contains(RemarkCode.TOO_MANY_MISSES);
        assertThat(result.ok()).isZero();
        assertThat(result.opsPerSecond()).isZero();
        assertThat(result.duplicates()).isEqualTo(ROWS);
        assertThat(result.errors()).isEmpty();
    }

    /** It might be a user's backup. */
    @Test
    void doesNotEmptyATableThatIsNotACopy() {
        TestServer.execute(
                url, "create table docs_copy (like docs including all)", "insert into docs_copy select * from docs");

        assertThatThrownBy(() -> run("--op find_insert -T 0.2"))
                .hasMessageContaining("table docs_copy has rows and was not created as the copy of docs");

        assertThat(TestServer.number(url, "select count(*) from docs_copy")).isEqualTo(ROWS);
    }

    @Test
    void deleteTakesEachRowOnce() {
        RunResult run = run("--op find_delete -T 0.5 -R 2000");
        OperationResult result = run.operations().get("find_delete");

        assertThat(result.misses()).isZero();
        assertThat(result.rows()).isEqualTo(result.ok());
        assertThat(run.load().halts().count()).isZero();
        assertThat(TestServer.number(url, "select count(*) from docs_copy"))
                .isEqualTo(ROWS - result.statements().get("delete").callsInAll())
                .isLessThan(ROWS);
    }

    @Test
    void deleteCopiesOnlyTheRowsThatItCanDelete() {
        RunResult run = run("--op find_delete -T 0.5 -R 1000 --key-sample " + (ROWS / 2));
        long ids = run.dataset().idsDrawnFrom();
        long deleted =
                run.operations().get("find_delete").statements().get("delete").callsInAll();

        assertThat(ids).isLessThan(ROWS);
        assertThat(TestServer.number(url, "select count(*) from docs_copy")).isEqualTo(ids - deleted);
    }

    @Test
    void deleteCopiesOnlyAsManyRowsAsOperationsAreScheduled() {
        RunResult run = run("--op find_delete -T 0.2 -R 100");
        long deleted =
                run.operations().get("find_delete").statements().get("delete").callsInAll();

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(TestServer.number(url, "select count(*) from docs_copy") + deleted)
                .isBetween(20L, ROWS / 10L)
                .isEqualTo(run.dataset().copyRows());
    }

    @Test
    void deleteCopiesASliceOfTheRowsAtATime() throws InterruptedException {
        int rows = 100_000;
        TestServer.table(url, "many", rows);
        TestServer.execute(
                url,
                "create table many_copy (like many including all)",
                "create table copied (n bigint)",
                "create function note() returns trigger language plpgsql as"
                        + " 'begin insert into copied select count(*) from fresh; return null; end'",
                "create trigger note after insert on many_copy referencing new table as fresh"
                        + " for each statement execute function note()");

        RunResult run = runUntil(2_500, "--op find_delete -t many -c 1"); // a slice has 2,000

        OperationResult result = run.operations().get("find_delete");
        long deleted = result.statements().get("delete").callsInAll();
        long left = TestServer.number(url, "select count(*) from many_copy");
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(run.load().halts().count()).isPositive();
        assertThat(result.misses()).isZero();
        assertThat(TestServer.number(url, "select sum(n) from copied"))
                .isEqualTo(deleted + left)
                .isLessThan(rows);
        assertThat(Runs.found(run, RemarkCode.DELETED_ROWS_GONE))
                .singleElement()
                .satisfies(figures -> assertThat(figures).containsEntry("operations", "find_delete"));
    }

    /** Columns that the server computes are not written; the others are copied. */
    @ParameterizedTest
    @ValueSource(strings = {"plain", "extended", "prepared"})
    void furtherColumnsAreCopiedInAllModes(String mode) {
        TestServer.execute(
                url,
                "alter table docs add column n text not null default '', add column t timestamptz, add column \"a \"\"b\" numeric,"
                        + " add column g int generated always as ((data ->> '_id')::int) stored,"
                        + " add column i int generated always as identity",
                "update docs set n = _id || ' ''\\ $1 ?', t = case when _id % 3 > 0 then timestamptz '2000-01-01' + _id * interval '1 day' end,"
                        + " \"a \"\"b\" = _id / 8.0");

        for (String op : List.of("find_insert", "find_delete", "find_update")) {
            OperationResult result = run("--op " + op + " -M " + mode + " -T 0.2 -R 500")
                    .operations()
                    .get(op);
            assertThat(result.errors()).as(op).isEmpty();
            assertThat(result.ok()).as(op).isPositive();
            assertThat(TestServer.number(
                            url,
                            "select count(*) from docs_copy c left join docs d using (_id, data, n, \"a \"\"b\", g)"
                                    + " where d.n is null or c.t is distinct from d.t"))
                    .as(op)
                    .isZero();
        }
    }

    /** The copy takes the ids of the table. */
    @Test
    void idsThatTheServerNumbersAreCopied() {
        TestServer.execute(
                url,
                "create table numbered (_id int generated always as identity primary key, data jsonb)",
                "insert into numbered (data) select data from docs");

        for (String op : List.of("find_insert", "find_delete")) {
            RunResult run = run("--op " + op + " -t numbered -T 0.2 -R 500");

            assertThat(run.operations().get(op).errors()).as(op).isEmpty();
            assertThat(run.operations().get(op).ok()).as(op).isPositive();
            assertThat(TestServer.number(
                            url, "select count(*) from numbered_copy where (_id, data) not in (table numbered)"))
                    .as(op)
                    .isZero();
        }
    }

    @Test
    void copyTableWithoutAColumnIsReplacedOnlyIfItIsMarked() {
        TestServer.execute(url, "create table docs_copy (like docs)", "alter table docs add column n text default 'x'");

        assertThatThrownBy(() -> run("--op find_insert"))
                .hasMessageContaining("table docs_copy exists and is not like docs");
        TestServer.execute(url, CopyMark.sql(TableName.parse("docs_copy")));
        assertThat(run("--op find_insert").operations().get("find_insert").ok()).isPositive();
        assertThat(TestServer.number(url, "select count(*) from docs_copy where n = 'x'"))
                .isPositive();
    }
}
