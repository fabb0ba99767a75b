package io.pgstress.operation.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.result.OperationResult;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** sysbench's inserts, updates and deletes, against a server. */
@Slow
final class OltpTest {
    private static String url;

    @BeforeAll
    static void makeDatabase() {
        url = TestServer.freshDatabase("oltp");
    }

    @BeforeEach
    void dropTables() {
        TestServer.execute(url, "drop table if exists sbtest1, sbtest2");
    }

    private static RunResult run(String options) {
        RunResult run = Runs.run("-c 3 --think 2ms --warmup 0 -T 0.15 --url " + url, options);
        run.operations().values().forEach(o -> assertThat(o.errors()).isEmpty());
        return run;
    }

    private static long number(String sql) {
        return TestServer.number(url, sql);
    }

    private static OperationResult only(RunResult run) {
        return run.operations().values().iterator().next();
    }

    @Test
    void randomIdsAreSpreadAndContinueWithoutCollisions() {
        RunResult first = run("--op oltp_insert --id-order random");
        long greatest = number("select max(id) from sbtest1");
        RunResult second = run("--op oltp_insert --id-order random --no-reset");

        assertThat(Runs.reasonsOfTheRunItself(first)).isEmpty();
        assertThat(Runs.reasonsOfTheRunItself(second)).isEmpty();
        assertThat(only(first).duplicates() + only(second).duplicates()).isZero();
        assertThat(number("select count(*) from sbtest1"))
                .isEqualTo(only(first).ok() + only(second).ok());
        assertThat(number("select count(*) from sbtest1 where id > " + greatest))
                .as("the second run uses ids of the other half")
                .isEqualTo(only(second).ok());
        assertThat(number("select count(distinct id >> 27) from sbtest1 where id <= " + greatest))
                .isEqualTo(8);
    }

    @ParameterizedTest
    @CsvSource({
        "oltp_update, 2, COUNTS_AGREE, check, 'updates by oltp_update, sum(k)'",
        "oltp_update_index, 1, COUNTS_AGREE, check, 'updates by oltp_update, sum(k)'",
        "oltp_update_non_index, 1, UPDATES_COUNTED, operations, oltp_update_non_index",
        "oltp_delete, 2, COUNTS_AGREE, check, 'deletes by oltp_delete, count(*)'"
    })
    void changesRowsAndChecksThem(String op, String tables, RemarkCode code, String figure, String value) {
        RunResult run = run("--op " + op + " --tables " + tables + " --table-rows 5000 -M plain");

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(only(run).ok()).isPositive();
        assertThat(only(run).misses()).isZero();
        assertThat(Runs.found(run, code))
                .extracting(figures -> figures.get(figure))
                .contains(value);
        String all = "select sum(n) from (select count(*) n from sbtest1"
                + (tables.equals("1") ? ") x" : " union all select count(*) from sbtest2) x");
        boolean isDelete = op.equals("oltp_delete");
        long deleted = isDelete ? counted(run) : 0;
        assertThat(number(all)).isEqualTo(5000 * Long.parseLong(tables) - deleted);
        if (isDelete && run.load().halts().count() == 0) {
            assertThat(deleted).isEqualTo(only(run).ok());
        }
    }

    /** The number of changes, since the last reset, that the check found in the tables. */
    private static long counted(RunResult run) {
        return (long) Runs.found(run, RemarkCode.COUNTS_AGREE).get(0).get("found");
    }

