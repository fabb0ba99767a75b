package io.pgstress.operation.custom;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.OperationResult;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parameters whose values come from the same row, from several rows, or are whole documents. */
@Slow
final class RowParametersTest extends OwnOperations {
    @Test
    void valuesWithEachOtherAreOfTheSameRow() throws IOException {
        TestServer.execute(
                url,
                "update docs set data = data || jsonb_build_object('pair', _id)",
                "insert into docs select i, jsonb_build_object('_id', i, 'u', 'alone')"
                        + " from generate_series(1001, 1500) i",
                "create table drawn (u text, pair int, whole jsonb)");

        OperationResult mine = run(file("""
                mine:
                  parameters:
                    whole: {path: $, as: json, with: u}
                    u: {path: u, distribution: zipfian}
                    pair: {path: pair, with: u}
                  steps:
                    - sql: insert into drawn values (:u, :pair, :whole)
                """), "mine").operations().get("mine");

        assertThat(mine.errors()).isEmpty();
        assertThat(TestServer.number(url, "select count(distinct pair) from drawn"))
                .isGreaterThan(5);
        assertThat(
                        TestServer.number(
                                url,
                                "select count(*) from drawn where u is distinct from 'x' || pair"
                                        + " or whole ->> 'u' is distinct from u or whole -> 'pair' is distinct from to_jsonb(pair)"))
                .isZero();
    }

    @Test
    void arraysHaveAValueOfTheRowAndRandomOnes() throws IOException {
        TestServer.execute(
                url,
                "update docs set data = jsonb_set(data, '{u}', to_jsonb('a\\\"{,}' || _id)) where _id % 2 = 0",
                "create table drawn (n int, us text[], js jsonb[])");

        for (String mode : List.of("plain", "extended", "prepared")) {
            OperationResult mine =
                    run(file("""
                    mine:
                      parameters:
                        n: {path: _id}
                        us: {path: u, count: 3, with: n}
                        js: {path: u, as: json, count: 2}
                      steps:
                        - sql: insert into drawn values (:n, :us, :js)
                        - sql: select _id from ${table} where _id = :n and data ->> 'u' = any(:us)
                        - sql: select _id from ${table} where data -> 'u' = any(:js)
                    """), "mine", "-M " + mode).operations().get("mine");

            assertThat(mine.errors()).as(mode).isEmpty();
            assertThat(mine.misses()).as(mode).isZero();
            assertThat(mine.ok()).as(mode).isPositive();
        }
        assertThat(TestServer.number(
                        url, "select count(*) from drawn where cardinality(us) <> 3 or cardinality(js) <> 2"))
                .isZero();
        assertThat(TestServer.number(url, "select count(distinct us[2]) from drawn"))
                .isGreaterThan(20);
        assertThat(TestServer.number(url, "select count(*) from drawn where us[1] = us[2] and us[2] = us[3]"))
                .isLessThan(TestServer.number(url, "select count(*) from drawn") / 2);
    }

    @Test
    void namesThePathsThatNoRowHasTogether() throws IOException {
        TestServer.execute(
                url, "update docs set data = case when _id < 9 then '{\"a\": 1}'::jsonb else '{\"b\": 2}' end");

        assertThat(refusal("""
                mine:
                  parameters:
                    a: {path: a}
                    b: {path: b, with: a}
                  steps: [{sql: "select :a::text, :b::text"}]
                """))
                .isEqualTo("my.yaml:3: operation 'mine', parameter 'a': no row of docs has a value at a and b");
    }

    @Test
    void withNamesAParameterOfTheRightKind() throws IOException {
        assertThat(refusal("""
                mine:
                  parameters:
                    a: {path: a}
                    b: {path: b, with: c}
                    c: {path: c, with: a, sample: 7}
                    d: {id: any, with: a}
                    e: {path: e, count: 0}
                  steps: [{sql: "select :a::text, :b::text, :c::text, :d, :e::text"}]
                """).lines())
                .containsExactlyInAnyOrder(
                        "my.yaml:5: operation 'mine', parameter 'c': 'sample' has no effect beside 'with'; set it for"
                                + " parameter 'a'",
                        "my.yaml:6: operation 'mine', parameter 'd': 'with' has no effect with 'id'; leave it out",
                        "my.yaml:7: operation 'mine', parameter 'e': 'count' must be from 1 to 10000, was 0",
                        "my.yaml:4: operation 'mine', parameter 'b': 'with' must name a 'path' parameter without 'with',"
                                + " was 'c'");
    }
}
