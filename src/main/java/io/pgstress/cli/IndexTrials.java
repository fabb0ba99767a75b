package io.pgstress.cli;

import io.pgstress.explain.Explainer.PlannedStatement;
import io.pgstress.extra.indexes.QueryIndex;
import io.pgstress.extra.suggest.Suggestion.Observed;
import io.pgstress.plan.TableName;
import io.pgstress.result.RunResult;
import io.pgstress.result.StatementRoute;
import io.pgstress.session.PreparedRun;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.text.Quoting;
import io.pgstress.verdict.RehearsalAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tries indexes for operations that read whole tables, and leaves none. Belongs to one thread. */
final class IndexTrials {
    /** Those of the extension hypopg. It has none of GIN, and the creation of one fails. */
    private static final String HYPOTHETICAL_INDEXES =
            "select 1 where to_regprocedure('hypopg_create_index(text)') is not null";

    private final PreparedRun prepared;
    private final TableName table;
    private final long documents;
    private final Map<String, QueryIndex> helpful = new LinkedHashMap<>();

    /** @param documents the number of documents of the collection */
    IndexTrials(PreparedRun prepared, long documents) {
        this.prepared = prepared;
        this.table = prepared.table().name();
        this.documents = documents;
    }

    /** The indexes that help, by operation. */
    Map<String, QueryIndex> helpful() {
        return helpful;
    }

    /** The statements that create the index that helps an operation; empty if none is known. */
    List<String> sql(String operation) {
        QueryIndex index = helpful.get(operation);
        return index == null ? List.of() : index.on(table);
    }

    /** How the server ran an operation of a load. */
    List<StatementRoute> routes(String operation, RunResult load) {
        String mode = prepared.spec().statement().name().toLowerCase(Locale.ROOT);
        return load.serverProfile().explained().routes().stream()
                .filter(route ->
                        route.operation().equals(operation) && route.mode().equals(mode))
                .toList();
    }

    /** Whether an operation that reads a whole table need not. Keeps the index with which the server does not, if there is one. */
    boolean readsAllInVain(Observed observed) throws SQLException {
        TableName used = observed.changes() ? table.copy() : table;
        QueryIndex index = null;
        boolean hasHypothetical;
        try (Connection control = prepared.target().first().connector().open(SessionPurpose.CONTROL)) {
            if (!observed.indexKey().isEmpty()) {
                index = QueryIndex.of(control, prepared.target().dialect(), table, observed.indexKey());
            }
            hasHypothetical = !prepared.target().first().sharesSessions() // in which it would stay
                    && ControlSql.isSince(control, 14, 0)
                    && ControlSql.exists(control, HYPOTHETICAL_INDEXES);
        }
        if (index != null && !index.on(used).isEmpty()) {
            List<StatementRoute> routes =
                    hasHypothetical ? routesAfter(hypothetical(index, used), used, observed.name()) : List.of();
            if (routes.isEmpty()) {
                routes = routesAfter(index.on(used), used, observed.name());
            }
            if (!routes.isEmpty()) {
                // a server that reads a small table as a whole although there is an index does so because it is faster
                boolean helps = routes.stream().noneMatch(StatementRoute::readsAll);
                if (helps) {
                    helpful.put(observed.name(), index);
                }
                return helps;
            }
        }
        return RehearsalAnswer.looksAtFewInMongo(observed.examined(), documents);
    }

    private static List<String> hypothetical(QueryIndex index, TableName used) {
        List<String> statements = new ArrayList<>();
        index.on(used).forEach(sql -> statements.add("select hypopg_create_index(" + Quoting.literal(sql) + ")"));
        for (String expression : index.expressions()) { // a hypothetical index has no statistics of it
            statements.add("create statistics stress_trial_" + statements.size() + " on " + expression + " from "
                    + used.quoted());
        }
        return statements;
    }

    /** How the server would run an operation after these statements, which are rolled back; empty if that cannot be tried. */
    private List<StatementRoute> routesAfter(List<String> statements, TableName used, String operation)
            throws SQLException {
        List<String> before = new ArrayList<>(statements);
        before.add("analyze " + used.quoted());
        List<StatementRoute> routes = ExplainCommand.explain(
                        prepared,
                        List.of(operation),
                        true,
                        created -> {},
                        (explainer, names, operations) -> explainer.explainAfter(before, names, operations))
                .stream()
                .map(PlannedStatement::route)
                .toList();
        return routes.stream().anyMatch(route -> route.error() != null) ? List.of() : routes;
    }
}
