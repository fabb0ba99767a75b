package io.pgstress.operation.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of the workloads that exist before a run, or that others use at the same time. */
@Slow
final class OwnTablesTest extends ShortRuns {
    private String persistence(String tables) {
        return TestServer.text(
                url,
                "select string_agg(distinct relpersistence::text, ' ') from pg_class where relkind = 'r' and relname ~ '"
                        + tables + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "oltp_insert, ^sbtest",
        "tpcb, ^pgbench_",
        "select_only, ^pgbench_",
        "count, ^pgstress_scan",
        "bulk_insert, ^pgstress_bulk"
    })
    void recreatesTablesWithOtherOptions(String op, String tables) {
        String few = op.equals("count") ? " --table-rows 1000" : "";
        run("--op " + op + few);
        assertThat(persistence(tables)).isEqualTo("p");
        run("--op " + op + few + " --unlogged");
        assertThat(persistence(tables)).isEqualTo("u");
        RunResult again = run("--op " + op + few);
        assertThat(persistence(tables)).isEqualTo("p");
        assertThat(Runs.reasonsOfTheRunItself(again)).isEmpty();
        assertThat(again.operations().get(op).misses()).isZero();
    }

    @Test
    void keepsTablesThatMatchTheOptions() {
        run("--op select_only --unlogged");
        String made = "select 'pgbench_accounts'::regclass::oid";
        long before = TestServer.number(url, made);
        run("--op select_only --unlogged");
        assertThat(TestServer.number(url, made)).isEqualTo(before);
    }

    @Test
    void createsTablesWithFillfactorAndStorage() {
        String made =
                "select coalesce(array_to_string(reloptions, ','), '') || (select string_agg(attstorage::text, '' order by"
                        + " attnum) from pg_attribute where attrelid = c.oid and attlen = -1 and attnum > 0) from pg_class c where"
                        + " oid = 'sbtest1'::regclass";
        run("--op oltp_insert --fillfactor 70 --storage plain");
        assertThat(TestServer.text(url, made)).isEqualTo("fillfactor=70pp");
        run("--op oltp_insert --fillfactor 70 --storage external");
        assertThat(TestServer.text(url, made)).isEqualTo("fillfactor=70ee");
        run("--op oltp_insert");
        assertThat(TestServer.text(url, made)).isEqualTo("xx");

        TestServer.execute(url, "comment on table sbtest1 is null");
        assertThatThrownBy(() -> run("--op oltp_insert --fillfactor 50 --storage main"))
                .hasMessageContaining(
                        "sbtest1 has fillfactor 100 (--fillfactor), has other storage than main (--storage)");
    }

    @Test
    void refusesForeignTablesWithOtherOptions() {
        TestServer.execute(
                url,
                "create table sbtest1 (id int primary key, k int, c char(120), pad char(60))",
                "insert into sbtest1 values (7, 1, '', '')");
        assertThatThrownBy(() -> run("--op oltp_insert --unlogged"))
                .hasMessageContaining("table: sbtest1 is logged (--unlogged) and was not created by this program");
        assertThatThrownBy(() -> run("--op oltp_insert --tablespaces fast"))
                .hasMessageContaining("table: sbtest1 is in tablespace pg_default (--tablespaces)");
        assertThat(TestServer.number(url, "select count(*) from sbtest1")).isEqualTo(1);

        TestServer.execute(url, "alter table sbtest1 set unlogged");
        run("--op oltp_insert");
        assertThat(persistence("^sbtest")).as("nobody asked for another").isEqualTo("u");
    }

    @Test
    void refusesPgbenchTablesIfOneIsForeign() {
        run("--op select_only");
        TestServer.execute(url, "comment on table pgbench_tellers is null");
        assertThatThrownBy(() -> run("--op tpcb --unlogged")).hasMessageContaining("pgbench_tellers");
        assertThat(persistence("^pgbench")).isEqualTo("p");
    }

    /** Some of the tables are missing. */
    @Test
    void advisedStatementDropsWhatIsLeftOfForeignPgbenchTables() {
        TestServer.execute(url, "create table pgbench_accounts (aid int)");
        InvalidPlanException refused = catchThrowableOfType(InvalidPlanException.class, () -> run("--op tpcb"));
        assertThat(refused).hasMessageContaining("pgbench_accounts exists without pgbench_branches");

        String message = refused.getMessage();
        TestServer.execute(url, message.substring(message.indexOf("drop table ")));
        assertThat(run("--op tpcb").operations().get("tpcb").errors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"select_only:9,count:1", "count:1,select_only:9", "bulk_insert:9,group_by:1"})
    void scanReadsItsOwnTableInAnyMix(String mix) {
        RunResult run = run("--op " + mix + " --table-rows 700 -T 0.5");

        OperationResult scan = run.operations().get(mix.contains("count") ? "count" : "group_by");
        assertThat(scan.errors()).isEmpty();
        assertThat(scan.ok()).isPositive();
        assertThat(scan.rows()).isEqualTo(700 * scan.ok());
    }

    @Test
    void loadInAMixContinuesAfterAResetOfTheIds() {
        TestServer.execute(
                url,
                "create table doc (_id int primary key, data jsonb not null)",
                "insert into doc select i, '{}' from generate_series(1, 70) i");

        RunResult run =
                Runs.run("--op load:1,find_insert:9 -t doc -c 2 --table-rows 20000 --copy-rows 50 --url " + url);

        assertThat(run.load().halts().count()).isPositive();
        assertThat(run.operations().get("load").errors()).isEmpty();
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(TestServer.number(url, "select count(*) from pgstress_load_1"))
                .isEqualTo(20_000);
    }

    @Test
    void idsBeyondAnIntEndTheRunButContinueForABigint() {
        TestServer.execute(
                url,
                "create table sbtest1 (id int primary key, k int, c char(120), pad char(60))",
                "insert into sbtest1 values (2147483600, 1, '', '')");
        RunResult run = run("--op oltp_insert");
        assertThat(run.operations().get("oltp_insert").errors()).isEmpty();
        assertThat(run.remarks()).anyMatch(w -> w.code() == RemarkCode.ENDED_EARLY);
        assertThat(TestServer.number(url, "select max(id) from sbtest1")).isGreaterThan(2147483640L);

        TestServer.execute(url, "alter table sbtest1 alter id type bigint");
        RunResult more = run("--op oltp_insert -T 0.5");
        assertThat(more.remarks()).noneMatch(r -> r.code() == RemarkCode.ENDED_EARLY);
        assertThat(TestServer.number(url, "select max(id) from sbtest1")).isGreaterThan(2147483700L);
    }
}
