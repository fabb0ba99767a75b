package io.pgstress.operation.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.operation.table.ShortRuns;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads whole tables, against a server. */
@Slow
final class ScanTest extends ShortRuns {

    @ParameterizedTest
    @ValueSource(strings = {"count", "group_by"})
    void ratesCoverTheWholeTable(String op) {
        RunResult run = run("--op " + op + " --table-rows 3000");

        OperationResult found = run.operations().get(op);
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(found.rows()).isEqualTo(found.ok() * 3000);
        double bytes = (double) TestServer.number(url, "select pg_relation_size('pgstress_scan')");
        assertThat(found.megabytesPerSecond() * 1e6)
                .isCloseTo(found.opsPerSecond() * bytes, org.assertj.core.data.Percentage.withPercentage(0.01));
        assertThat(Runs.found(run, RemarkCode.TABLE_READ))
                .singleElement()
                .satisfies(figures -> assertThat(figures)
                        .containsEntry("operation", op)
                        .containsEntry("table", "pgstress_scan")
                        .containsEntry("rows", 3000L));
        assertThat(Runs.found(run, RemarkCode.SCAN_PLAN))
                .singleElement()
                .satisfies(figures -> assertThat((String) figures.get("plan"))
                        .contains("Aggregate")
                        .contains("Scan"));
        assertThat(TestServer.number(
                        url, "select count(*) from pgstress_scan where k between 1 and 100 and length(c) = 119"))
                .isEqualTo(3000);
    }

    @Test
    void groupsByAsManyValuesAsRequested() {
        String calls = "select rows / calls from pg_stat_statements where query ~ '^select %s, count.*from"
                + " .pgstress_scan. group by' and dbid = (select oid from pg_database where datname = current_database())";
        run("--op group_by --table-rows 3000 --groups 7 --top 0");
        assertThat(TestServer.number(url, calls.replace("%s", "k"))).isEqualTo(7);
        long made = TestServer.number(url, "select 'pgstress_scan'::regclass::oid");

        run("--op count --table-rows 3000");
        run("--op group_by --table-rows 3000 --groups 7 --group-by id --top 30");
        assertThat(TestServer.number(url, calls.replace("%s", "id"))).isEqualTo(30);
        assertThat(TestServer.number(url, "select 'pgstress_scan'::regclass::oid"))
                .as("it has the requested groups")
                .isEqualTo(made);

        run("--op group_by --table-rows 3000");
        assertThat(TestServer.number(url, "select count(distinct k) from pgstress_scan"))
                .isEqualTo(100);
    }

    @Test
    void readsAnyNamedTable() {
        TestServer.execute(url, "create table \"Plain One\" as select i % 7 as seven from generate_series(1, 500) i");

        RunResult run = run("--op count:1,group_by:1 -t 'Plain One' --group-by 'seven + 1'");

        assertThat(run.dataset().table()).isEqualTo("Plain One");
        assertThat(run.dataset().rowsBefore()).isEqualTo(500);
        assertThat(run.operations().get("group_by").rows())
                .isEqualTo(run.operations().get("group_by").ok() * 500);
        assertThat(TestServer.number(url, "select count(*) from pg_class where relname = 'pgstress_scan'"))
                .isZero();
    }

    @Test
    void reportsProblemsWithTheTableOrTheColumn() {
        assertThatThrownBy(() -> run("--op count -t nowhere")).hasMessage("table: there is no table nowhere");
        TestServer.execute(url, "create table hollow (a int)");
        assertThatThrownBy(() -> run("--op count -t hollow")).hasMessage("table: hollow has no rows to read");
        TestServer.execute(url, "insert into hollow values (1)");
        assertThatThrownBy(() -> run("--op group_by -t hollow"))
                .hasMessage("group-by: 'k' cannot be computed from table hollow: column \"k\" does not exist")
                .hasMessageContaining("column \"k\" does not exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "extended", "prepared"})
    void groupsByAnOperatorWithAQuestionMark(String mode) {
        TestServer.execute(
                url,
                "create table docs as select jsonb_build_object('u', i) || '{\"?\": 1}' as data from generate_series(1, 9) i");

        RunResult run = run("--op group_by -t docs --group-by \"data ? 'u' and data ? '?'\" -M " + mode);

        assertThat(run.operations().get("group_by").errors()).isEmpty();
        assertThat(run.operations().get("group_by").ok()).isPositive();
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tags[1:n]",
                "k -- by k\n || ''",
                "1 / (length('${x} ${n} ${copy} :n?') = 21)::int",
                "1 / (length('a\n\n\\ b') = 6)::int"
            })
    void passesTheExpressionOnAsItIs(String expression) {
        TestServer.execute(
                url, "create table tagged as select array[i, 1, 2] tags, 2 n, i::text k from generate_series(1, 9) i");

        RunResult run = run("--op group_by -t tagged --top 0 --group-by \"" + expression + "\"");

        OperationResult found = run.operations().get("group_by");
        assertThat(found.errors()).isEmpty();
        assertThat(found.ok()).isPositive();
        assertThat(found.rows()).isEqualTo(found.ok() * 9);
    }

    @Test
    void reportsAColumnThatCannotBeGroupedBeforeTheLoad() {
        TestServer.execute(
                url, "create table docs as select i as a, i as b, '{}'::json as j from generate_series(1, 9) i");

        assertThatThrownBy(() -> run("--op group_by -t docs --group-by j"))
                .hasMessageStartingWith("group-by: 'j' cannot be computed from table docs: could not identify an");
        assertThatThrownBy(() -> run("--op group_by -t docs --group-by 'a, b'"))
                .hasMessageStartingWith(
                        "group-by: 'a, b' cannot be computed from table docs: column \"docs.b\" must appear");
    }
}
