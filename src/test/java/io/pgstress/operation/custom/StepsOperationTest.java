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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The user's own operations against a server. */
@Slow
final class StepsOperationTest {
    private static final int ROWS = 500;

    @TempDir
    Path directory;

    private String url;

    @BeforeEach
    void makeTable() {
        url = TestServer.freshDatabase("own_operations");
        TestServer.execute(
                url,
                "create table docs (_id int primary key, data jsonb not null default '{}')",
                "insert into docs select i, jsonb_build_object('_id', i, 'u', 'x' || i, 'n', i % 7)"
                        + " from generate_series(1, " + ROWS + ") i",
                "analyze docs");
    }

    private RunResult run(Path file, String op, String... more) {
        List<String> all = new ArrayList<>(
                List.of("url", url, "table", "docs", "operations", file.toString(), "op", op, "threads", "4"));
        all.addAll(List.of("warmup", "0", "duration", "0.3"));
        all.addAll(List.of(more));
        return Runs.run(all.toArray(String[]::new));
    }

    private Path file(String yaml) throws IOException {
        return Files.writeString(directory.resolve("my.yaml"), yaml);
    }

    private String refusal(String yaml) throws IOException {
        Path file = file(yaml);
        return String.valueOf(catchThrowableOfType(InvalidPlanException.class, () -> run(file, "mine"))
                        .getMessage())
                .replace(directory + "/", "");
    }

    @ParameterizedTest
    @CsvSource({
        "containment, contains_gin",
        "containment, contains_scan",
        "expression-index, find_by_field",
        "set-field, set_field",
        "keyset-paging, two_pages",
        "upsert, upsert"
    })
    void examplesRunInAllStatementModes(String file, String op) {
        for (String mode : List.of("plain", "extended", "prepared")) {
            RunResult run = run(Path.of("config/operations/" + file + ".yaml"), op, "statement", mode);

            OperationResult result = run.operations().get(op);
            assertThat(result.errors()).as(mode).isEmpty();
            assertThat(result.ok()).as(mode).isGreaterThan(20);
            assertThat(result.rows()).as(mode).isGreaterThanOrEqualTo(result.ok());
            assertThat(run.valid()).as(run.remarks().toString()).isTrue();
        }
    }

    @Test
    void containmentByItsIndexDoesNotScan() {
        run(Path.of("config/operations/containment.yaml"), "contains_gin");

        assertThat(TestServer.text(url, "select indexdef from pg_indexes where indexname = 'docs_gin'"))
                .contains("USING gin");
        run(Path.of("config/operations/containment.yaml"), "contains_scan");
        assertThat(TestServer.number(url, "select count(*) from pg_indexes where indexname = 'docs_gin'"))
                .isZero();
    }

