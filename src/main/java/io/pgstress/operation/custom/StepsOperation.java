package io.pgstress.operation.custom;

import io.pgstress.dataset.RunLock.Claim;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.EmptyResults;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.OperationTrait;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.Trait;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.custom.ClientSteps.Bracket;
import io.pgstress.operation.custom.ClientSteps.ClientStep;
import io.pgstress.operation.custom.ParameterValue.TableChoice;
import io.pgstress.operation.custom.ValueSource.Draws;
import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.plan.custom.CustomOperation.Bound;
import io.pgstress.plan.custom.CustomOperation.Combine;
import io.pgstress.plan.custom.CustomOperation.Comparison;
import io.pgstress.plan.custom.CustomOperation.CustomParameter;
import io.pgstress.plan.custom.CustomOperation.CustomStep;
import io.pgstress.plan.custom.Placeholders;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.result.Remark;
import io.pgstress.target.dialect.TableStorage;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.StatementProbe.Described;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An operation from an operations file. */
public final class StepsOperation implements Operation {
    private final CustomOperation asked;
    private final OperationType.Context context;
    private final OperationTables tables;
    private final Map<String, Long> values = new LinkedHashMap<>();
    private final Map<String, ValueSource> sources = new LinkedHashMap<>();
    private final List<Described> described = new ArrayList<>();
    /** Steps that the run's clients could not execute; explain uses an instance of its own. */
    private EmptyResults empty = new EmptyResults();

    private final StepWrites writes;
    private final List<StepComparison> comparisons;
    private boolean isReset;

    public StepsOperation(CustomOperation asked, OperationType.Context context) {
        this(asked, context, OperationTables.NONE);
    }

    /** @param tables the tables that it needs besides those of its SQL */
    public StepsOperation(CustomOperation asked, OperationType.Context context, OperationTables tables) {
        this.asked = asked;
        this.context = context;
        this.tables = tables;
        List<CustomOperation.Check> checks = asked.checks().stream()
                .filter(check -> check.comparison() != Comparison.EQUALS
                        || asked.reset().isEmpty()
                        || !context.get(RunOptions.NO_RESET))
                .toList();
        this.writes = new StepWrites(
                asked,
                IntStream.range(0, asked.tables().count()).mapToObj(this::steps).toList(),
                asked.transaction() || context.get(RunOptions.TRANSACTION));
        this.comparisons = checks.stream()
                .map(check -> new StepComparison(check, writes.compared(check.by())))
                .filter(comparison -> writes.areKnown())
                .toList();
    }

    /** Tables that an operation creates and fills beyond what its SQL does. Belongs to one thread at a time. */
    public interface OperationTables {
        /** For operations without any. */
        OperationTables NONE = control -> {};

        /** Called before anything else, also if existing objects must not be changed. */
        void setUp(Connection control) throws SQLException;

        /** Called when the operation's tables are reset, after its {@code reset}; returns whether it changed rows. */
        default boolean reset(Connection control) throws SQLException {
            return false;
        }

        /** The SQL of a step for JDBC, which is executed instead of what the file has. */
        default String sql(String written) {
            return written;
        }

        /** Values that are known after the set-up; the file's SQL computes the others. */
        default Map<String, Long> values() {
            return Map.of();
        }

        /** The tables that the operation needs for itself. */
        default List<String> claims() {
            return List.of();
        }

        /** See {@link Operation#knownRows}. */
        default long knownRows() {
            return -1;
        }

        /** See {@link OperationProfile}; known after the set-up. */
        default double rowBytes() {
            return 0;
        }

        /** Further checks after the load. */
        default List<TableCheck> checks() {
            return List.of();
        }
    }

    /** The type of a user-defined operation. */
    public static OperationType type(CustomOperation asked) {
        List<Option<?>> options =
                new ArrayList<>(List.of(RunOptions.NO_RESET, RunOptions.KEY_DISTRIBUTION, RunOptions.KEY_SAMPLE));
        return new OperationType(
                List.of(asked.name()),
                asked.description(),
                context -> new StepsOperation(asked, context),
                asked.needsTable() ? "" : "(own tables)",
                asked.copy(),
                asked.transaction() ? Set.of(Trait.OWN_TRANSACTION) : Set.of(),
                options);
    }

    private Placeholders names(int number) {
        return new Placeholders(context.table().name(), number, values);
    }

    /**
     * The statements of the steps on a table.
     *
     * @param table from 0
     */
    private List<Sql> steps(int table) {
        boolean isNumbered = asked.tables().ofOperation() && asked.tables().count() > 1;
        Placeholders names = names(table + 1);
        return asked.steps().stream()
                .map(step -> new Sql(
                        isNumbered ? step.name() + "_" + (table + 1) : step.name(),
                        tables.sql(names.in(step.sql().text()))))
                .toList();
    }

