package io.pgstress.operation.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Custom operations against a server: their statements, copies and sequences. */
@Slow
final class StepsOperationTest extends OwnOperations {

    @ParameterizedTest
    @CsvSource({
        "containment, contains_gin",
        "containment, contains_scan",
        "expression-index, find_by_field",
        "set-field, set_field",
        "keyset-paging, two_pages",
        "upsert, upsert",
        "shard-pruning, stable_filter",
        "pinned-insert, pinned_insert"
    })
    void examplesRunInAllStatementModes(String file, String op) {
        for (String mode : List.of("plain", "extended", "prepared")) {
            RunResult run = run(Path.of("config/operations/" + file + ".yaml"), op, "statement", mode);

            OperationResult result = run.operations().get(op);
            assertThat(result.errors()).as(mode).isEmpty();
            assertThat(result.ok()).as(mode).isGreaterThan(20);
            assertThat(result.rows()).as(mode).isGreaterThanOrEqualTo(result.ok());
            assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        }
    }

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

        RunResult run = run(file, "mine", "threads", "4");

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(TestServer.text(
                        url,
                        "select string_agg(n::text, ' ' order by t) from (select t, count(distinct pid) n from (select 1 t,"
                                + " pid from pinned_1 union all select 2, pid from pinned_2 union all select 3, pid from"
                                + " pinned_3) x group by t) y"))
                .isEqualTo("2 1 1");
        assertThat(run.dataset().afterwards())
                .filteredOn(
                        text -> text.matches("mine \\(insert\\): all .* acknowledged inserts are in pinned_[123] .*"))
                .hasSize(3);
    }

    @Test
    void containmentUsesTheIndex() {
        run(Path.of("config/operations/containment.yaml"), "contains_gin");

        assertThat(TestServer.text(url, "select indexdef from pg_indexes where indexname = 'docs_gin'"))
                .contains("USING gin");
        run(Path.of("config/operations/containment.yaml"), "contains_scan");
        assertThat(TestServer.number(url, "select count(*) from pg_indexes where indexname = 'docs_gin'"))
                .isZero();
    }

    @Test
    void operationsOfAMixDrawDifferentValues() throws IOException {
        TestServer.execute(url, "create table drawn (by text, n int)");
        Path file = file("""
                a:
                  parameters: {n: {range: 1..2000000000}}
                  steps: [{sql: "insert into drawn values ('a', :n)"}]
                b:
                  parameters: {n: {range: 1..2000000000}}
                  steps: [{sql: "insert into drawn values ('b', :n)"}]
                """);

        run(file, "a,b");

        assertThat(TestServer.number(url, "select count(distinct by) from drawn"))
                .isEqualTo(2);
        assertThat(TestServer.number(url, "select count(*) from drawn a join drawn b using (n) where a.by < b.by"))
                .isLessThan(5);
    }

    @Test
    void createsAMissingCopyTableWithoutAReset() throws IOException {
        OperationResult upsert = run(Path.of("config/operations/upsert.yaml"), "upsert", "no-reset", "true")
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

        assertThat(result.statements().keySet()).containsExactly("select", "upsert", "begin", "commit", "rollback");
        assertThat(result.statements().get("commit").callsInAll())
                .isEqualTo(result.statements().get("begin").callsInAll())
                .isEqualTo(result.ok());
        assertThat(TestServer.number(url, "select count(*) from docs_copy join docs using (_id, data)"))
                .isPositive()
                .isEqualTo(TestServer.number(url, "select count(*) from docs_copy"));
    }

    @Test
    void customOperationsMixWithBuiltInOnes() {
        RunResult run = run(Path.of("config/operations/keyset-paging.yaml"), "find_first:3,two_pages:1");

        long first = run.operations().get("find_first").ok();
        long pages = run.operations().get("two_pages").ok();
        assertThat((double) first / pages).isBetween(2.0, 4.5);
        assertThat(run.intervals().get(0).operations()).containsOnlyKeys("find_first", "two_pages");
    }

    @Test
    void sequencesAreDistinctForAllClientsAndHosts() throws IOException {
        Path file = file("""
                mine:
                  setup: create table if not exists made (i bigint primary key)
                  parameters: {i: {sequence: 100}}
                  steps: [{name: insert, sql: insert into made values (:i)}]
                """);
        long ok = 0;
        for (String slice : List.of("1/2", "2/2")) {
            OperationResult result =
                    run(file, "mine", "id-slice", slice).operations().get("mine");
            assertThat(result.duplicates()).isZero();
            ok += result.ok();
        }

        assertThat(TestServer.number(url, "select count(*) from made")).isEqualTo(ok);
        assertThat(TestServer.number(url, "select min(i) from made")).isEqualTo(100);
    }

    @Test
    void sequencesWithTheSameStartAreSharedByAllParameters() throws IOException {
        Path file = file("""
                one:
                  setup: create table if not exists numbered (i bigint primary key)
                  parameters: {i: {sequence: 7}, j: {sequence: 7}}
                  steps: [{name: insert, sql: "insert into numbered values (:i), (:j)"}]
                other:
                  setup: create table if not exists numbered (i bigint primary key)
                  parameters: {i: {sequence: 7}}
                  steps: [{name: insert, sql: insert into numbered values (:i)}]
                """);
        long rows = 0;
        for (String slice : List.of("1/2", "2/2")) {
            Map<String, OperationResult> results =
                    run(file, "one,other", "id-slice", slice).operations();
            assertThat(results.values())
                    .allSatisfy(o -> assertThat(o.duplicates()).isZero());
            rows += results.values().stream().mapToLong(OperationResult::rows).sum();
        }

        assertThat(TestServer.number(url, "select count(*) from numbered")).isEqualTo(rows);
        TestServer.execute(url, "truncate numbered");
        run(file, "other");
        assertThat(TestServer.number(url, "select count(*) from numbered where i between 7 and 10"))
                .isEqualTo(4);
    }

    @Test
    void fillsACopyThatMustBeFull() throws IOException {
        Path file = Path.of("config/operations/set-field.yaml");
        assertThatThrownBy(() -> run(file, "set_field", "no-reset", "true"))
                .isInstanceOf(TargetException.class)
                .hasMessage("no-reset: table docs_copy, which the operation needs filled, is missing or empty;"
                        + " leave out --no-reset to fill it");
        assertThat(run(file, "set_field").operations().get("set_field").ok()).isPositive();
        assertThat(run(file, "set_field", "no-reset", "true")
                        .operations()
                        .get("set_field")
                        .misses())
                .isZero();
    }

    @Test
    void keepsAColumnUnderSeveralNames() throws IOException {
        Path file = file("""
                mine:
                  parameters: {i: {range: 1..500}}
                  steps:
                    - {name: read, sql: "select _id from docs where _id = :i", keep: {a: _id, b: _id}}
                    - {name: same, sql: "select 1 where :a::int = :b::int"}
                """);

        OperationResult result = run(file, "mine").operations().get("mine");

        assertThat(result.errors()).isEmpty();
        assertThat(result.ok()).isPositive();
        assertThat(result.misses()).isZero();
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

    @ParameterizedTest
    @ValueSource(strings = {"plain", "extended", "prepared"})
    void sendsNegativeNumbersInEveryMode(String mode) throws IOException {
        TestServer.execute(url, "update docs set _id = -_id");
        Path file = file("""
                mine:
                  parameters: {id: {id: any}}
                  steps: [{name: read, sql: "select 1 from docs where _id = 0 -:id * -1 and _id::text = :id::text"}]
                """);

        OperationResult result =
                run(file, "mine", "statement", mode).operations().get("mine");

        assertThat(result.errors()).isEmpty();
        assertThat(result.misses()).isZero();
        assertThat(result.ok()).isPositive();
    }

    @Test
    void operationWithoutDocumentsNeedsNoTable() throws IOException {
        Path file = file("""
                mine:
                  setup: create table if not exists plain (i bigint primary key, n int)
                  parameters: {i: {sequence: 1}, n: {range: 1..9, distribution: zipfian}}
                  steps: [{name: insert, sql: "insert into plain values (:i, :n)"}]
                """);
        List<String> options = List.of(
                "url",
                url,
                "operations",
                file.toString(),
                "op",
                "mine",
                "threads",
                "2",
                "warmup",
                "0",
                "duration",
                "0.3");

        RunResult run = Runs.run(options.toArray(String[]::new));

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(run.dataset().table()).isEqualTo("(own tables)");
        assertThat(TestServer.number(url, "select count(*) from plain"))
                .isPositive()
                .isEqualTo(run.operations().get("mine").ok());
        List<String> named = new ArrayList<>(options);
        named.addAll(List.of("table", "plain"));
        assertThat(Runs.run(named.toArray(String[]::new)).dataset().rowsBefore())
                .isPositive();
        List<String> mixed = new ArrayList<>(options);
        mixed.set(mixed.indexOf("mine"), "mine,find_first");
        assertThat(catchThrowableOfType(InvalidPlanException.class, () -> Runs.run(mixed.toArray(String[]::new))))
                .hasMessage("--table: must be given with --url");
    }
}
