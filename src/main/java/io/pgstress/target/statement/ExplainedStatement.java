package io.pgstress.target.statement;

import io.pgstress.plan.StatementMode;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.DriverSession.DriverBatch;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.statement.JdbcStatement.Slot;
import io.pgstress.target.statement.SqlStatement.CopyPortions;
import io.pgstress.target.statement.SqlStatement.ResultReader;
import io.pgstress.target.statement.SqlStatement.RowReader;
import io.pgstress.target.statement.SqlStatement.SessionStatement;
import io.pgstress.text.NamedSql;
import io.pgstress.text.SqlText;
import io.pgstress.text.SqlVerb;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A statement that the server explains, with the operation's parameters, instead of running it. Each EXPLAIN and each query
 * runs in its own transaction, which is rolled back. ANALYZE is never used: on Postgres-XL it has crashed a coordinator.
 */
final class ExplainedStatement implements SessionStatement {
    private static final String NAME = "pgstress_explained";
    private static final String NAMED = " from pg_prepared_statements where name = '" + NAME + "'";
    private static final int EXECUTIONS = 6;
    private static final int COUNTS_SINCE = 14;

    private final Sql sql;
    private final SqlVerb verb;
    private final List<StatementMode> modes;
    private final List<String> settings;
    private final String explain;
    private final boolean reads;
    private final Consumer<ModePlan> sink;
    private final PlainStatement plain;
    private final PlainStatement reading;
    private final Captured parameters;
    private int batch;

    /**
     * @param reads whether a query is also run, for its rows. It runs as a subquery, which no server counts as a statement of
     *     the load, and which cannot change anything (a WITH that would is rejected)
     */
    ExplainedStatement(
            Sql sql,
            List<StatementMode> modes,
            List<String> settings,
            String explain,
            boolean reads,
            Consumer<ModePlan> sink) {
        this.sql = sql;
        this.verb = SqlVerb.of(sql.text());
        this.reads = reads && verb.isQuery();
        this.modes = modes;
        this.settings = settings;
        this.explain = explain;
        this.sink = sink;
        this.plain = new PlainStatement(sql, Slot.UNRECORDED);
        this.reading = new PlainStatement(
                new Sql(sql.name(), "select * from (" + sql.text() + "\n) pgstress_explained"), Slot.UNRECORDED);
        this.parameters = new Captured();
    }

    @Override
    public void attach(Connection newConnection) {
        plain.attach(newConnection);
        reading.attach(newConnection);
    }

    @Override
    public void detach() throws SQLException {
        plain.detach();
        reading.detach();
    }

    @Override
    public void setInt(int parameter, int value) {
        parameters.set(parameter, "int", (s, p) -> s.setInt(p, value));
    }

    @Override
    public void setLong(int parameter, long value) {
        parameters.set(parameter, "bigint", (s, p) -> s.setLong(p, value));
    }

    @Override
    public void setText(int parameter, String value) {
        parameters.set(parameter, "varchar", (s, p) -> s.setText(p, value));
    }

    @Override
    public void setUntyped(int parameter, @Nullable String value) {
        parameters.set(parameter, "unknown", (s, p) -> s.setUntyped(p, value));
    }