    /** {@code begin} of a transaction, the steps on each table that the client may use, {@code commit} and {@code rollback}. */
    @Override
    public List<Sql> statements(int client) {
        List<Sql> statements = new ArrayList<>();
        if (asked.transaction()) {
            statements.add(new Sql("begin", "begin"));
        }
        tablesOf(client).forEach(table -> statements.addAll(steps(table)));
        if (asked.transaction()) {
            statements.add(new Sql("commit", "commit"));
        }
        if (asked.transaction() && asked.meetsDuplicates()) {
            statements.add(new Sql("rollback", "rollback"));
        }
        return statements;
    }

    /** The tables that a client may use, from 0. */
    private IntStream tablesOf(int client) {
        return asked.tables().ofOperation()
                ? IntStream.range(0, asked.tables().count())
                : IntStream.of(asked.tables().ofClient(client) - 1);
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT
                .claiming(claims())
                .withCopy(copy())
                .when(whenUsedUp())
                .with(OperationTrait.TRANSACTION, asked.transaction())
                .with(OperationTrait.EXPECTS_MISSES, asked.expectsMisses())
                .withRowBytes(tables.rowBytes());
    }

    /** Tables of an operation that is shipped are left unchanged unless it restores them itself. */
    private WhenUsedUp whenUsedUp() {
        boolean restores = !asked.reset().isEmpty() || asked.isShipped();
        if (restores && sources.values().stream().anyMatch(ValueSource::mayEnd)) {
            return WhenUsedUp.REPLENISH;
        }
        return asked.isShipped() && asked.reset().isEmpty() ? WhenUsedUp.CONTINUE : WhenUsedUp.RESET;
    }

    /** The tables that it claims: those it writes if it initializes tables, and the copy table if it needs one. */
    private List<Claim> claims() {
        boolean resets = !asked.setup().isEmpty() || !asked.reset().isEmpty();
        List<String> claimed = new ArrayList<>(tables.claims());
        if (copy() != CopyState.UNUSED) {
            claimed.add(context.table().name().copy().quoted());
        }
        writes.tables().stream().filter(table -> resets).forEach(claimed::add);
        return claimed.stream()
                .distinct()
                .filter(t -> !t.equals(context.table().name().quoted()))
                .map(t -> new Claim(t, false))
                .toList();
    }

    /** Steps that name the copy table need it, unless the operation's setup creates it. */
    private CopyState copy() {
        boolean isNamed = asked.steps().stream()
                        .anyMatch(s -> Placeholders.haveCopy(s.sql().text()))
                && asked.setup().stream().noneMatch(line -> Placeholders.haveCopy(line.sql()));
        return asked.copy() == CopyState.UNUSED && isNamed ? CopyState.PRESENT : asked.copy();
    }

    @Override
    public long knownRows() {
        return tables.knownRows();
    }

    @Override
    public boolean changesInSetUp() {
        return tables != OperationTables.NONE || (!asked.setup().isEmpty() && !context.isDryRun());
    }

