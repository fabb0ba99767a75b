package io.pgstress.operation.custom;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts as a miss, a failure or a mistake in the file if a step finds or changes no row. */
@Slow
final class StepMissesTest extends OwnOperations {

    @ParameterizedTest
    @ValueSource(strings = {"plain", "prepared"})
    void rollsBackADuplicateInATransaction(String mode) throws IOException {
        Path file = file("""
                mine:
                  transaction: true
                  setup: create table if not exists made (i int primary key, n int);
                  reset: truncate made
                  parameters: {i: {range: 1..5}}
                  steps:
                    - {name: mark, sql: "insert into made values (-(random() * 1000000000)::int - 1, :i)"}
                    - {name: insert, sql: "insert into made values (:i, 0)"}
                """);

        OperationResult result = run(file, "mine", "-M " + mode).operations().get("mine");

        assertThat(result.ok()).isEqualTo(5);
        assertThat(result.duplicates()).isPositive();
        assertThat(TestServer.number(url, "select count(*) from made")).isEqualTo(10);
    }

    @Test
    void fewerRowsThanRequiredAreAMiss() throws IOException {
        Path file = file("""
                mine:
                  parameters: {i: {choice: [1, 1000000]}}
                  steps: [{name: read, sql: "select data from ${table} where _id = :i"}]
                """);

        RunResult run = run(file, "mine");
        OperationResult result = run.operations().get("mine");

        assertThat(result.misses()).isPositive();
        assertThat(result.ok()).isPositive();
        assertThat(result.errors()).isEmpty();
        assertThat(run.remarks()).extracting(Remark::code).doesNotContain(RemarkCode.TOO_MANY_MISSES);
    }

    @Test
    void operationThatLimitsItsMissesIsNotValidBeyondTheLimit() throws IOException {
        Path file = file("""
                mine:
                  misses: limited
                  parameters: {i: {choice: [1, 1000000]}}
                  steps: [{name: read, sql: "select data from ${table} where _id = :i"}]
                """);

        assertThat(run(file, "mine").reasons()).extracting(Remark::code).contains(RemarkCode.TOO_MANY_MISSES);
        assertThat(run(file, "mine", "--max-miss-rate 90%").reasons())
                .extracting(Remark::code)
                .doesNotContain(RemarkCode.TOO_MANY_MISSES);
    }

    @Test
    void reportsAnEmptyResultThatALaterStepNeedsWithFileLineAndStep() throws IOException {
        Path file = file("""
                mine:
                  steps:
                    - {name: read, sql: select data from docs where _id = -1, keep: {doc: data}, miss: never}
                    - {name: write, sql: "select :doc::jsonb"}
                """);

        RunResult run = run(file, "find_first:9,mine:1");

        String line = file + ":4: operation 'mine', step 'write': parameter ':doc' is kept from a step whose result was"
                + " empty (define 'miss' for that step)";
        OperationResult result = run.operations().get("mine");
        assertThat(result.ok()).isZero();
        assertThat(result.errors().get("02000").sample()).isEqualTo(line);
        assertThat(run.operations().get("find_first").ok()).isPositive();
        assertThat(run.valid()).isFalse();
        assertThat(run.remarks())
                .contains(
                        RemarkCode.EMPTY_RESULT_USED
                                .with("error", line)
                                .with("times", result.failed())
                                .remark(),
                        RemarkCode.NO_SUCCESS_OF
                                .with("operation", "mine")
                                .with("failed", result.failed())
                                .remark());
    }

    @Test
    void occasionallyEmptyResultIsAMistakeIfTheFileSaysNever() throws IOException {
        String steps = """
                mine:
                  parameters: {i: {choice: [1, -1]}}
                  steps:
                    - {name: read, sql: select data from docs where _id = :i, keep: {doc: data}, miss: %s}
                    - {name: write, sql: "select :doc::jsonb"}
                """;

        RunResult mistaken = run(file(String.format(Locale.ROOT, steps, "never")), "mine", "-T 0.5");
        RunResult right = run(file(String.format(Locale.ROOT, steps, "empty")), "mine", "-T 0.5");

        assertThat(mistaken.operations().get("mine").ok()).isPositive();
        assertThat(mistaken.valid()).isFalse();
        assertThat(right.operations().get("mine").misses()).isPositive();
        assertThat(Runs.reasonsOfTheRunItself(right)).isEmpty();
    }

