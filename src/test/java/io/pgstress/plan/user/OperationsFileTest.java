package io.pgstress.plan.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgstress.plan.InvalidPlanException;
import io.pgstress.plan.KeyDistribution;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The form of an operations file, and what is said against another one. */
final class OperationsFileTest {
    private static List<UserOperation> read(String yaml) {
        return OperationsFile.read(yaml, "my.yaml", KeyDistribution.ZIPFIAN);
    }

    private static List<String> problems(String yaml) {
        return catchThrowableOfType(InvalidPlanException.class, () -> read(yaml))
                .problems();
    }

    @Test
    void allPartsAreRead() {
        UserOperation mine = read("""
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
                    - sql: insert into t values (:s, :doc)
                """).get(0);

        assertThat(mine.transaction()).isTrue();
        assertThat(mine.copy()).isEqualTo(UserOperation.Copy.EMPTY);
        assertThat(mine.setup()).extracting(UserOperation.Line::sql).containsExactly("create table x ()");
        assertThat(mine.parameters().get("id"))
                .isInstanceOfSatisfying(
                        UserParameter.Id.class,
                        p -> assertThat(p.distribution()).isEqualTo(KeyDistribution.ZIPFIAN));
        assertThat(mine.parameters().get("city"))
                .isInstanceOfSatisfying(
                        UserParameter.Path.class, p -> assertThat(p.keys()).containsExactly("address", "city"));
        UserStep read = mine.steps().get(0);
        assertThat(read.sql().text()).isEqualTo("select data from t where _id = ?");
        assertThat(read.least()).isEqualTo(2);
        assertThat(read.source().line()).isEqualTo(13);
        assertThat(mine.steps().get(1).name()).isEqualTo("step2");
        assertThat(mine.steps().get(1).sql().names()).containsExactly("s", "doc");
    }

    @Test
    void anUnknownParameterIsToldWithFileLineAndStep() {
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
                                + " (there are city)");
    }

    @Test
    void whatAStepKeepsIsNotThereBeforeIt() {
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
    void allMistakesAreToldAtOnce() {
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
    void whatIsNoYamlIsToldWithItsLine() {
        assertThat(problems("mine: [\n")).singleElement().asString().startsWith("my.yaml: line ");
    }
}
