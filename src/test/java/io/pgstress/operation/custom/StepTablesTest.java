package io.pgstress.operation.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The tables of custom operations: copies, tables of their own, one table per client. */
@Slow
final class StepTablesTest extends OwnOperations {
    @Test
    void eachClientIsPinnedToOneTable() throws IOException {
        Path file = file("""
                mine:
                  tables: 3
                  setup:
                    - drop table if exists pinned_${n}
                    - create table pinned_${n} (i bigint, pid int default pg_backend_pid())
                  parameters:
                    i: {sequence: 1}
                  steps:
                    - {name: insert, sql: "insert into pinned_${n} (i) values (:i)"}
                    - {name: read, sql: "select count(*) from docs"}
                """);

        RunResult run = run(file, "mine", "-c 4");

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(TestServer.text(
                        url,
                        "select string_agg(n::text, ' ' order by t) from (select t, count(distinct pid) n from (select 1 t,"
                                + " pid from pinned_1 union all select 2, pid from pinned_2 union all select 3, pid from"
                                + " pinned_3) x group by t) y"))
                .isEqualTo("2 1 1");
        assertThat(Runs.found(run, RemarkCode.INSERTS_FOUND))
                .allSatisfy(figures -> assertThat(figures).containsEntry("operations", "mine (insert)"))
                .extracting(figures -> figures.get("table"))
                .containsExactlyInAnyOrder("pinned_1", "pinned_2", "pinned_3");
    }

    @Test
    void createsAMissingCopyTableWithoutAReset() throws IOException {
        OperationResult upsert = run(Path.of("config/operations/upsert.yaml"), "upsert", "--no-reset")
                .operations()
                .get("upsert");
        long first = TestServer.number(url, "select count(*) from docs_copy");
        Path logs = file("""
                logs:
                  parameters: {id: {sequence: 1000000}}
                  steps: [{name: insert, sql: "insert into ${copy} (_id) values (:id)"}]
                """);
        OperationResult left = run(logs, "logs").operations().get("logs");

        assertThat(upsert.ok()).isPositive();
        assertThat(upsert.errors()).isEmpty();
        assertThat(TestServer.number(url, "select count(*) from docs_copy")).isEqualTo(first + left.ok());
        TestServer.execute(url, "drop table docs_copy");
        assertThat(run(logs, "logs").operations().get("logs").errors()).isEmpty();
    }

    @Test
    void upsertFillsTheCopyTableAndTimesEveryStatement() {
        OperationResult result = run(Path.of("config/operations/upsert.yaml"), "upsert")
                .operations()
                .get("upsert");

        assertThat(result.statements().keySet()).containsExactly("begin", "select", "upsert", "commit", "rollback");
        assertThat(result.statements().get("commit").callsInAll())
                .isEqualTo(result.statements().get("begin").callsInAll())
                .isEqualTo(result.ok());
        assertThat(TestServer.number(url, "select count(*) from docs_copy join docs using (_id, data)"))
                .isPositive()
                .isEqualTo(TestServer.number(url, "select count(*) from docs_copy"));
    }

    @Test
    void fillsACopyThatMustBeFull() throws IOException {
        Path file = Path.of("config/operations/set-field.yaml");
        assertThatThrownBy(() -> run(file, "set_field", "--no-reset"))
                .isInstanceOf(TargetException.class)
                .hasMessage("no-reset: table docs_copy, which the operation needs filled, is missing or empty;"
                        + " leave out --no-reset to fill it");
        assertThat(run(file, "set_field").operations().get("set_field").ok()).isPositive();
        assertThat(run(file, "set_field", "--no-reset")
                        .operations()
                        .get("set_field")
                        .misses())
                .isZero();
    }