    /** A query that fails returns no rows. */
    @Override
    public long query(RowReader reader) throws SQLException {
        update();
        if (!reads) {
            return 0;
        }
        Connection open = open();
        long rows = 0;
        try {
            parameters.setOn(reading);
            rows = reading.query(reader);
        } catch (SQLException e) {
            if (!ServerErrors.sessionIsAlive(e)) {
                throw e;
            }
        }
        open.rollback();
        return rows;
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

    /** Explained only if it is a single statement: of several, the server would run the others. */
    @Override
    public long run(ResultReader reader) throws SQLException {
        if (NamedSql.holdsSeveral(sql.text())) {
            notExplained("it has several statements");
            return 0;
        }
        if (!verb.isQuery()) {
            long changed = update();
            reader.end(-1, true);
            return changed;
        }
        long rows = query(row -> reader.row(row, true));
        reader.end(rows, true);
        return rows;
    }

    private void hasNoPlan() {
        notExplained(verb.word().toUpperCase(Locale.ROOT) + " has no plan");
    }

    @Override
    public boolean isExplained() {
        return true;
    }

    @Override
    public void notExplained(String why) {
        modes.forEach(mode -> sink.accept(new ModePlan(mode, List.of(), List.of(), null, null, why)));
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
                    mode,
                    List.of(),
                    List.of(),
                    null,
                    null,
                    "the driver sends a batch of " + rows + " rows as " + sent));
        }
        return rows;
    }

    @Override
    public long copy(CopyPortions portions) {
        hasNoPlan();
        return 0;
    }

    private Connection open() throws SQLException {
        return plain.connection();
    }

    private void explain() throws SQLException {
        parameters.setOn(plain);
        for (StatementMode mode : modes) {
            try {
                sink.accept(explain(mode));
            } catch (SQLException e) {
                if (!ServerErrors.sessionIsAlive(e)) {
                    throw e;
                }
                String said = ServerErrors.sampleWithState(e);
                sink.accept(new ModePlan(mode, List.of(), List.of(), null, null, said));
            }
            open().rollback();
        }
    }

    /**
     * Explains the statement as it would be sent in a mode: with literals, with parameters bound to an unnamed statement, or as a named
     * one. The latter is explained six times, as the server considers a generic plan after five executions (PostgreSQL's
     * {@code choose_custom_plan}) and counts an EXPLAIN EXECUTE as one.
     */
    private ModePlan explain(StatementMode mode) throws SQLException {
        try (Statement statement = open().createStatement()) {
            statement.setEscapeProcessing(false);
            for (String setting : settings) {
                statement.execute(setting);
            }
            return switch (mode) {
                case PLAIN -> once(mode, lines(statement, explain + plain.text()));
                case EXTENDED -> once(mode, bound());
                case PREPARED -> named(statement);
            };
        }
    }

    private static ModePlan once(StatementMode mode, List<String> plan) {
        return new ModePlan(mode, plan, plan, false, false, null);
    }

    private List<String> bound() throws SQLException {
        BoundStatement statement = new BoundStatement(new Sql(sql.name(), explain + sql.text()), Slot.UNRECORDED);
        statement.attach(open());
        try {
            parameters.setOn(statement);
            List<String> lines = new ArrayList<>();
            statement.query(row -> row.getString(1).lines().forEach(lines::add));
            return lines;
        } finally {
            statement.detach();
        }
    }

    private ModePlan named(Statement statement) throws SQLException {
        String[] parts = SqlText.split(sql.text());
        StringBuilder text = new StringBuilder(parts[0]);
        StringBuilder marks = new StringBuilder();
        for (int i = 1; i < parts.length; i++) {
            text.append('$').append(i).append(parts[i]);
            marks.append(i == 1 ? "(?" : ", ?").append(i == parts.length - 1 ? ")" : "");
        }
        String types = parts.length == 1 ? "" : "(" + String.join(", ", parameters.types()) + ")";
        statement.execute("prepare " + NAME + types + " as " + text);
        try {
            PlainStatement execute =
                    new PlainStatement(new Sql(sql.name(), explain + "execute " + NAME + marks), Slot.UNRECORDED);
            execute.attach(open());
            parameters.setOn(execute);
            String again = execute.text();
            List<String> first = lines(statement, again);
            long generic = generic();
            for (int i = 2; i < EXECUTIONS; i++) {
                lines(statement, again);
            }
            long before = generic();
            List<String> later = lines(statement, again);
            Boolean turned = turned(before, generic(), first, later);
            Boolean atOnce =
                    generic >= 0 ? Boolean.valueOf(generic > 0) : Boolean.TRUE.equals(turned) ? Boolean.FALSE : null;
            return new ModePlan(StatementMode.PREPARED, first, later, atOnce, turned, null);
        } finally {
            deallocate(statement);
        }
    }

    /** Deallocates the statement within the transaction, after which a pooler may use another session. */
    private void deallocate(Statement statement) throws SQLException {
        if (DriverSession.hasFailedTransaction(open())) {
            open().rollback();
            if (!ControlSql.exists(open(), "select 1" + NAMED)) {
                return;
            }
        }
        statement.execute("deallocate " + NAME);
        open().rollback();
    }

    /**
     * Whether the last plan was generic: according to the server's count, or else because it shows a parameter that the first
     * one did not.
     */
    private static @Nullable Boolean turned(long before, long after, List<String> first, List<String> later) {
        if (after >= 0) {
            return after > before;
        }
        return first.equals(later) ? null : String.join("\n", later).contains("$1");
    }

    /** Number of generic plans so far; -1 if the server does not count them. */
    private long generic() throws SQLException {
        if (open().getMetaData().getDatabaseMajorVersion() < COUNTS_SINCE) {
            return -1;
        }
        return ControlSql.number(open(), "select generic_plans" + NAMED);
    }

    private static List<String> lines(Statement statement, String explain) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(explain)) {
            while (rows.next()) {
                rows.getString(1).lines().forEach(lines::add);
            }
        }
        return lines;
    }

    /** The parameters of a statement, kept to be set on other statements. Not thread-safe. */
    private static final class Captured {
        private final TreeMap<Integer, Parameter> parameters = new TreeMap<>();

        /** Sets one parameter. */
        @FunctionalInterface
        interface Setter {
            void set(SqlStatement statement, int parameter) throws SQLException;
        }

        private record Parameter(String type, Setter setter) {}

        /** @param type the SQL type that the driver announces */
        void set(int parameter, String type, Setter setter) {
            parameters.put(parameter, new Parameter(type, setter));
        }

        /** The types, in the order of the parameters. */
        List<String> types() {
            List<String> types = new ArrayList<>();
            parameters.values().forEach(p -> types.add(p.type));
            return types;
        }

        /** Sets all parameters. */
        void setOn(SqlStatement statement) throws SQLException {
            for (var parameter : parameters.entrySet()) {
                parameter.getValue().setter().set(statement, parameter.getKey());
            }
        }
    }
}