    @Test
    void operationsOfAMixDrawApart() throws IOException {
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
    void aMissingCopyTableIsMadeThoughNothingIsReset() throws IOException {
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
    void upsertsAreInTheCopyTableWithEveryStatementOfTheirTransactionTimed() {
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
    void ownOperationsMixWithBuiltInOnes() {
        RunResult run = run(Path.of("config/operations/keyset-paging.yaml"), "find_first:3,two_pages:1");

        long first = run.operations().get("find_first").ok();
        long pages = run.operations().get("two_pages").ok();
        assertThat((double) first / pages).isBetween(2.0, 4.5);
        assertThat(run.intervals().get(0).operations()).containsOnlyKeys("find_first", "two_pages");
    }

    @Test
    void sequencesOfAllClientsAndHostsAreDistinct() throws IOException {
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
    void sequencesOfOneStartAreOneForAllParametersOfTheMix() throws IOException {
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
    void aCopyThatHasToBeFullIsNotLeftEmpty() throws IOException {
        Path file = Path.of("config/operations/set-field.yaml");
        assertThatThrownBy(() -> run(file, "set_field", "no-reset", "true"))
                .isInstanceOf(TargetException.class)
                .hasMessage("no-reset: table docs_copy, which the operation needs full, is missing or empty;"
                        + " leave --no-reset out to have it filled");
        assertThat(run(file, "set_field").operations().get("set_field").ok()).isPositive();
        assertThat(run(file, "set_field", "no-reset", "true")
                        .operations()
                        .get("set_field")
                        .misses())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "prepared"})
    void aDuplicateInATransactionIsRolledBack(String mode) throws IOException {
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

        OperationResult result =
                run(file, "mine", "statement", mode).operations().get("mine");

        assertThat(result.ok()).isEqualTo(5);
        assertThat(result.duplicates()).isPositive();
        assertThat(TestServer.number(url, "select count(*) from made")).isEqualTo(10);
    }

    @Test
    void fewerRowsThanTheStepNeedsAreAMiss() throws IOException {
        Path file = file("""
                mine:
                  parameters: {i: {choice: [1, 1000000]}}
                  steps: [{name: read, sql: "select data from ${table} where _id = :i"}]
                """);

        OperationResult result = run(file, "mine").operations().get("mine");

        assertThat(result.misses()).isPositive();
        assertThat(result.ok()).isPositive();
        assertThat(result.errors()).isEmpty();
    }

    @Test
    void anEmptyResultThatALaterStepNeedsIsOneLineWithFileLineAndStep() throws IOException {
        Path file = file("""
                mine:
                  steps:
                    - {name: read, sql: select data from docs where _id = -1, keep: {doc: data}, miss: never}
                    - {name: write, sql: "select :doc::jsonb"}
                """);

        RunResult run = run(file, "find_first:9,mine:1");

        String line = file + ":4: operation 'mine', step 'write': parameter ':doc' is kept of a step whose result was"
                + " empty (say what is a miss there)";
        OperationResult result = run.operations().get("mine");
        assertThat(result.ok()).isZero();
        assertThat(result.errors().get("02000").sample()).isEqualTo(line);
        assertThat(run.operations().get("find_first").ok()).isPositive();
        assertThat(run.valid()).isFalse();
        assertThat(run.remarks())
                .contains(line + ", " + String.format(Locale.ROOT, "%,d", result.failed()) + " times")
                .contains("no mine succeeded: " + String.format(Locale.ROOT, "%,d", result.failed()) + " failed");
    }

    @Test
    void aResultThatIsEmptyNowAndThenIsAMistakeTooAndNotAMissWhereTheFileSaysNever() throws IOException {
        String steps = """
                mine:
                  parameters: {i: {choice: [1, -1]}}
                  steps:
                    - {name: read, sql: select data from docs where _id = :i, keep: {doc: data}, miss: %s}
                    - {name: write, sql: "select :doc::jsonb"}
                """;

        RunResult mistaken = run(file(String.format(Locale.ROOT, steps, "never")), "mine");
        RunResult right = run(file(String.format(Locale.ROOT, steps, "empty")), "mine");

        assertThat(mistaken.operations().get("mine").ok()).isPositive();
        assertThat(mistaken.valid()).isFalse();
        assertThat(right.operations().get("mine").misses()).isPositive();
        assertThat(right.valid()).as(right.remarks().toString()).isTrue();
    }

    @Test
    void badSqlIsFoundBeforeTheLoad() throws IOException {
        assertThat(refusal("""
                mine:
                  parameters: {i: {range: 1..5}}
                  steps:
                    - name: read
                      sql: selec data from ${table} where _id = :i
                """))
                .isEqualTo(
                        "my.yaml:5: operation 'mine', step 'read': syntax error at or near \"selec\" (SQLSTATE 42601)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{choice: [1, two]} | _id = :i | int4 here: invalid input syntax for type integer: \"two\" (SQLSTATE 22P02)",
                "{path: u} | _id = :i | int4 here: invalid input syntax for type integer: \"x1\" (SQLSTATE 22P02)",
                "{range: 1..40000} | n = :i | int2 here: value \"40000\" is out of range for type smallint (SQLSTATE 22003)",
                "{sequence: 3000000000} | _id = :i | int4 here: value \"3000000000\" is out of range for type integer"
                        + " (SQLSTATE 22003)",
                "{choice: [1, x]} | data @> :i | jsonb here: invalid input syntax for type json (SQLSTATE 22P02)"
            })
    void aValueThatIsNotOfItsPlacesTypeIsFoundBeforeTheLoad(String values, String where, String says)
            throws IOException {
        TestServer.execute(url, "alter table docs add n smallint");

        assertThat(refusal("mine:\n  parameters: {i: " + values + "}\n  steps:\n"
                        + "    - {name: read, sql: 'select data from ${table} where " + where + "'}\n"))
                .isEqualTo("my.yaml:4: operation 'mine', step 'read': parameter ':i' has to be of type " + says);
    }

    @Test
    void aValueThatFitsItsPlaceOnlyByChanceIsToldWithFileLineAndStep() throws IOException {
        Path file = file("""
                mine:
                  parameters: {i: {range: 0..1}}
                  steps:
                    - {name: read, sql: "select 1 / :i::int"}
                """);

        OperationResult result = run(file, "mine").operations().get("mine");

        assertThat(result.ok()).isPositive();
        assertThat(result.errors().get("22012").sample())
                .isEqualTo(file + ":4: operation 'mine', step 'read': division by zero");
    }

    @Test
    void emptyResultsAreCountedOnWhereIdsAreHandedOutAgainMeanwhile() throws IOException {
        Path file = file("""
                mine:
                  steps:
                    - {name: read, sql: select data from docs where _id = -1, keep: {doc: data}, miss: never}
                    - {name: write, sql: "select :doc::jsonb"}
                """);

        TestServer.execute(url, "delete from docs where _id > 5");

        RunResult run = run(file, "find_insert:1,mine:1");

        long failed = run.operations().get("mine").failed();
        assertThat(run.halts().count()).isPositive();
        assertThat(run.remarks())
                .anySatisfy(w -> assertThat(w)
                        .contains("step 'write'")
                        .endsWith(", " + String.format(Locale.ROOT, "%,d", failed) + " times"));
    }

    @Test
    void aColumnIsKeptUnderAllNamesThatAskForIt() throws IOException {
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
    void aParameterOfNoTypeIsToldByItsName() throws IOException {
        assertThat(refusal("""
                mine:
                  parameters: {a: {range: 1..5}, b: {choice: [x]}}
                  steps:
                    - {name: read, sql: "select jsonb_build_object('a', :a::int, 'b', :b)"}
                """))
                .isEqualTo(
                        "my.yaml:4: operation 'mine', step 'read': say the type of parameter ':b', such as :b::text: could"
                                + " not determine data type of parameter $2 (SQLSTATE 42P18)");
    }

    @Test
    void aFileThatCannotBeReadIsToldAlone() {
        assertThat(catchThrowableOfType(InvalidPlanException.class, () -> run(directory.resolve("none.yaml"), "mine"))
                        .problems())
                .containsExactly(
                        "--operations: " + directory.resolve("none.yaml") + " cannot be read: there is no such file");
        assertThat(catchThrowableOfType(InvalidPlanException.class, () -> run(directory, "mine"))
                        .problems())
                .containsExactly("--operations: " + directory + " cannot be read: Is a directory");
    }

    @Test
    void aColumnThatIsNotThereIsFoundBeforeTheLoad() throws IOException {
        assertThat(refusal("mine:\n  steps:\n    - {name: read, sql: select data from docs, keep: {x: dat}}\n"))
                .isEqualTo(
                        "my.yaml:3: operation 'mine', step 'read': its result has no column 'dat' to keep; did you mean"
                                + " 'data'? (it has data)");
    }

    @Test
    void aPathWithoutValuesIsFoundBeforeTheLoad() throws IOException {
        assertThat(refusal("mine:\n  parameters:\n    p: {path: a.b}\n  steps:\n    - sql: select :p::text\n"))
                .isEqualTo("my.yaml:3: operation 'mine', parameter 'p': no row of docs has a value at a.b");
    }

    @Test
    void aRarePathIsFoundAndAFrequentOneIsDrawnFromAllOfTheTable() throws IOException {
        TestServer.execute(
                url,
                "insert into docs select i, jsonb_build_object('_id', i, 'at', i)"
                        + " from generate_series(1001, 21000) i",
                "update docs set data = data || '{\"rare\": 7}' where _id = 20500",
                "create table drawn (at int, rare int)");
        Path file = file("""
                mine:
                  parameters:
                    at: {path: at, sample: 200}
                    rare: {path: rare, sample: 200}
                  steps: [{sql: "insert into drawn values (:at, :rare)"}]
                """);

        run(file, "mine");

        assertThat(TestServer.number(url, "select min(rare) from drawn")).isEqualTo(7);
        long distinct = TestServer.number(url, "select count(distinct at) from drawn");
        assertThat(distinct).isBetween(30L, 200L);
        assertThat(TestServer.number(url, "select count(distinct at) from drawn where at > 11000"))
                .as("of the table's second half")
                .isBetween(distinct / 5, distinct * 4 / 5);
    }

    @Test
    void aMistakeInTheSetupIsToldWithItsLine() throws IOException {
        assertThat(refusal("mine:\n  setup:\n    - select 1\n    - drop nothing\n  steps:\n    - sql: select 1\n"))
                .isEqualTo("my.yaml:4: operation 'mine', setup: syntax error at or near \"nothing\" (SQLSTATE 42601)");
    }

    @Test
    void aNameThatIsTakenIsRefused() throws IOException {
        Path file = file("find_first:\n  steps:\n    - sql: select 1\n");

        assertThat(catchThrowableOfType(InvalidPlanException.class, () -> run(file, "find_first")))
                .hasMessageContaining("my.yaml:1: operation 'find_first': there is another operation of this name");
    }

    @Test
    void aTableBesideTheOneUnderLoadStandsInStepsToo() throws IOException {
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
    void aStepThatHasNoRowsToCountIsNoMiss(String mode) throws IOException {
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

        OperationResult result =
                run(file, "mine", "statement", mode).operations().get("mine");

        assertThat(result.errors()).isEmpty();
        assertThat(result.misses()).isZero();
        assertThat(result.ok()).isPositive();
        assertThat(result.rows()).isEqualTo(result.ok());
    }

    @Test
    void aChangeOfNoRowIsAMissAlsoBehindAComment() throws IOException {
        Path file = file("""
                mine:
                  steps: [{name: none, sql: "-- nobody\\n update ${table} set data = data where _id = -1"}]
                """);

        assertThat(run(file, "mine").operations().get("mine").misses()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "extended", "prepared"})
    void numbersBelowZeroStandForThemselvesInEveryMode(String mode) throws IOException {
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
    void whatTheServerDoesNotTakeIsToldAllAtOnce() throws IOException {
        TestServer.execute(url, "create table bad (_id int primary key, data jsonb)");
        assertThat(refusal("""
                mine:
                  parameters:
                    p: {path: no.such}
                    i: {range: 1..5}
                  steps:
                    - {name: a, sql: "select :p::text"}
                    - {name: b, sql: "selec :i"}
                    - {name: c, sql: "select nothing from ${table} where _id = :i"}
                """).lines())
                .containsExactly(
                        "my.yaml:3: operation 'mine', parameter 'p': no row of docs has a value at no.such",
                        "my.yaml:7: operation 'mine', step 'b': syntax error at or near \"selec\" (SQLSTATE 42601)",
                        "my.yaml:8: operation 'mine', step 'c': column \"nothing\" does not exist (SQLSTATE 42703)");
    }

    @Test
    void anErrorWhileAPathIsSampledIsToldWithItsLine() throws IOException {
        TestServer.execute(url, "alter table docs rename to kept", "create view docs as select _id, data from kept");

        assertThat(refusal("mine:\n  parameters:\n    p: {path: u, sample: 10}\n  steps: [{sql: 'select :p::text'}]\n"))
                .startsWith(
                        "my.yaml:3: operation 'mine', parameter 'p': TABLESAMPLE clause can only be applied to tables")
                .contains(" (SQLSTATE ");
    }

    @Test
    void anOperationWithoutDocumentsNeedsNoTable() throws IOException {
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

        assertThat(run.valid()).as(run.remarks().toString()).isTrue();
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

    @Test
    void eachIdIsHadOnceAndAllAgainAfterTheReset() throws IOException {
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
            RunResult run = run(file, op, "duration", "0.8");

            OperationResult result = run.operations().get(op);
            assertThat(result.errors()).as(op).isEmpty();
            assertThat(result.duplicates()).as(op).isZero();
            assertThat(result.ok()).as(op).isGreaterThan(ROWS);
            assertThat(run.halts().count()).as(op).isPositive();
        }
        assertThat(TestServer.number(url, "select count(*) from docs_copy join docs using (_id, data)"))
                .isEqualTo(TestServer.number(url, "select count(*) from docs_copy"));
    }

    @Test
    void rowsThatTheRunWritesInWaysThatCannotBeCountedAreNotHeldAgainstItsDeletes() throws IOException {
        TestServer.execute(url, "create table jobs (id int primary key, n int)");
        String steps = """
                mine:
                  parameters: {i: {choice: [1, 2, 3, 4, 5]}, j: {choice: [1, 2, 3]}}
                  steps:
                    - {sql: "insert into jobs values (:i, 1) on conflict (id) do update set n = jobs.n + 1"}
                    - {sql: "delete from jobs where id = :j", miss: never}
                """;

        RunResult run = run(file(steps), "mine", "threads", "1");

        assertThat(run.dataset().afterwards()).anyMatch(a -> a.contains("were not checked: it may hold rows"));
        assertThat(run.reasons()).noneMatch(r -> r.contains("deleted rows are still in"));
    }
}