    /** The statements of sysbench's oltp_common.lua, by name, per transaction. */
    @ParameterizedTest
    @CsvSource({
        "oltp_read_write, 10, 1, 1, 1, 1, 1, 1, 1, 1, 2",
        "oltp_read_only, 10, 1, 1, 1, 1, 0, 0, 0, 0, 2",
        "oltp_write_only, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2",
        "oltp_point_select, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0",
        "oltp_read_only --point-selects 3 --sum-ranges 2 --skip-trx, 3, 1, 2, 1, 1, 0, 0, 0, 0, 0",
        "oltp_write_only --delete-inserts 2 --index-updates 0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2"
    })
    void suiteRunsTheStatementsOfSysbench(
            String op,
            int points,
            int simple,
            int sums,
            int ordered,
            int distinct,
            int indexed,
            int others,
            int deletes,
            int inserts,
            int brackets) {
        RunResult run = run("--op " + op + " --table-rows 20000");

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        OperationResult all = only(run);
        assertThat(all.ok()).isPositive();
        assertThat(all.misses()).isZero();
        Map<String, Long> calls = new TreeMap<>();
        all.statements().forEach((name, statement) -> calls.merge(name.replaceAll("_\\d+$", ""), 1L, Long::sum));
        Map<String, Long> expected = new TreeMap<>();
        List<String> names = List.of(
                "point_select",
                "simple_range",
                "sum_range",
                "order_range",
                "distinct_range",
                "index_update",
                "non_index_update",
                "delete",
                "insert");
        List<Integer> times = List.of(points, simple, sums, ordered, distinct, indexed, others, deletes, inserts);
        for (int i = 0; i < names.size(); i++) {
            if (times.get(i) > 0) {
                expected.put(names.get(i), (long) times.get(i));
            }
        }
        if (brackets > 0) {
            expected.put("begin", 1L);
            expected.put("commit", 1L);
        }
        calls.remove("rollback"); // of duplicates
        assertThat(calls).isEqualTo(expected);
        assertThat(number("select count(*) from sbtest1")).isEqualTo(20_000);
    }

    /** As in oltp_common.lua; the INSERT goes where the DELETE went. */
    @Test
    void suiteDrawsATableForEachKindOfStatement() {
        RunResult run = run("--op oltp_read_write --tables 2 --table-rows 2000 --point-selects 2 -c 1 -T 0.5");

        List<String> ofTable1 = Stream.of(
                        "point_select_1",
                        "simple_range",
                        "sum_range",
                        "order_range",
                        "distinct_range",
                        "index_update",
                        "non_index_update",
                        "delete")
                .map(name -> name + "_1")
                .toList();
        assertThat(ofTable1.stream().map(name -> calls(run, name)).distinct())
                .as("calls on the first table")
                .hasSizeGreaterThan(2);
        assertThat(calls(run, "point_select_2_1")).isEqualTo(calls(run, "point_select_1_1"));
        assertThat(calls(run, "insert_1")).isEqualTo(calls(run, "delete_1"));
        assertThat(calls(run, "sum_range_1") + calls(run, "sum_range_2"))
                .isEqualTo(calls(run, "delete_1") + calls(run, "delete_2"))
                .isEqualTo(calls(run, "commit"));
    }

    private static long calls(RunResult run, String statement) {
        return only(run).statements().get(statement).callsInAll();
    }

    @Test
    void deletesEachIdOnceAndFillsTheTablesAgain() {
        RunResult run = run("--op oltp_delete --table-rows 40 -T 0.5");

        assertThat(run.load().halts().count()).isPositive();
        assertThat(only(run).misses()).isZero();
        assertThat(only(run).ok()).isBetween(40L, 40 * (run.load().halts().count() + 1L));
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
    }

    @Test
    void tablesDoNotGrowWhenTheyAreFilledAgain() {
        RunResult run = run("--op oltp_delete --table-rows 40 -T 0.5");
        TestServer.execute(
                url,
                "drop table if exists fresh",
                "create table fresh as select i as id, i as k, ''::char(120) as c, ''::char(60) as pad"
                        + " from generate_series(1, 40) i");

        assertThat(run.load().halts().count()).isPositive();
        assertThat(number("select pg_relation_size('sbtest1')"))
                .isLessThanOrEqualTo(number("select pg_relation_size('fresh')"));
    }

    @Test
    void deletesInRandomOrder() {
        TestServer.execute(
                url,
                "create table sbtest1 (id int primary key, k int, c char(120), pad char(60))",
                "insert into sbtest1 select i, 1, '', '' from generate_series(1, 500) i",
                "drop table if exists deleted",
                "create table deleted (n serial, id int)",
                "create or replace function note() returns trigger language plpgsql as"
                        + " 'begin insert into deleted (id) values (old.id); return null; end'",
                "create trigger note after delete on sbtest1 for each row execute function note()");

        run("--op oltp_delete --no-reset -c 1 -T 30");

        assertThat(number("select count(distinct id) from deleted")).isEqualTo(500);
        assertThat(number("select count(distinct step) from"
                        + " (select id - lag(id) over (order by n) as step from deleted) x"))
                .as("differences between an id and the next")
                .isGreaterThan(200);
    }

