package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.OperationResult;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs on three hosts that write: no two hosts use the same id, and the tables hold what the hosts together acknowledged. */
@Slow
final class FleetWritesTest extends OnThreeHosts {
    private static final int FEW = 200;

    @BeforeAll
    static void makeTables() {
        TestServer.table(url, "docs", 5000);
        TestServer.table(url, "few", FEW);
    }

    private static RunResult write(String table, String op, String options) throws IOException {
        RunResult result = run(table, "--op " + op + " --warmup 0 -P 0.25 " + options);
        for (OperationResult operation : result.operations().values()) {
            assertThat(operation.errors()).isEmpty();
            assertThat(operation.duplicates()).isZero();
            assertThat(operation.ok()).isPositive();
        }
        assertThat(result.hosts()).allMatch(host -> host.ok() > 0);
        return result;
    }

    @ParameterizedTest
    @ValueSource(strings = {"find_insert", "find_delete"})
    void usedUpIdsHaltAllHostsAndAreResetOnce(String op) throws IOException {
        TestServer.execute(url, "select pg_stat_statements_reset()");
        RunResult result = write("few", op, "-c 7 -T 0.5");

        OperationResult operation = result.operations().get(op);
        assertThat(result.load().halts().count())
                .as("%,d operations, %s", operation.ok(), result.reasons())
                .isPositive();
        assertThat(operation.ok())
                .isLessThanOrEqualTo(FEW * (result.load().halts().count() + 1L));
        assertThat(operation.misses()).isZero();
        assertThat(operation.ok()).isEqualTo(operation.rows());
        boolean isInsert = op.equals("find_insert");
        assertThat(Runs.found(result, isInsert ? RemarkCode.INSERTS_FOUND : RemarkCode.DELETED_ROWS_GONE))
                .containsExactly(Map.of(
                        "operations",
                        op,
                        isInsert ? "inserted" : "deleted",
                        operation.ok(),
                        "table",
                        "few_copy",
                        "by",
                        "count(*) and sum(_id)"));
        assertThat(Runs.found(result, RemarkCode.CHECKED_AT_RESETS))
                .containsExactly(Map.of("operations", op, "table", "few_copy", "resets", (long)
                        result.load().halts().count()));
        assertThat(TestServer.number(
                        url,
                        "select sum(rows) from pg_stat_statements where query ~ '^" + op.substring(5)
                                + " .*few_copy.* (values \\(|where _id = )\\$1'"))
                .isEqualTo(operation.ok());
    }

    @Test
    void ownTablesHoldWhatAllHostsWrote() throws IOException {
        RunResult result = write("docs", "oltp_insert,bulk_insert,tpcb", "-c 5 -T 0.3");

        assertRows("sbtest1", result.operations().get("oltp_insert").ok());
        assertRows("pgbench_history", result.operations().get("tpcb").ok());
        assertRows(
                TestServer.text(url, "select relname from pg_class where relkind = 'r' and relname like '%bulk%'"),
                result.operations().get("bulk_insert").rows());
    }

    /** All hosts update rows of the same tables, and delete each row once until all are used up. */
    @Test
    void hostsChangeTheSameRowsOfSysbench() throws IOException {
        String options = "--table-rows 200 --tables 2 -c 7 -T 0.3";
        String sum = "select (select sum(k) from sbtest1) + (select sum(k) from sbtest2)";
        Runs.run("-t docs --op oltp_update --warmup 0 -T 0.05 --url " + url, options); // makes the tables
        long before = TestServer.number(url, sum);
        RunResult updates = write("docs", "oltp_update", options);

        assertThat(TestServer.number(url, sum) - before)
                .isEqualTo(updates.operations().get("oltp_update").ok());
        assertThat(updates.operations().get("oltp_update").misses()).isZero();
        assertThat(Runs.found(updates, RemarkCode.COUNTS_AGREE))
                .extracting(figures -> figures.get("check"))
                .contains("updates by oltp_update, sum(k)");

        TestServer.execute(url, "select pg_stat_statements_reset()");
        RunResult run = write("docs", "oltp_delete", options);

        OperationResult deletes = run.operations().get("oltp_delete");
        assertThat(run.load().halts().count()).isPositive();
        assertThat(deletes.misses()).isZero();
        assertThat(
                        TestServer.number(
                                url,
                                "select sum(rows) from pg_stat_statements where query ~ '^delete from sbtest. where id = \\$1'"))
                .isEqualTo(deletes.ok());
        long left = TestServer.number(url, "select (select count(*) from sbtest1) + (select count(*) from sbtest2)");
        assertThat(Runs.found(run, RemarkCode.COUNTS_AGREE))
                .as("deletes since the last reset")
                .anySatisfy(figures -> assertThat(figures)
                        .containsEntry("check", "deletes by oltp_delete, count(*)")
                        .containsEntry("found", 400 - left));
    }

    private static void assertRows(String table, long rows) {
        assertThat(TestServer.number(url, "select count(*) from \"" + table + "\""))
                .as(table)
                .isEqualTo(rows);
    }

    /** Sequences are shared without overlaps, "once" means once over all hosts, and hosts agree on which ids are frequent. */
    @Test
    void customOperationsShareSequencesAndIds() throws IOException {
        TestServer.execute(
                url,
                "create table made (i bigint)",
                "create table used (id int)",
                "create table drawn (host int, id int)");
        Path file = Files.writeString(directory.resolve("own.yaml"), """
                made:
                  parameters: {i: {sequence: 100}}
                  steps: [{name: insert, sql: "insert into made values (:i)"}]
                used:
                  parameters: {id: {id: once}}
                  steps: [{name: insert, sql: "insert into used values (:id)"}]
                drawn:
                  parameters: {i: {sequence: 5000}, id: {id: zipfian}}
                  steps: [{name: insert, sql: "insert into drawn values (:i % 3, :id)"}]
                """);
        RunResult result = write("docs", "made:3,used:1,drawn:3", "--operations " + file + " -c 6 -T 0.4");

        assertDistinct("made", "i", result.operations().get("made").ok());
        assertDistinct("used", "id", result.operations().get("used").ok());
        assertThat(TestServer.number(url, "select count(*) from drawn"))
                .isEqualTo(result.operations().get("drawn").ok());
        double smallestShare = Double.parseDouble(TestServer.text(
                url,
                "select min(share) from (select avg((id = (select mode() within group (order by id) from drawn))::int)"
                        + " share from drawn group by host) hosts"));
        assertThat(smallestShare).isBetween(0.04, 0.4);
    }

    private static void assertDistinct(String table, String column, long ok) {
        assertThat(TestServer.number(url, "select count(*) from " + table)).isEqualTo(ok);
        assertThat(TestServer.number(url, "select count(distinct " + column + ") from " + table))
                .isEqualTo(ok);
    }
}
