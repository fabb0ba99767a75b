package io.pgstress.operation.custom;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Custom operations against a server: their statements, values and sequences. */
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
            RunResult run = run(Path.of("config/operations/" + file + ".yaml"), op, "-M " + mode);

            OperationResult result = run.operations().get(op);
            assertThat(result.errors()).as(mode).isEmpty();
            assertThat(result.ok()).as(mode).isPositive();
            assertThat(result.rows()).as(mode).isGreaterThanOrEqualTo(result.ok());
            assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        }
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
    void customOperationsMixWithBuiltInOnes() {
        RunResult run = run(Path.of("config/operations/keyset-paging.yaml"), "find_first:3,two_pages:1");

        long first = run.operations().get("find_first").ok();
        long pages = run.operations().get("two_pages").ok();
        assertThat((double) first / pages).isBetween(1.5, 6.0); // of about 100 operations on a slow machine
        assertThat(run.intervals().get(0).operations()).containsOnlyKeys("find_first", "two_pages");
    }

    @Test
    void sequencesAreDistinctForAllClients() throws IOException {
        Path file = file("""
                mine:
                  setup: create table if not exists made (i bigint primary key)
                  parameters: {i: {sequence: 100}}
                  steps: [{name: insert, sql: insert into made values (:i)}]
                """);
        OperationResult result = run(file, "mine").operations().get("mine");

        assertThat(result.duplicates()).isZero();
        assertThat(TestServer.number(url, "select count(*) from made")).isEqualTo(result.ok());
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
        Map<String, OperationResult> results = run(file, "one,other").operations();
        assertThat(results.values()).allSatisfy(o -> assertThat(o.duplicates()).isZero());
        long rows = results.values().stream().mapToLong(OperationResult::rows).sum();
        assertThat(TestServer.number(url, "select count(*) from numbered")).isEqualTo(rows);
        TestServer.execute(url, "truncate numbered");
        run(file, "other");
        assertThat(TestServer.number(url, "select count(*) from numbered where i between 7 and 10"))
                .isEqualTo(4);
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

    @ParameterizedTest
    @ValueSource(strings = {"plain", "extended", "prepared"})
    void sendsNegativeNumbersInEveryMode(String mode) throws IOException {
        TestServer.execute(url, "update docs set _id = -_id");
        Path file = file("""
                mine:
                  parameters: {id: {id: any}}
                  steps: [{name: read, sql: "select 1 from docs where _id = 0 -:id * -1 and _id::text = :id::text"}]
                """);

        OperationResult result = run(file, "mine", "-M " + mode).operations().get("mine");

        assertThat(result.errors()).isEmpty();
        assertThat(result.misses()).isZero();
        assertThat(result.ok()).isPositive();
    }
}
