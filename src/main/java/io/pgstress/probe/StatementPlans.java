package io.pgstress.probe;

import io.pgstress.explain.Explainer;
import io.pgstress.explain.Explainer.PlanWords;
import io.pgstress.explain.Explainer.PlannedStatement;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.probe.server.StatementCounts.Counted;
import io.pgstress.result.Explained;
import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.StatementRoute;
import io.pgstress.runner.ClientSession.PlanCounts;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.Target;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.statement.Sql;
import io.pgstress.text.Rounded;
import io.pgstress.text.SqlVerb;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where the run's statements should go according to the server's plans, compared with the nodes' counts. */
public final class StatementPlans implements Probe {
    /** Maximum relative difference between counted and expected statements, which boundaries and failures can cause. */
    private static final double TOLERANCE = 0.02;

    private static final int MAX_TEXTS = 6;

    private final RunContext run;
    private final Servers servers;
    private final String mode;
    private List<PlannedStatement> planned = List.of();
    private boolean areWithoutText;
    private boolean countsRemoteOnly;
    private String failure = "";

    /** @param servers provide the statement counts */
    public StatementPlans(RunContext run, Servers servers) {
        this.run = run;
        this.servers = servers;
        this.mode = run.spec().statement().label();
    }

    /** Requests the plans; the run continues if a server does not provide them. */
    @Override
    public void beforeConnect() {
        RunSpec spec = run.spec();
        Target target = run.target();
        List<String> names = WeightedOperation.names(spec.mix());
        try {
            planned = new Explainer(spec, target, run.table()).explain(names, run.operations());
            areWithoutText = !spec.get(RunOptions.TRANSACTION)
                    && planned.stream()
                            .filter(p -> p.route().mode().equals(mode))
                            .anyMatch(p -> target.dialect().plans().comesWithoutText(p.later()));
            countsRemoteOnly =
                    planned.stream().anyMatch(p -> p.route().unit().equals("shards")) && runsOnItsOwnShards(target);
        } catch (SQLException e) {
            planned = List.of();
            failure = ServerErrors.sampleWithState(e);
        }
    }

    /**
     * Whether the run may use two-phase commit: a statement changes rows on several nodes, its plan does not show on how many, or a
     * transaction makes several changes, which may be on different nodes.
     */
    boolean mayCommitInTwoPhases() {
        for (int o = 0; o < run.operations().size(); o++) {
            Operation operation = run.operations().get(o);
            boolean isTransaction = run.spec().get(RunOptions.TRANSACTION)
                    || operation.profile().has(OperationProfile.OperationTrait.TRANSACTION);
            List<String> changes = operation.statements(0).stream()
                    .filter(statement -> mayChange(SqlVerb.of(statement.text())))
                    .map(Sql::name)
                    .toList();
            String name = run.spec().mix().get(o).name();
            long inOnePhase = planned.stream()
                    .map(PlannedStatement::route)
                    .filter(r -> r.mode().equals(mode)
                            && r.operation().equals(name)
                            && changes.contains(r.statement())
                            && r.commit().equals("one-phase"))
                    .count();
            if (inOnePhase < changes.size() || (isTransaction && changes.size() > 1)) {
                return true;
            }
        }
        return false;
    }

    /** COPY has no plan. */
    private static boolean mayChange(SqlVerb verb) {
        return verb.isChange() || verb.word().equals("copy");
    }

    @Override
    public void contribute(Findings findings) {
        List<Counted> counted = new ArrayList<>();
        List<WatchedServer> asked =
                servers.all().stream().filter(WatchedServer::counts).toList();
        asked.forEach(
                server -> Stream.ofNullable(server.counted(areWithoutText)).forEach(counted::add));
        servers.addNotes(findings);
        if (!failure.isEmpty()) {
            findings.note(
                    RemarkCode.STATEMENTS_NOT_EXPLAINED.with("error", failure).remark());
        }
        findings.explained(compareWith(
                findings.recorded().operations(),
                counted,
                counted.size() == asked.size(),
                findings.recorded().clients().planCounts()));
    }

    /** Whether a server that clients connect to holds shards: Citus runs those in the same session without counting them. */
    private static boolean runsOnItsOwnShards(Target target) throws SQLException {
        if (target.nodes().size() > 1) {
            return true;
        }
        try (Connection connection = target.first().connector().open(SessionPurpose.LOOKUP)) {
            return target.dialect().nodes(connection).stream().anyMatch(n -> n.isAsked() && n.holdsData());
        }
    }

    /**
     * @param operations the operations of the whole run, by name
     * @param isWhole whether all counting nodes are included; otherwise sums cannot be compared
     */
    private Explained compareWith(
            Map<String, OperationResult> operations,
            List<Counted> counted,
            boolean isWhole,
            @Nullable PlanCounts counts) {
        List<NodeStatements> nodes = counted.stream().map(Counted::node).toList();
        List<StatementRoute> routes =
                planned.stream().map(PlannedStatement::route).toList();
        long runs = operations.values().stream().mapToLong(StatementPlans::runs).sum();
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
                nodes.isEmpty() || !isWhole ? null : Counted.twoPhaseCommits(counted),
                counts == null ? null : counts.generic(),
                counts == null ? null : counts.custom(),
                seen == null
                        ? null
                        : verdict(nodes, seen, expected)
                                + (countsRemoteOnly
                                        ? "; a server that clients connect to does not count what it runs on its own"
                                                + " shards"
                                        : "")
                                + (isWhole ? "" : "; not compared, because not every node returned its count"));
    }

    /** The number of executions: how often the first statement ran. */
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
                .map(n -> Rounded.format("%s %,d", n.node(), n.statements())
                        + (n.twoPhase() == 0
                                ? ""
                                : Rounded.format(
                                        " and %s%,d prepared transactions",
                                        n.twoPhaseAtLeast() ? "at least " : "", n.twoPhase())))
                .collect(Collectors.joining(", "));
        String words = Rounded.format("%s statements: %.2f per operation", counted, seen);
        if (expected == null) {
            return words;
        }
        return words
                + (Math.abs(seen - expected) <= TOLERANCE * expected
                        ? Rounded.format(", as explained (%.2f)", expected)
                        : Rounded.format("; explained were %.2f; they were %s", expected, texts(nodes)));
    }

    /** The most frequent statements of all nodes, to show what the plans did not predict. */
    private static String texts(List<NodeStatements> nodes) {
        Map<String, Long> all = new TreeMap<>();
        nodes.forEach(node -> node.texts().forEach((text, count) -> all.merge(text, count, Long::sum)));
        return all.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MAX_TEXTS)
                .map(e -> Rounded.format("%,d of '%s'", e.getValue(), e.getKey()))
                .collect(Collectors.joining(", "));
    }
}
