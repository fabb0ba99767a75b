package io.pgstress.explain;

import io.pgstress.dataset.Table;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.plan.PoolSpec;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.result.StatementRoute;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Plans;
import io.pgstress.target.dialect.Plans.Footprint;
import io.pgstress.target.dialect.Plans.Layout;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.statement.ClientStatements;
import io.pgstress.target.statement.ModePlan;
import io.pgstress.target.statement.Sql;
import io.pgstress.text.SqlVerb;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs each operation once on a session that explains statements instead of executing them, so that every operation, custom
 * ones included, is explained with its own parameters. Changes nothing; locks and statements have a time limit.
 */
public final class Explainer {
    /** Seed of the sampler and the handout; differs from all streams of the load. */
    private static final long SEED = 0x9e37;

    /**
     * Settings of the session, or of each transaction behind a pooler. Without the last one, pg_stat_statements would show the
     * load's statements with the text of the EXPLAIN, which it saw first.
     */
    private static final List<String> LIMITS = List.of(
            "set %s statement_timeout = '10s'",
            "set %s lock_timeout = '2s'",
            "select set_config('pg_stat_statements.track', 'none', %2$s) where current_setting('is_superuser') = 'on'");

    private static final String UNKNOWN = "unknown";
    private static final String UNDEFINED_TABLE = "42P01";

    private final RunSpec spec;
    private final Target target;
    private final Table table;
    private final Plans plans;

    public Explainer(RunSpec spec, Target target, Table table) {
        this.spec = spec;
        this.target = target;
        this.table = table;
        this.plans = target.dialect().plans();
    }

    /**
     * Explains operations in all statement modes.
     *
     * @param names names of the operations
     * @param operations prepared operations; the caller must make the ids that they hand out available again
     * @throws SQLException if the server cannot be queried at all
     */
    public List<PlannedStatement> explain(List<String> names, List<Operation> operations) throws SQLException {
        return explain(names, operations, modes(), List.of());
    }

    /**
     * Explains operations, with literals, as they would be planned after some statements. Everything is rolled back.
     *
     * @param before such as those that create indexes
     */
    public List<PlannedStatement> explainAfter(List<String> before, List<String> names, List<Operation> operations)
            throws SQLException {
        List<String> settings = new ArrayList<>(List.of("set local statement_timeout = 0"));
        settings.addAll(before);
        return explain(names, operations, List.of(StatementMode.PLAIN), settings);
    }

    private List<PlannedStatement> explain(
            List<String> names, List<Operation> operations, List<StatementMode> modes, List<String> before)
            throws SQLException {
        List<List<Sql>> statements =
                operations.stream().map(o -> o.statements(0)).toList();
        List<PlannedStatement> found = new ArrayList<>();
        try (Connection connection = target.first().connector().open(SessionPurpose.LOAD)) {
            Layout layout = layout(connection);
            boolean isTwoPhase = target.dialect().commitsInTwoPhases(connection);
            List<String> settings = new ArrayList<>(plans.settings());
            if (target.first().sharesSessions()) {
                LIMITS.forEach(limit -> settings.add(String.format(Locale.ROOT, limit, "local", "true")));
            } else {
                limit(connection);
            }
            settings.addAll(before);
            connection.setAutoCommit(false);
            ClientStatements session = ClientStatements.explaining(
                    modes,
                    statements,
                    settings,
                    plans.explain(),
                    (o, s, plan) ->
                            found.add(planned(names.get(o), statements.get(o).get(s), plan, layout, isTwoPhase)));
            session.attach(connection);
            for (int o = 0; o < operations.size(); o++) {
                run(operations.get(o).forClient(new Operation.ClientSeat(o, session, 0, 1, spec.seed() ^ SEED)));
            }
            session.detach();
            connection.rollback();
        }
        return found;
    }