    @Test
    void insertsUpdatesAndDeletesRunTogether() {
        RunResult run = run("--op oltp_insert:2,oltp_update:2,oltp_update_non_index:1,oltp_delete:1 --table-rows 300");

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(run.operations().values()).allMatch(o -> o.ok() > 0);
        assertThat(run.operations().get("oltp_insert").duplicates()).isZero();
        assertThat(number("select count(*) from sbtest1 where id > 300"))
                .isEqualTo(run.operations().get("oltp_insert").ok());
    }

    @ParameterizedTest
    @CsvSource({
        "oltp_update, update, 'return old', COUNTS_DIFFER, check, 'updates by oltp_update, sum(k)'",
        "oltp_update_non_index, update, 'return null', WRITES_DISCARDED, operation, oltp_update_non_index",
        "oltp_write_only, insert, 'return null', WRITES_DISCARDED, operation, oltp_write_only",
        "oltp_delete, delete, 'return null', ROWS_DISCARDED, check, 'deletes by oltp_delete, count(*)'"
    })
    void findsALostWrite(String op, String verb, String loss, RemarkCode code, String figure, String value) {
        run("--op " + op + " --table-rows 10000");
        TestServer.execute(
                url,
                "create or replace function lose() returns trigger language plpgsql as 'begin if random() < 0.5 then "
                        + loss + "; end if; return case tg_op when ''DELETE'' then old else new end; end'",
                "create trigger lose before " + verb + " on sbtest1 for each row execute function lose()");

        RunResult run = run("--op " + op + " --table-rows 10000");

        assertThat(run.valid()).as("%s", run.dataset().afterwards()).isFalse();
        assertThat(run.reasons())
                .as("the operation is named")
                .anyMatch(reason ->
                        reason.code() == code && value.equals(reason.figures().get(figure)));
    }

    @Test
    void rowsMissingFromUnloggedTablesAreReportedAsSuch() {
        run("--op oltp_insert --tables 2 --unlogged");
        TestServer.execute(
                url,
                "create or replace function lose() returns trigger language plpgsql as"
                        + " 'begin delete from sbtest1 where id = new.id; return null; end'",
                "create trigger lose after insert on sbtest1 for each row execute function lose()");

        RunResult run = run("--op oltp_insert --tables 2 --unlogged --no-reset");

        assertThat(Runs.found(run, RemarkCode.COUNTS_DIFFER))
                .singleElement()
                .satisfies(figures -> assertThat(figures).containsEntry("unlogged", "sbtest1, sbtest2"));
    }

    @Test
    void leavesTheRowsOfForeignTablesAlone() {
        TestServer.execute(
                url,
                "create table sbtest1 (id int primary key, k int, c char(120), pad char(60))",
                "insert into sbtest1 select i, 1, '', '' from generate_series(1, 60) i");

        assertThatThrownBy(() -> run("--op oltp_delete"))
                .hasMessageStartingWith(
                        "table: sbtest1 was not created by this program, so oltp_delete could not restore");
        assertThatThrownBy(() -> run("--op oltp_update --table-rows 100"))
                .hasMessageStartingWith("table-rows: sbtest1 has ids up to 60 and was not created by this program");
        RunResult update = run("--op oltp_update");
        assertThat(Runs.reasonsOfTheRunItself(update)).isEmpty();
        assertThat(number("select sum(k) from sbtest1"))
                .isEqualTo(60 + only(update).ok());
        RunResult delete = run("--op oltp_delete --no-reset");
        assertThat(only(delete).ok()).isEqualTo(60);
        assertThat(delete.remarks()).anyMatch(remark -> remark.code() == RemarkCode.ENDED_EARLY);
    }

    @Test
    void tableThatIsGoneAfterTheLoadIsReported() throws Exception {
        CompletableFuture<Void> drop = CompletableFuture.runAsync(() -> {
            while (number("select count(*) from pg_stat_user_tables where relname = 'sbtest1' and n_tup_ins > 0")
                    == 0) {
                Thread.onSpinWait();
            }
            TestServer.execute(url, "drop table sbtest1");
        });
        RunResult run = Runs.run("-c 3 --think 5ms --warmup 0 -T 2 --op oltp_insert --url " + url);
        drop.get();

        assertThat(run.valid()).isFalse();
        assertThat(run.reasons())
                .contains(RemarkCode.CHECKS_REFUSED
                        .with("error", "relation \"sbtest1\" does not exist")
                        .remark());
    }
}