    @Override
    public void setUp(Connection control) throws SQLException {
        tables.setUp(control);
        if (!context.isDryRun()) {
            run(asked.setup(), control);
        }
        computeValues(control);
        if (!context.isDryRun() && (asked.reset().isEmpty() || context.get(RunOptions.NO_RESET))) {
            begin(control);
        }
        List<String> problems = new ArrayList<>();
        PathSources paths = new PathSources(asked.parameters(), context.table(), context.seed());
        for (Map.Entry<String, CustomParameter> entry : asked.parameters().entrySet()) {
            String name = entry.getKey();
            sources.put(name, source(name, entry.getValue(), paths, control, problems));
        }
        described.clear();
        StepCheck check = new StepCheck(asked, steps(0), sources);
        for (int s = 0; s < asked.steps().size(); s++) {
            try {
                described.add(check.described(s, control));
            } catch (InvalidPlanException e) {
                problems.add(e.getMessage()
                        + (context.isDryRun() && !asked.setup().isEmpty() ? "; explain does not run its setup" : ""));
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
    }

    /** The source of a parameter's values. A problem is recorded, and the steps are then checked without a source. */
    private ValueSource source(
            String name, CustomParameter parameter, PathSources paths, Connection control, List<String> problems)
            throws SQLException {
        try {
            return parameter instanceof CustomParameter.Path path
                    ? paths.source(name, path, control)
                    : ValueSource.of(
                            parameter,
                            context,
                            values,
                            asked.tables().ofOperation() ? asked.tables().count() : 1);
        } catch (InvalidPlanException e) {
            problems.addAll(e.problems());
        } catch (SQLException e) {
            problems.addAll(StepCheck.refused(parameter.source(), "", e).problems());
        }
        return draws -> new ParameterValue.Kept();
    }

    private void computeValues(Connection control) throws SQLException {
        values.clear();
        values.putAll(tables.values());
        for (Map.Entry<String, CustomOperation.Value> entry : asked.values().entrySet()) {
            CustomOperation.Line line = entry.getValue().line();
            try {
                if (!values.containsKey(entry.getKey())) {
                    values.put(entry.getKey(), number(line, entry.getValue().combine(), control));
                }
            } catch (SQLException e) {
                throw StepCheck.refused(line.source(), "", e);
            }
        }
    }

    /** The number that a line yields; of all tables, combined, if it has their number. */
    private long number(CustomOperation.Line line, Combine combine, Connection control) throws SQLException {
        long result = 0;
        List<String> texts = texts(line);
        for (int t = 0; t < texts.size(); t++) {
            long next = ControlSql.number(control, texts.get(t));
            result = t == 0
                    ? next
                    : switch (combine) {
                        case SUM -> result + next;
                        case MIN -> Math.min(result, next);
                        case MAX -> Math.max(result, next);
                    };
        }
        return result;
    }

    @Override
    public void resetTables(Connection control) throws SQLException {
        run(asked.reset(), control);
        if (tables.reset(control) || !asked.reset().isEmpty()) {
            if (!isReset) {
                computeValues(control);
                sources.values().forEach(source -> source.begin(values));
            }
            begin(control);
        }
        isReset = true;
    }

    /** Computes the numbers that the writes will change. */
    private void begin(Connection control) throws SQLException {
        for (StepComparison comparison : comparisons) {
            comparison.begin(control);
        }
    }

    @Override
    public void rewind() {
        sources.values().forEach(ValueSource::handOutAgain);
        comparisons.forEach(comparison -> comparison.writes.reset());
    }

    private List<String> texts(CustomOperation.Line line) {
        return IntStream.rangeClosed(1, asked.tables().count())
                .mapToObj(number -> names(number).in(line.sql()))
                .distinct()
                .toList();
    }

    /** Runs each line once, or once for each of the numbered tables. */
    private void run(List<CustomOperation.Line> lines, Connection control) throws SQLException {
        for (CustomOperation.Line line : lines) {
            try {
                ControlSql.execute(control, texts(line).toArray(String[]::new));
            } catch (SQLException e) {
                throw StepCheck.refused(line.source(), "", e);
            }
        }
    }

    @Override
    public List<TableCheck> checks() {
        List<TableCheck> checks = new ArrayList<>(tables.checks());
        comparisons.forEach(comparison ->
                checks.addAll(TableCheck.of(asked.name(), comparison::check, writes.written(), comparison.writes)));
        checks.addAll(writes.checks());
        if (asked.steps().stream().anyMatch(step -> !step.keep().isEmpty())) {
            checks.add((TableCheck.Local) () -> empty.found());
        }
        return checks;
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        if (seat.client() == context.share().firstClient()) {
            empty = new EmptyResults();
        }
        Bound rows = asked.rows();
        TableChoice choice = new TableChoice();
        Map<String, ParameterValue> drawn = new LinkedHashMap<>();
        sources.forEach((name, source) -> drawn.put(name, source.forClient(Draws.of(seat, drawn.size(), choice))));
        List<ParameterValue> parameters = List.copyOf(drawn.values());
        int next = asked.transaction() ? 1 : 0;
        List<List<ClientStep>> byTable = new ArrayList<>();
        for (int table : tablesOf(seat.client()).toArray()) {
            Map<String, ParameterValue> known = new LinkedHashMap<>(drawn);
            List<ClientStep> steps = new ArrayList<>();
            for (int s = 0; s < asked.steps().size(); s++) {
                CustomStep step = asked.steps().get(s);
                Bound must = step.mustChange();
                steps.add(new ClientStep(
                        step,
                        seat.statement(next++),
                        described.get(s),
                        known,
                        empty,
                        writes.forClient(table, s, must == null ? null : must.in(values) != 0)));
            }
            byTable.add(steps);
        }
        @Nullable
        Bracket bracket = asked.transaction()
                ? new Bracket(
                        seat.statement(0),
                        seat.statement(next),
                        asked.meetsDuplicates() ? seat.statement(next + 1) : null)
                : null;
        return new ClientSteps(
                new ClientSteps.DrawnSteps(parameters, byTable, choice, seat.random()),
                bracket,
                asked.meetsDuplicates() ? ServerErrors::isDuplicateKey : e -> false,
                rows == null ? -1 : rows.in(values));
    }

    /** A check of the operation's own. Belongs to one thread at a time. */
    private final class StepComparison {
        private final CustomOperation.Check check;
        private final WriteTallies writes;
        private long before;

        StepComparison(CustomOperation.Check check, WriteTallies writes) {
            this.check = check;
            this.writes = writes;
        }

        void begin(Connection control) throws SQLException {
            try {
                before = check.comparison() == Comparison.EQUALS ? 0 : now(control);
            } catch (SQLException e) {
                throw StepCheck.refused(check.line().source(), "", e);
            }
        }

        private long now(Connection control) throws SQLException {
            return number(check.line(), Combine.SUM, control);
        }

        List<Remark> check(Connection control) throws SQLException {
            long change = now(control) - before;
            return writes.compare(
                    check.name(),
                    check.comparison() == Comparison.SHRINKS ? -change : change,
                    TableStorage.unlogged(control, StepsOperation.this.writes.tables(check.by())));
        }
    }
}
