package io.pgstress.operation.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.OperationResult;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Mistakes in a file of operations, found before the load and reported with their file, line and step. */
@Slow
final class StepMistakesTest extends OwnOperations {

    static Stream<Arguments> mistakes() {
        String steps = "  steps:\n    - {name: touch, sql: update docs set data = data}\n";
        return Stream.of(
                Arguments.of(
                        "  steps:\n    - name: read\n      sql: selec data from ${table}\n",
                        "4: operation 'mine', step 'read': syntax error at or near \"selec\" (SQLSTATE 42601)"),
                Arguments.of(
                        """
                          parameters: {a: {range: 1..5}, b: {choice: [x]}}
                          steps:
                            - {name: read, sql: "select jsonb_build_object('a', :a::int, 'b', :b)"}
                        """,
                        "4: operation 'mine', step 'read': give the type of parameter ':b', such as :b::text: could not"
                                + " determine data type of parameter $2 (SQLSTATE 42P18)"),
                Arguments.of(
                        "  steps:\n    - {name: read, sql: select data from docs, keep: {x: dat}}\n",
                        "3: operation 'mine', step 'read': its result has no column 'dat' to keep; did you mean 'data'?"
                                + " (it has data)"),
                Arguments.of(
                        "  parameters:\n    p: {path: a.b}\n  steps:\n    - sql: select :p::text\n",
                        "3: operation 'mine', parameter 'p': no row of docs has a value at a.b"),
                Arguments.of(
                        "  setup:\n    - select 1\n    - drop nothing\n  steps:\n    - sql: select 1\n",
                        "4: operation 'mine', setup: syntax error at or near \"nothing\" (SQLSTATE 42601)"),
                Arguments.of(
                        "  values:\n    most: select nothing\n" + steps,
                        "3: operation 'mine', value 'most': column \"nothing\" does not exist (SQLSTATE 42703)"),
                Arguments.of(
                        "  reset:\n    - truncate nothing\n" + steps,
                        "3: operation 'mine', reset: relation \"nothing\" does not exist (SQLSTATE 42P01)"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void findsAMistakeBeforeTheLoad(String operation, String says) throws IOException {
        assertThat(refusal("mine:\n" + operation)).isEqualTo("my.yaml:" + says);
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
    void findsAValueOfTheWrongTypeBeforeTheLoad(String values, String where, String says) throws IOException {
        TestServer.execute(url, "alter table docs add n smallint");

        assertThat(refusal("mine:\n  parameters: {i: " + values + "}\n  steps:\n"
                        + "    - {name: read, sql: 'select data from ${table} where " + where + "'}\n"))
                .isEqualTo("my.yaml:4: operation 'mine', step 'read': parameter ':i' must be of type " + says);
    }

    @Test
    void reportsAValueThatOnlyHappensToFit() throws IOException {
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
    void reportsOnlyAFileThatCannotBeRead() {
        assertThat(catchThrowableOfType(InvalidPlanException.class, () -> run(directory.resolve("none.yaml"), "mine"))
                        .problems())
                .containsExactly(
                        "--operations: " + directory.resolve("none.yaml") + " cannot be read: there is no such file");
        assertThat(catchThrowableOfType(InvalidPlanException.class, () -> run(directory, "mine"))
                        .problems())
                .containsExactly("--operations: " + directory + " cannot be read: Is a directory");
    }

    @Test
    void samplesARarePathAndAFrequentOneFromTheWholeTable() throws IOException {
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
    void refusesANameInUse() throws IOException {
        Path file = file("find_first:\n  steps:\n    - sql: select 1\n");

        assertThat(catchThrowableOfType(InvalidPlanException.class, () -> run(file, "find_first")))
                .hasMessageContaining("my.yaml:1: operation 'find_first': another operation has this name");
    }

    @Test
    void reportsAllRejectedStepsTogether() throws IOException {
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
    void reportsTheRejectedStepsOfAllOperationsTogether() throws IOException {
        Path file = file("""
                one:
                  steps: [{name: a, sql: select nothing from docs}]
                two:
                  steps: [{name: b, sql: selec 1}]
                """);

        assertThat(catchThrowableOfType(InvalidPlanException.class, () -> run(file, "one,two"))
                        .problems())
                .satisfiesExactly(
                        one -> assertThat(one).contains("operation 'one', step 'a'"),
                        two -> assertThat(two).contains("operation 'two', step 'b'"));
    }

    /** What comes after it may need what was not created, and is not checked. */
    @Test
    void createsNothingAfterARefusal() throws IOException {
        Path file = file("""
                one:
                  steps: [{name: a, sql: select nothing from docs}]
                two:
                  setup: create table of_two ()
                  steps: [{name: b, sql: select from of_two}]
                three:
                  steps: [{name: c, sql: select from of_two}]
                """);

        for (String mix : List.of("one,two,three", "one,oltp_read_only", "one,find_first,bulk_insert")) {
            assertThat(catchThrowableOfType(InvalidPlanException.class, () -> run(file, mix))
                            .problems())
                    .as(mix)
                    .singleElement()
                    .asString()
                    .contains("operation 'one', step 'a'");
        }
        assertThat(
                        TestServer.number(
                                url,
                                "select count(*) from pg_tables where tablename = 'of_two' or tablename ~ '^(sbtest|pgstress_bulk)'"))
                .isZero();
        run(file, "two,three");
    }

    @Test
    void reportsAnErrorWhileSamplingAPathWithItsLine() throws IOException {
        TestServer.execute(url, "alter table docs rename to kept", "create view docs as select _id, data from kept");

        assertThat(refusal("mine:\n  parameters:\n    p: {path: u, sample: 10}\n  steps: [{sql: 'select :p::text'}]\n"))
                .startsWith(
                        "my.yaml:3: operation 'mine', parameter 'p': TABLESAMPLE clause can only be applied to tables")
                .contains(" (SQLSTATE ");
    }

    @Test
    void reportsAMistakeInACheckWithItsLine() throws IOException {
        assertThat(refusal("""
                mine:
                  steps:
                    - {name: touch, sql: update docs set data = data}
                  checks:
                    - {name: n, grows: select nothing, by: touch}
                """))
                .startsWith("my.yaml:5: operation 'mine', ")
                .endsWith("column \"nothing\" does not exist (SQLSTATE 42703)");
    }

    @Test
    void lostConnectionIsNoMistakeInTheFile() throws IOException {
        Path file = file("""
                mine:
                  setup: select pg_terminate_backend(pg_backend_pid())
                  steps: [{sql: select 1}]
                """);

        assertThatThrownBy(() -> run(file, "mine"))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("the operations could not be prepared: ");
    }
}
