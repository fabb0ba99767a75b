package io.pgstress.plan.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.custom.CustomOperation.CustomParameter;
import io.pgstress.plan.custom.CustomOperation.CustomStep;
import io.pgstress.plan.option.InvalidPlanException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The format of an operations file, and the messages about mistakes. */
final class OperationsFileTest {
    private static List<CustomOperation> read(String yaml) {
        return OperationsFile.read(yaml, "my.yaml");
    }

    private static List<String> problems(String yaml) {
        return catchThrowableOfType(InvalidPlanException.class, () -> read(yaml))
                .problems();
    }

    @Test
    void numberedTablesNeedTheirNumber() {
        assertThat(read("""
                mine:
                  tables: 8
                  setup: create table t_${n} ()
                  steps: [{sql: "select from t_${n}"}]
                """).get(0)).satisfies(mine -> {
            assertThat(List.of(
                            mine.tables().ofClient(0),
                            mine.tables().ofClient(7),
                            mine.tables().ofClient(8)))
                    .containsExactly(1, 8, 1);
            assertThat(mine.needsTable()).isFalse();
        });
        assertThat(problems("mine: {tables: 8, steps: [{sql: select 1}]}"))
                .singleElement()
                .asString()
                .endsWith("'tables' has no effect: no step has ${n}, the number of the table");
        assertThat(problems("mine: {steps: [{sql: 'select from t_${n}'}]}"))
                .singleElement()
                .asString()
                .endsWith("has ${n}, so it needs 'tables', the number of tables");
        assertThat(problems("mine: {tables: 0, steps: [{sql: 'select from t_${n}'}]}"))
                .first()
                .asString()
                .endsWith("'tables' must be from 1 to 10000, was 0");
    }

    @Test
    void readsAllParts() {
        CustomOperation mine = read("""
                mine:
                  transaction: true
                  copy: empty
                  setup: create table x ()
                  parameters:
                    id: {id: any}
                    city: {path: address.city, as: json, sample: 50}
                    n: {range: 1..10, distribution: zipfian}
                    s: {sequence: 1000}
                    c: {choice: [a, b]}
                  steps:
                    - name: read
                      sql: select data from t where _id = :id;
                      keep: {doc: data}
                      miss: below 2
                    - sql: insert into t values (:s, :doc, :city, :n, :c)
                """).get(0);

        assertThat(mine.transaction()).isTrue();
        assertThat(mine.copy()).isEqualTo(CopyState.EMPTY);
        assertThat(mine.setup()).extracting(CustomOperation.Line::sql).containsExactly("create table x ()");
        assertThat(mine.parameters().get("id"))
                .isInstanceOfSatisfying(
                        CustomParameter.Id.class,
                        p -> assertThat(p.distribution()).isEmpty());
        assertThat(mine.parameters().get("city"))
                .isInstanceOfSatisfying(
                        CustomParameter.Path.class, p -> assertThat(p.keys()).containsExactly("address", "city"));
        CustomStep read = mine.steps().get(0);
        assertThat(read.sql().text()).isEqualTo("select data from t where _id = ?");
        assertThat(read.least()).isEqualTo(2);
        assertThat(read.source().line()).isEqualTo(13);
        assertThat(mine.steps().get(1).name()).isEqualTo("step2");
        assertThat(mine.steps().get(1).sql().names()).containsExactly("s", "doc", "city", "n", "c");
    }

    @Test
    void reportsAnUnknownParameterWithFileLineAndStep() {
        assertThat(problems("""
                mine:
                  parameters:
                    city: {path: city}
                  steps:
                    - name: read
                      sql: select * from t where x = :citi
                """))
                .containsExactly(
                        "my.yaml:6: operation 'mine', step 'read': unknown parameter ':citi'; did you mean 'city'?"
                                + " (known: city)");
    }

    @Test
    void refusesToKeepAColumnUnderANameInUse() {
        assertThat(problems("""
                mine:
                  parameters:
                    id: {id: any}
                  steps:
                    - name: read
                      sql: select data, _id from t where _id > :id
                      keep:
                        id: _id
                        doc: data
                    - name: again
                      sql: select data from t where _id = :id
                      keep: {doc: data}
                """))
                .containsExactly(
                        "my.yaml:8: operation 'mine', step 'read': 'id' is already the name of a parameter or a kept value",
                        "my.yaml:12: operation 'mine', step 'again': 'doc' is already the name of a parameter or a kept"
                                + " value");
    }

    @Test
    void refusesSettingsWithoutEffectWithTheirLine() {
        assertThat(problems("""
                mine:
                  parameters:
                    i: {id: any, distribution: zipfian}
                    r:
                      range: 1..5
                      as: json
                    s: {sequence: 1, sample: 5}
                  steps:
                    - sql: select :i, :r, :s
                """))
                .containsExactly(
                        "my.yaml:3: operation 'mine', parameter 'i': 'distribution' has no effect with 'id'; write"
                                + " {id: uniform}, {id: zipfian} or {id: sequential}",
                        "my.yaml:6: operation 'mine', parameter 'r': 'as' has no effect with 'range'; leave it out",
                        "my.yaml:7: operation 'mine', parameter 's': 'sample' has no effect with 'sequence'; leave it"
                                + " out");
    }

