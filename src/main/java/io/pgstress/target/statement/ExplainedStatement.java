package io.pgstress.target.statement;

import io.pgstress.plan.StatementMode;
import io.pgstress.plan.sql.SqlVerb;
import io.pgstress.target.driver.DriverBatch;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A statement that the server explains, with the operation's parameters, instead of running it. Each EXPLAIN and each query
 * runs in its own transaction, which is rolled back. ANALYZE is never used: on Postgres-XL it has crashed a coordinator.
 */
final class ExplainedStatement implements SessionStatement {
    private final Sql sql;
    private final SqlVerb verb;
    private final List<StatementMode> modes;
    private final List<String> settings;
    private final boolean reads;
    private final Consumer<ModePlan> sink;
    private final PlainStatement plain;
    private final PlainStatement reading;
    private final Captured parameters;
    private @Nullable Connection connection;
    private int batch;

    /**
     * @param reads whether a query is also run, for its rows. It runs as a subquery, which no server counts as a statement of
     *     the load, and which cannot change anything (a WITH that would is rejected)
     */
    ExplainedStatement(
            Sql sql, List<StatementMode> modes, List<String> settings, boolean reads, Consumer<ModePlan> sink) {
        this.sql = sql;
        this.verb = SqlVerb.of(sql.text());
        this.reads = reads && verb.isQuery();
        this.modes = modes;
        this.settings = settings;
        this.sink = sink;
        this.plain = new PlainStatement(sql, slot());
        this.reading = new PlainStatement(
                new Sql(sql.name(), "select * from (" + sql.text() + "\n) pgstress_explained"), slot());
        this.parameters = new Captured();
    }

    private static StatementSlot slot() {
        return new StatementSlot(0, 0, 0, (operation, statement, nanos, rows, fetch) -> {});
    }

    @Override
    public void attach(Connection newConnection) {
        connection = newConnection;
        plain.attach(newConnection);
        reading.attach(newConnection);
    }

    @Override
    public void detach() throws SQLException {
        connection = null;
        plain.detach();
        reading.detach();
    }

    @Override
    public void setInt(int parameter, int value) {
        parameters.set(parameter, "int", (s, p) -> s.setInt(p, value));
        plain.setInt(parameter, value);
        reading.setInt(parameter, value);
    }

    @Override
    public void setLong(int parameter, long value) {
        parameters.set(parameter, "bigint", (s, p) -> s.setLong(p, value));
        plain.setLong(parameter, value);
        reading.setLong(parameter, value);
    }

    @Override
    public void setText(int parameter, String value) {
        parameters.set(parameter, "varchar", (s, p) -> s.setText(p, value));
        plain.setText(parameter, value);
        reading.setText(parameter, value);
    }

    @Override
    public void setUntyped(int parameter, @Nullable String value) {
        parameters.set(parameter, "unknown", (s, p) -> s.setUntyped(p, value));
        plain.setUntyped(parameter, value);
        reading.setUntyped(parameter, value);
    }

    /** A query that fails returns no rows. */
    @Override
    public long query(RowReader reader) throws SQLException {
        update();
        if (!reads) {
            return 0;
        }
        Connection open = open();
        try {
            return reading.query(reader);
        } catch (SQLException e) {
            if (ServerErrors.sessionIsAlive(e)) {
                return 0;
            }
            throw e;
        } finally {
            open.rollback();
        }
    }

    @Override
    public long update() throws SQLException {
        if (verb.hasPlan()) {
            explain();
        } else if (!verb.isOfTransaction()) {
            hasNoPlan();
        }
        return 1;
    }

    private void hasNoPlan() {
        notExplained("a " + verb.word().toUpperCase(Locale.ROOT) + " has no plan");
    }

    @Override
    public boolean isExplained() {
        return true;
    }

    @Override
    public void notExplained(String why) {
        modes.forEach(mode -> sink.accept(new ModePlan(mode, List.of(), List.of(), null, why)));
    }

    @Override
    public void addBatch() {
        batch++;
    }

    /** Not explained: the plan for one row would not describe the driver's statement for several. */
    @Override
    public long updateBatch() throws SQLException {
        int rows = batch;
        batch = 0;
        if (rows < 2) {
            return update();
        }
        for (StatementMode mode : modes) {
            String sent = mode != StatementMode.PLAIN && DriverBatch.isRewritten(open())
                    ? DriverBatch.rewritten(rows, parameters.types().size())
                    : rows + " INSERTs of a row";
            sink.accept(new ModePlan(
                    mode, List.of(), List.of(), null, "the driver sends a batch of " + rows + " rows as " + sent));
        }
        return rows;
    }

    @Override
    public long copy(CopyPortions portions) {
        hasNoPlan();
        return 0;
    }

    private Connection open() throws SQLException {
        if (connection == null) {
            throw new SQLException("no connection is attached", "08003");
        }
        return connection;
    }

    private void explain() throws SQLException {
        ModeExplainer explainer = new ModeExplainer(open(), settings, sql, parameters, plain);
        for (StatementMode mode : modes) {
            try {
                sink.accept(explainer.explain(mode));
            } catch (SQLException e) {
                String said = ServerErrors.sampleOf(e) + " (SQLSTATE " + ServerErrors.stateOf(e) + ")";
                sink.accept(new ModePlan(mode, List.of(), List.of(), null, said));
            } finally {
                open().rollback();
            }
        }
    }
}