    @Test
    void stepsCanNameATableDerivedFromTheOneUnderLoad() throws IOException {
        Path file = file("""
                mine:
                  setup: create table if not exists ${table:log} (i bigint primary key)
                  parameters: {i: {sequence: 1}}
                  steps: [{name: insert, sql: "insert into ${table:log} values (:i)"}]
                """);

        OperationResult result = run(file, "mine").operations().get("mine");

        assertThat(result.ok()).isPositive();
        assertThat(TestServer.number(url, "select count(*) from docs_log")).isEqualTo(result.ok());
    }

    @Test
    void operationWithoutDocumentsNeedsNoTable() throws IOException {
        Path file = file("""
                mine:
                  setup: create table if not exists plain (i bigint primary key, n int)
                  parameters: {i: {sequence: 1}, n: {range: 1..9, distribution: zipfian}}
                  steps: [{name: insert, sql: "insert into plain values (:i, :n)"}]
                """);
        String options = "-c 2 --warmup 0 -T 0.3 --url " + url + " --operations " + file;

        RunResult run = Runs.run(options, "--op mine");

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(run.dataset().table()).isEqualTo("(own tables)");
        assertThat(TestServer.number(url, "select count(*) from plain"))
                .isPositive()
                .isEqualTo(run.operations().get("mine").ok());
        assertThat(Runs.run(options, "--op mine -t plain").dataset().rowsBefore())
                .isPositive();
        assertThatThrownBy(() -> Runs.run(options, "--op mine,find_first"))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage(
                        "--table: is missing, and the server is " + url
                                + ". Give the name of a table that stress import made, or an operation that needs none, such as --op tpcb.");
    }

    @Test
    void drawsTablesAndComparesThemWithTheWritesOfAStep() throws IOException {
        Path file = file("""
                mine:
                  tables: 3
                  table-of: operation
                  setup:
                    - drop table if exists drawn_${n}
                    - create table drawn_${n} (id bigint primary key, k int, code text)
                    - insert into drawn_${n} select i, 0 from generate_series(1, 1 + ${n}) i
                  values: {last: {max: "select max(id) from drawn_${n}"}}
                  parameters:
                    new: {sequence: "${last}"}
                    id: {range: "2..${last}"}
                    code: {digits: "##-#"}
                  rows: 7
                  steps:
                    - {name: insert, sql: "insert into drawn_${n} values (:new + 1, 0, :code)"}
                    - {name: update, sql: "update drawn_${n} set k = k + 1 where id = :id", miss: never}
                  checks:
                    - {name: counters, grows: "select sum(k) from drawn_${n}", by: update}
                    - {name: new rows, equals: "select count(*) from drawn_${n} where id > ${last}", by: insert}
                """);

        RunResult run = run(file, "mine");

        OperationResult mine = run.operations().get("mine");
        assertThat(mine.errors()).isEmpty();
        assertThat(mine.rows()).isEqualTo(7 * mine.ok());
        assertThat(mine.statements().keySet())
                .containsExactly("insert_1", "update_1", "insert_2", "update_2", "insert_3", "update_3");
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(Runs.found(run, RemarkCode.COUNTS_AGREE))
                .extracting(figures -> figures.get("check"))
                .contains("counters", "new rows");
        assertThat(TestServer.number(url, "select count(*) from drawn_2 where id > 4 and code !~ '^[0-9]{2}-[0-9]$'"))
                .isZero();
    }

    @Test
    void checkThatFailsAfterTheLoadIsReported() throws IOException {
        Path file = file("""
                mine:
                  setup: [create table written (i bigint), create table compared (i bigint)]
                  parameters: {i: {sequence: 1}}
                  steps:
                    - {name: insert, sql: "insert into written values (:i)"}
                    - {name: drop, sql: "drop table if exists compared"}
                  checks: [{name: rows, equals: select count(*) from compared, by: insert}]
                """);

        RunResult run = run(file, "mine", "-c 1");

        assertThat(run.operations().get("mine").ok()).isPositive();
        assertThat(run.valid()).isFalse();
        assertThat(run.reasons())
                .contains(RemarkCode.CHECKS_REFUSED
                        .with("error", "relation \"compared\" does not exist")
                        .remark());
    }
}