    @Test
    void parametersKeepTheOrderOfTheFile() {
        assertThat(read("""
                mine:
                  parameters: {z: {sequence: 1}, m: {sequence: 1}, a: {sequence: 1}, k: {sequence: 1}, b: {sequence: 1}}
                  steps: [{sql: "select :a, :b, :k, :m, :z"}]
                """).get(0).parameters().keySet()).containsExactly("z", "m", "a", "k", "b");
    }

    @Test
    void keptValueIsUnknownInEarlierSteps() {
        assertThat(problems("""
                mine:
                  steps:
                    - name: write
                      sql: insert into t values (:doc)
                    - name: read
                      sql: select data from t
                      keep: {doc: data}
                """))
                .singleElement()
                .asString()
                .contains("my.yaml:4: operation 'mine', step 'write': unknown parameter ':doc'");
    }

    @Test
    void reportsAllMistakesTogether() {
        assertThat(problems("""
                mine:
                  transation: true
                  parameters:
                    a: {range: 5..1}
                    b: {path: x, id: any}
                    c: {choice: []}
                  steps:
                    - name: one
                      sql: select 1
                      miss: sometimes
                    - name: one
                empty:
                  description: nothing
                """))
                .hasSize(8)
                .allSatisfy(p -> assertThat(p).matches("my\\.yaml:\\d+: operation '\\w+'.*"));
    }

    @Test
    void refusesStepsWithSeveralStatementsOrTransactionCommands() {
        assertThat(problems("mine:\n  steps:\n    - sql: select 1; select 2\n    - {name: c, sql: ' COMMIT'}\n"))
                .containsExactly(
                        "my.yaml:3: operation 'mine', step 'step1': contains several statements; give each its own step",
                        "my.yaml:4: operation 'mine', step 'c': a step cannot begin or end a transaction; 'transaction: true'"
                                + " makes one of all steps");
        assertThat(read("mine:\n  steps:\n    - sql: rollback to a\n    - {name: e, sql: select endless from x;}\n"))
                .hasSize(1);
    }

    @Test
    void reportsInvalidYamlWithItsLine() {
        assertThat(problems("mine: [\n")).singleElement().asString().startsWith("my.yaml:1: ");
    }

    @Test
    void reportsAnUnusedParameterWithItsLine() {
        assertThat(problems("""
                mine:
                  parameters:
                    id: {id: any}
                    city: {path: city}
                  steps: [{sql: "select :id -- :city"}]
                """))
                .containsExactly("my.yaml:4: operation 'mine', parameter 'city': is not used by any step; remove it");
    }

    @Test
    void reportsAllUnknownTableNamesTogether() {
        assertThat(problems("""
                mine:
                  setup: create table ${tabel} ()
                  reset: truncate ${copy:x}
                  steps:
                    - sql: select 1 from ${table}, ${Copy}
                    - sql: select 1 from ${index}
                """))
                .containsExactly(
                        "my.yaml:2: operation 'mine', setup: unknown name ${tabel} (known: ${table}, ${copy},"
                                + " ${table:SUFFIX}, ${index:SUFFIX}, ${n})",
                        "my.yaml:3: operation 'mine', reset: unknown name ${copy:x} (known: ${table}, ${copy},"
                                + " ${table:SUFFIX}, ${index:SUFFIX}, ${n})",
                        "my.yaml:5: operation 'mine', step 'step1': unknown name ${Copy} (known: ${table}, ${copy},"
                                + " ${table:SUFFIX}, ${index:SUFFIX}, ${n})",
                        "my.yaml:6: operation 'mine', step 'step2': unknown name ${index} (known: ${table}, ${copy},"
                                + " ${table:SUFFIX}, ${index:SUFFIX}, ${n})");
    }

    @Test
    void namesUnknownValuesAndSteps() {
        assertThat(problems("""
                mine:
                  values:
                    n: select 1
                    rows: {least: select 1}
                  parameters:
                    r: {range: "1..${row}"}
                  steps: [{name: one, sql: "update t set a = :r", must-change: "${rows}"}]
                  checks:
                    - {name: all, grows: "select ${row}", by: two}
                """))
                .containsExactly(
                        "my.yaml:3: operation 'mine', value 'n': its name must be letters, and none of table, copy, index, n",
                        "my.yaml:4: operation 'mine', value 'rows': 'least' is unknown here (known: sum, min, max)",
                        "my.yaml:4: operation 'mine', value 'rows': needs one of sum, min, max, has 0",
                        "my.yaml:4: operation 'mine', value 'rows': 'sum' is missing",
                        "my.yaml:6: operation 'mine', parameter 'r': unknown value ${row}; did you mean 'rows'? (known: n,"
                                + " rows)",
                        "my.yaml:9: operation 'mine', check: 'by' must name a step, was 'two'",
                        "my.yaml:9: operation 'mine', check: unknown name ${row} (known: ${table}, ${copy},"
                                + " ${table:SUFFIX}, ${index:SUFFIX}, ${n}, ${n}, ${rows})");
    }
}