    @Test
    void countsEmptyResultsAcrossResetsOfTheIds() throws IOException {
        Path file = file("""
                mine:
                  steps:
                    - {name: read, sql: select data from docs where _id = -1, keep: {doc: data}, miss: never}
                    - {name: write, sql: "select :doc::jsonb"}
                """);

        TestServer.execute(url, "delete from docs where _id > 5");

        RunResult run = run(file, "find_insert:1,mine:1");

        long failed = run.operations().get("mine").failed();
        assertThat(run.load().halts().count()).isPositive();
        assertThat(run.remarks())
                .anySatisfy(w -> assertThat(w.text())
                        .contains("step 'write'")
                        .endsWith(", " + String.format(Locale.ROOT, "%,d", failed) + " times"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "extended", "prepared"})
    void stepWithoutARowCountIsNotAMiss(String mode) throws IOException {
        Path file = file("""
                mine:
                  transaction: true
                  parameters: {i: {range: 1..500}}
                  steps:
                    - {name: set, sql: "/* of this transaction */ set local work_mem = '8MB'"}
                    - {name: lock, sql: "lock table ${table} in row share mode"}
                    - {name: do, sql: "do $$ begin perform 1; end $$"}
                    - {name: read, sql: "select data from ${table} where _id = :i"}
                """);

        OperationResult result = run(file, "mine", "-M " + mode).operations().get("mine");

        assertThat(result.errors()).isEmpty();
        assertThat(result.misses()).isZero();
        assertThat(result.ok()).isPositive();
        assertThat(result.rows()).isEqualTo(result.ok());
    }

    @Test
    void changeOfNoRowIsAMissEvenAfterAComment() throws IOException {
        Path file = file("""
                mine:
                  steps: [{name: none, sql: "-- nobody\\n update ${table} set data = data where _id = -1"}]
                """);

        assertThat(run(file, "mine").operations().get("mine").misses()).isPositive();
    }

    @Test
    void usesEachIdOnceAndAllAgainAfterAReset() throws IOException {
        Path file = file("""
                mine:
                  setup: create table if not exists made (_id int primary key)
                  reset: truncate made
                  parameters: {id: {id: once}}
                  steps: [{name: insert, sql: "insert into made values (:id)"}]
                copies:
                  copy: empty
                  parameters: {id: {id: once}}
                  steps:
                    - {name: read, sql: "select data from ${table} where _id = :id", keep: {data: data}}
                    - {name: insert, sql: "insert into ${copy} (_id, data) values (:id, :data)"}
                """);
        for (String op : List.of("mine", "copies")) {
            RunResult run = runUntil(2 * ROWS, file, op);

            OperationResult result = run.operations().get(op);
            assertThat(result.errors()).as(op).isEmpty();
            assertThat(result.duplicates()).as(op).isZero();
            assertThat(result.ok()).as(op).isGreaterThan(ROWS);
            assertThat(run.load().halts().count()).as(op).isPositive();
        }
        assertThat(TestServer.number(url, "select count(*) from docs_copy join docs using (_id, data)"))
                .isEqualTo(TestServer.number(url, "select count(*) from docs_copy"));
    }

    @Test
    void uncountableWritesDoNotInvalidateDeletes() throws IOException {
        TestServer.execute(url, "create table jobs (id int primary key, n int)");
        String steps = """
                mine:
                  parameters: {i: {choice: [1, 2, 3, 4, 5]}, j: {choice: [1, 2, 3]}}
                  steps:
                    - {sql: "insert into jobs values (:i, 1) on conflict (id) do update set n = jobs.n + 1"}
                    - {sql: "delete from jobs where id = :j", miss: never}
                """;

        RunResult run = run(file(steps), "mine", "-c 1");

        assertThat(Runs.found(run, RemarkCode.WRITES_NOT_CHECKED))
                .singleElement()
                .satisfies(figures -> assertThat(figures).containsEntry("table", "jobs"));
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
    }
}