    /** Custom operations need no table; without one the shards are unknown. */
    private Layout layout(Connection connection) throws SQLException {
        try {
            return plans.layout(connection, table.name());
        } catch (SQLException e) {
            if (!UNDEFINED_TABLE.equals(e.getSQLState())) {
                throw e;
            }
            throw new SQLException(
                    "table " + table.name() + " does not exist, so its shards are unknown; name a table with --table",
                    UNDEFINED_TABLE,
                    e);
        }
    }

    private List<StatementMode> modes() {
        return spec.get(RunOptions.QUERY_MODE).equals(Optional.of("simple"))
                ? List.of(StatementMode.PLAIN)
                : List.of(StatementMode.values());
    }

    private static void limit(Connection connection) throws SQLException {
        for (String limit : LIMITS) {
            ControlSql.execute(connection, String.format(Locale.ROOT, limit, "session", "false"));
        }
    }

    private static void run(ClientOperation operation) throws SQLException {
        if (operation.draw()) {
            operation.execute();
        }
    }

    private PlannedStatement planned(String operation, Sql sql, ModePlan found, Layout layout, boolean isTwoPhase) {
        ModePlan plan = spec.get(RunOptions.CONNECT).equals(PoolSpec.PER_TRANSACTION) ? found.inNewSessions() : found;
        Footprint first = plans.read(plan.first());
        Footprint later = plans.read(plan.later());
        boolean failed = plan.error() != null;
        StatementRoute route = new StatementRoute(
                operation,
                sql.name(),
                plan.mode().name().toLowerCase(Locale.ROOT),
                failed ? null : number(first.touched()),
                failed ? null : number(later.touched()),
                layout.units(),
                layout.unit(),
                later.nodes(),
                layout.nodes().size(),
                kind(plan),
                failed ? UNKNOWN : commit(sql, later.touched(), isTwoPhase),
                later.scans(),
                plan.error());
        return new PlannedStatement(route, plan.first(), plan.later());
    }

    private static @Nullable Integer number(OptionalInt touched) {
        return touched.isPresent() ? touched.getAsInt() : null;
    }

    private static String kind(ModePlan plan) {
        if (plan.genericFirst() == null || plan.genericLater() == null) {
            return UNKNOWN;
        }
        return !plan.genericLater() ? "custom" : plan.genericFirst() ? "generic" : "custom-then-generic";
    }

    private static String commit(Sql sql, OptionalInt touched, boolean isTwoPhase) {
        if (!SqlVerb.of(sql.text()).isChange()) {
            return "none";
        }
        return touched.isEmpty() ? UNKNOWN : isTwoPhase && touched.getAsInt() > 1 ? "two-phase" : "one-phase";
    }

    /**
     * A statement's route and the plan that it was read from.
     *
     * @param first the EXPLAIN output of the first execution, by line
     * @param later its output for the sixth execution
     */
    public record PlannedStatement(StatementRoute route, List<String> first, List<String> later) {}

    /** Describes statement routes in words. */
    public static final class PlanWords {
        private PlanWords() {}

        /**
         * One line per operation: what its statements do in one mode, and in the other modes if that differs.
         *
         * @param mode the mode to describe first
         */
        public static List<String> lines(List<StatementRoute> routes, String mode) {
            return routes.stream()
                    .collect(Collectors.groupingBy(StatementRoute::operation, LinkedHashMap::new, Collectors.toList()))
                    .values()
                    .stream()
                    .map(ofOperation -> line(ofOperation, mode))
                    .toList();
        }

        private static String line(List<StatementRoute> routes, String mode) {
            List<StatementRoute> own =
                    routes.stream().filter(r -> r.mode().equals(mode)).toList();
            StringBuilder line = new StringBuilder(routes.get(0).operation() + " " + mode + ": ");
            line.append(own.stream()
                    .map(r -> (own.size() > 1 ? r.statement() + " " : "") + route(r, routes))
                    .collect(Collectors.joining("; ")));
            for (String other : List.of("plain", "extended", "prepared")) {
                List<StatementRoute> others =
                        routes.stream().filter(r -> r.mode().equals(other)).toList();
                if (!other.equals(mode) && differ(own, others)) {
                    line.append("; ").append(other).append(": ");
                    line.append(others.stream()
                            .map(r -> (own.size() > 1 ? r.statement() + " " : "") + share(r))
                            .collect(Collectors.joining(", ")));
                }
            }
            return line.toString();
        }

