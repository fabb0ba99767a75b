package io.pgstress.explain;

import io.pgstress.dataset.Table;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.plan.PoolSpec;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.plan.sql.SqlVerb;
import io.pgstress.result.StatementRoute;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Plans;
import io.pgstress.target.dialect.Plans.Footprint;
import io.pgstress.target.dialect.Plans.Layout;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlSession;
import io.pgstress.target.statement.SqlSession.ModePlan;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
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
        List<List<Sql>> statements =
                operations.stream().map(o -> o.statements(0)).toList();
        List<PlannedStatement> found = new ArrayList<>();
        try (Connection connection = target.first().connector().open(SessionPurpose.LOAD)) {
            Layout layout = layout(connection);
            boolean isTwoPhase = target.dialect().transactions().commitsInTwoPhases(connection);
            List<String> settings = new ArrayList<>(plans.settings());
            if (target.first().sharesSessions()) {
                LIMITS.forEach(limit -> settings.add(String.format(Locale.ROOT, limit, "local", "true")));
            } else {
                limit(connection);
            }
            connection.setAutoCommit(false);
            SqlSession session = SqlSession.explaining(
                    modes(),
                    statements,
                    settings,
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
        try (Statement statement = connection.createStatement()) {
            for (String limit : LIMITS) {
                statement.execute(String.format(Locale.ROOT, limit, "session", "false"));
            }
        }
    }

    private static void run(ClientOperation operation) throws SQLException {
        if (operation.draw()) {
            operation.execute();
        }
    }

    private PlannedStatement planned(String operation, Sql sql, ModePlan found, Layout layout, boolean isTwoPhase) {
        ModePlan plan = spec.get(RunOptions.CONNECT).equals(PoolSpec.PER_TRANSACTION)
                ? found.inNewSessions(spec.get(RunOptions.SET).containsKey("plan_cache_mode"))
                : found;
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
                kind(plan.genericLater()),
                failed ? UNKNOWN : commit(sql, later.touched(), isTwoPhase),
                later.scans(),
                plan.error());
        return new PlannedStatement(route, plan.first(), plan.later());
    }

    private static @Nullable Integer number(OptionalInt touched) {
        return touched.isPresent() ? touched.getAsInt() : null;
    }

    private static String kind(@Nullable Boolean generic) {
        return generic == null ? UNKNOWN : generic ? "generic" : "custom";
    }

    private static String commit(Sql sql, OptionalInt touched, boolean isTwoPhase) {
        if (!SqlVerb.of(sql.text()).isChange()) {
            return "none";
        }
        return touched.isEmpty() ? UNKNOWN : isTwoPhase && touched.getAsInt() > 1 ? "two-phase" : "one-phase";
    }
}
