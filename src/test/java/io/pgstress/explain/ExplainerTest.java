package io.pgstress.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.dataset.Table;
import io.pgstress.explain.Explainer.PlanWords;
import io.pgstress.explain.Explainer.PlannedStatement;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.workload.Operations;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.result.StatementRoute;
import io.pgstress.target.Target;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The server explains operations with their own parameters, and nothing is changed. */
final class ExplainerTest {
    private static final List<String> NAMES = Runs.DOCUMENT_OPERATIONS;
    private static String url;

    @BeforeAll
    static void makeTables() {
        url = TestServer.freshDatabase("explain");
        TestServer.table(url, "docs", 5000);
        TestServer.execute(url, "create table docs_copy (like docs including all)");
    }

    private static List<PlannedStatement> explain(String... settings) throws SQLException {
        RunSpec spec = Runs.spec("-t docs --url " + url, settings);
        Target target = Target.open(spec);
        Table table = Runs.table(spec, target);
        OperationType.Context context =
                new OperationType.Context(table, target.dialect(), spec.options(), spec.seed(), 1);
        List<Operation> operations = new ArrayList<>();
        NAMES.forEach(name -> operations.add(Operations.create(name, context)));
        return new Explainer(spec, target, table).explain(NAMES, operations);
    }

    private static List<StatementRoute> routes(List<PlannedStatement> planned) {
        return planned.stream().map(PlannedStatement::route).toList();
    }

    @Test
    void explainsEveryStatementInEveryModeAndChangesNothing() throws SQLException {
        String before = TestServer.text(url, "select sum(hashtext(data::text))::text from docs");

        List<StatementRoute> routes = routes(explain());

        assertThat(routes)
                .allMatch(r -> r.error() == null)
                .allMatch(r -> r.unit().equals("table"));
        for (StatementMode mode : StatementMode.values()) {
            assertThat(routes)
                    .filteredOn(r -> r.mode().equals(mode.label()))
                    .extracting(StatementRoute::operation)
                    .containsAll(NAMES)
                    .filteredOn("find_update"::equals)
                    .hasSize(2); // its select and its update
        }
        assertThat(routes)
                .filteredOn(r -> r.statement().equals("update"))
                .allMatch(r -> r.commit().equals("one-phase"));
        assertThat(routes)
                .filteredOn(r -> r.operation().equals("find_first"))
                .allMatch(r -> r.scans().contains("Index Scan"));
        assertThat(TestServer.number(url, "select count(*) from docs_copy")).isZero();
        assertThat(TestServer.text(url, "select sum(hashtext(data::text))::text from docs"))
                .isEqualTo(before);
    }

    @Test
    void sixthPlanIsTheServersChoice() throws SQLException {
        assertThat(routes(explain("--set plan_cache_mode=force_generic_plan")))
                .filteredOn(r -> r.mode().equals("prepared"))
                .allMatch(r -> r.plan().equals("generic"));
        assertThat(routes(explain("--set plan_cache_mode=force_custom_plan")))
                .filteredOn(r -> r.mode().equals("prepared"))
                .allMatch(r -> r.plan().equals("custom"));
    }

    @Test
    void reportsAStatementThatCannotBePlannedAndContinues() throws SQLException {
        TestServer.execute(url, "alter table docs_copy rename to docs_gone");
        try {
            List<StatementRoute> routes = routes(explain());

            assertThat(routes)
                    .filteredOn(r -> r.error() != null)
                    .hasSize(6)
                    .allMatch(r -> String.valueOf(r.error()).contains("42P01"));
        } finally {
            TestServer.execute(url, "alter table docs_gone rename to docs_copy");
        }
    }

    @Test
    void reportsABroadcastCausedByABindParameter() {
        List<StatementRoute> routes = List.of(route("plain", 1, 1), route("extended", 2, 2), route("prepared", 1, 2));

        assertThat(PlanWords.lines(routes, "extended"))
                .containsExactly("find_first extended: broadcast to 2 of 2 datanodes (bind parameter);"
                        + " plain: 1 of 2 datanodes; prepared: 1, from the sixth execution on 2 of 2 datanodes");
    }

    @Test
    void aPlanWithoutAScanSaysSo() {
        StatementRoute select1 = new StatementRoute(
                "mine", "select", "plain", 1, 1, 1, "table", List.of(), 0, "unknown", "none", List.of(), null);

        assertThat(PlanWords.whole(select1, List.of(select1)))
                .isEqualTo("mine select plain: one server, no table scan");
        assertThat(PlanWords.lines(List.of(select1), "plain")).containsExactly("mine plain: no table scan");
    }

    private static StatementRoute route(String mode, int first, int later) {
        return new StatementRoute(
                "find_first",
                "select",
                mode,
                first,
                later,
                2,
                "datanodes",
                List.of("dn1", "dn2"),
                2,
                "unknown",
                "none",
                List.of(),
                null);
    }
}