        private static boolean differ(List<StatementRoute> own, List<StatementRoute> others) {
            for (int i = 0; i < Math.min(own.size(), others.size()); i++) {
                if (!Objects.equals(own.get(i).touchedLater(), others.get(i).touchedLater())
                        || !Objects.equals(own.get(i).touched(), others.get(i).touched())) {
                    return true;
                }
            }
            return false;
        }

        /** Where a statement goes, by what plan, and how it commits. */
        static String route(StatementRoute r, List<StatementRoute> all) {
            if (r.error() != null) {
                return "not explained: " + r.error();
            }
            List<String> parts = new ArrayList<>();
            if (!r.unit().equals("table")) {
                parts.add(way(r) + share(r) + (isForParameter(r, all) ? " (bind parameter)" : ""));
            }
            if (r.nodesOf() > 0 && r.unit().equals("shards") && !r.nodes().isEmpty()) {
                parts.add(r.nodes().size() + " of " + r.nodesOf() + " nodes");
            }
            String scan = scan(r, all);
            if (!scan.isEmpty()) {
                parts.add(scan);
            }
            if (r.mode().equals("prepared") && !r.plan().equals("unknown")) {
                parts.add(
                        r.plan().equals("custom-then-generic")
                                ? "custom plan, generic from the sixth on"
                                : r.plan() + " plan");
            }
            if (!r.commit().equals("none") && !r.commit().equals("unknown")) {
                parts.add(r.commit() + " commit");
            }
            return parts.isEmpty() ? "no table scan" : String.join(", ", parts);
        }

        /** How the rows are found; if a bound statement's plan does not show it, taken from the plan with literals. */
        private static String scan(StatementRoute r, List<StatementRoute> all) {
            if (!r.scans().isEmpty()) {
                return String.join(" and ", r.scans());
            }
            return withLiterals(r, all)
                    .filter(o -> !o.scans().isEmpty())
                    .findFirst()
                    .map(o -> String.join(" and ", o.scans()) + " with literals, otherwise not shown")
                    .orElse("");
        }

        private static Stream<StatementRoute> withLiterals(StatementRoute r, List<StatementRoute> all) {
            return all.stream()
                    .filter(o -> o.mode().equals("plain")
                            && o.operation().equals(r.operation())
                            && o.statement().equals(r.statement()));
        }

        private static String way(StatementRoute r) {
            Integer touched = r.touchedLater();
            if (touched == null) {
                return "";
            }
            return touched == 1 ? "routed to " : touched == r.of() ? "broadcast to " : "sent to ";
        }

        private static String share(StatementRoute r) {
            if (r.error() != null) {
                return "not explained";
            }
            if (r.touched() == null || r.touchedLater() == null) {
                return "not shown";
            }
            String share = r.touchedLater() + " of " + r.of() + " " + r.unit();
            return r.touched().equals(r.touchedLater())
                    ? share
                    : r.touched() + ", from the sixth execution on " + share;
        }

        /** Whether the statement with literals would go to fewer places. */
        private static boolean isForParameter(StatementRoute r, List<StatementRoute> all) {
            Integer later = r.touchedLater();
            return later != null && withLiterals(r, all).anyMatch(o -> o.touched() != null && o.touched() < later);
        }

        /** One line for a statement in one mode, for the explain command. */
        public static String whole(StatementRoute r, List<StatementRoute> all) {
            return r.operation() + " " + r.statement() + " " + r.mode() + ": "
                    + Stream.of(r.unit().equals("table") ? "one server" : "", route(r, all))
                            .filter(part -> !part.isEmpty())
                            .collect(Collectors.joining(", "));
        }
    }
}
