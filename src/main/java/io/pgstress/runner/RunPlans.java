package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.explain.Explainer;
import io.pgstress.explain.PlanWords;
import io.pgstress.explain.PlannedStatement;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.result.Explained;
import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.result.OperationResult;
import io.pgstress.result.StatementRoute;
import io.pgstress.target.Target;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Where the run's statements are to go, asked before it, held against what the nodes counted. */
final class RunPlans {
    /** Seen and explained are the same within that; boundaries and failures make up for the rest. */
    private static final double TOLERANCE = 0.02;

    private static final int MAX_TEXTS = 6;

    private final String mode;
    private final List<PlannedStatement> planned;
    private final boolean comesWithoutText;
    private final boolean countsRemoteOnly;
    private final @Nullable String failure;

    private RunPlans(
            String mode,
            List<PlannedStatement> planned,
            boolean comesWithoutText,
            boolean countsRemoteOnly,
            @Nullable String failure) {
        this.mode = mode;
        this.planned = planned;
        this.comesWithoutText = comesWithoutText;
        this.countsRemoteOnly = countsRemoteOnly;
        this.failure = failure;
    }

    /** Asks; a server that does not tell is no reason not to run. */
    static RunPlans ask(RunSpec spec, Target target, Table table, Preparation preparation) {
        String mode = spec.statement().label();
        List<String> names = spec.mix().stream().map(WeightedOperation::name).toList();
        try {
            List<PlannedStatement> planned =
                    new Explainer(spec, target, table).explain(names, preparation.operations());
            boolean withoutText = !spec.get(RunOptions.TRANSACTION)
                    && planned.stream()
                            .filter(p -> p.route().mode().equals(mode))
                            .anyMatch(p -> target.dialect().plans().comesWithoutText(p.later()));
            boolean remoteOnly =
                    planned.stream().anyMatch(p -> p.route().unit().equals("shards")) && runsOnItsOwnShards(target);
            return new RunPlans(mode, planned, withoutText, remoteOnly, null);
        } catch (SQLException e) {
            String said = "statements were not explained: " + ServerErrors.sampleOf(e) + " (SQLSTATE "
                    + ServerErrors.stateOf(e) + ")";
            return new RunPlans(mode, List.of(), false, false, said);
        }
    }

    /** Whether a server that clients connect to has shards: Citus runs those in the same session, where nobody counts them. */
    private static boolean runsOnItsOwnShards(Target target) throws SQLException {
        if (target.nodes().size() > 1) {
            return true;
        }
        try (Connection connection = target.first().connector().openLookup()) {
            return target.dialect().topology().nodes(connection).stream().anyMatch(n -> n.isAsked() && n.holdsData());
        }
    }

    /** Whether some of the statements reach the nodes without a text that they could count. */
    boolean comeWithoutText() {
        return comesWithoutText;
    }

    /** Why there are no plans; null where there are. */
    @Nullable
    String failure() {
        return failure;
    }

    /**
     * @param operations of the whole run, by name
     * @param isWhole whether all nodes that count are among these; of some of them no sum is to be compared
     */
    Explained heldAgainst(
            Map<String, OperationResult> operations,
            List<NodeStatements> nodes,
            boolean isWhole,
            @Nullable PlanCounts counts) {
        List<StatementRoute> routes =
                planned.stream().map(PlannedStatement::route).toList();
        long runs = operations.values().stream().mapToLong(RunPlans::runs).sum();
        Double expected = nodes.isEmpty() || runs == 0 || countsRemoteOnly || !isWhole
                ? null
                : expected(routes, operations, runs);
        Double seen = nodes.isEmpty() || runs == 0
                ? null
                : (double) nodes.stream().mapToLong(NodeStatements::statements).sum() / runs;
        return new Explained(
                PlanWords.lines(routes, mode),
                routes,
                nodes,
                expected,
                seen,
                counts == null ? null : counts.generic(),
                counts == null ? null : counts.custom(),
                seen == null
                        ? null
                        : verdict(nodes, seen, expected)
                                + (countsRemoteOnly
                                        ? "; a server that clients connect to does not count what it runs on its own shards"
                                        : "")
                                + (isWhole ? "" : "; not compared, as not every node told its count"));
    }

    /** How often an operation was begun: its first statement ran. */
    private static long runs(OperationResult operation) {
        return operation.statements().values().stream()
                .findFirst()
                .map(OperationResult.StatementResult::callsInAll)
                .orElse(0L);
    }

    private @Nullable Double expected(List<StatementRoute> routes, Map<String, OperationResult> operations, long runs) {
        double sum = 0;
        for (StatementRoute route : routes) {
            if (!route.mode().equals(mode)) {
                continue;
            }
            OperationResult operation = operations.get(route.operation());
            OperationResult.StatementResult statement =
                    operation == null ? null : operation.statements().get(route.statement());
            if (statement == null || route.touchedLater() == null) {
                return null;
            }
            sum += (double) statement.callsInAll() * route.touchedLater();
        }
        return sum / runs;
    }

    private static String verdict(List<NodeStatements> nodes, double seen, @Nullable Double expected) {
        String counted = nodes.stream()
                .map(n -> String.format(Locale.ROOT, "%s %,d", n.node(), n.statements())
                        + (n.twoPhase() == 0
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        " and %s%,d two-phase",
                                        n.twoPhaseAtLeast() ? "at least " : "",
                                        n.twoPhase())))
                .collect(Collectors.joining(", "));
        String words = String.format(Locale.ROOT, "%s statements: %.2f an operation", counted, seen);
        if (expected == null) {
            return words;
        }
        return words
                + (Math.abs(seen - expected) <= TOLERANCE * expected
                        ? String.format(Locale.ROOT, ", as explained (%.2f)", expected)
                        : String.format(Locale.ROOT, "; explained were %.2f; they were %s", expected, texts(nodes)));
    }

    /** The most frequent statements of all nodes, for what was not explained to be seen. */
    private static String texts(List<NodeStatements> nodes) {
        Map<String, Long> all = new TreeMap<>();
        nodes.forEach(node -> node.texts().forEach((text, count) -> all.merge(text, count, Long::sum)));
        return all.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MAX_TEXTS)
                .map(e -> String.format(Locale.ROOT, "%,d of '%s'", e.getValue(), e.getKey()))
                .collect(Collectors.joining(", "));
    }
}
