package io.pgstress.operation.custom;

import io.pgstress.dataset.RunLock.Claim;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.Habit;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.Trait;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.custom.ClientSteps.Bracket;
import io.pgstress.operation.custom.ClientSteps.ClientStep;
import io.pgstress.operation.custom.ClientSteps.EmptySteps;
import io.pgstress.operation.custom.ValueSource.Draws;
import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.plan.custom.CustomOperation.CustomParameter;
import io.pgstress.plan.custom.CustomOperation.CustomStep;
import io.pgstress.plan.custom.CustomOperation.Source;
import io.pgstress.plan.custom.OperationsFile.Names;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.statement.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
    private final Map<String, ValueSource> sources = new LinkedHashMap<>();
    private final List<List<String>> columns = new ArrayList<>();
    /** Steps that the run's clients could not execute; explain uses an instance of its own. */
    private EmptySteps empty = new EmptySteps();

    private final StepWrites writes;

    public StepsOperation(CustomOperation asked, OperationType.Context context) {
        this.asked = asked;
        this.context = context;
        this.writes =
                new StepWrites(asked, this::statements, asked.transaction() || context.get(RunOptions.TRANSACTION));
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

    private Names names(int number) {
        return new Names(context.table().name(), number);
    }

    /** The steps, then {@code begin}, {@code commit} and {@code rollback} of a transaction. */
    @Override
    public List<Sql> statements(int client) {
        Names names = names(asked.numberOf(client));
        List<Sql> statements = new ArrayList<>();
        for (CustomStep step : asked.steps()) {
            statements.add(new Sql(step.name(), names.in(step.sql().text())));
        }
        if (asked.transaction()) {
            statements.add(new Sql("begin", "begin"));
            statements.add(new Sql("commit", "commit"));
            statements.add(new Sql("rollback", "rollback"));
        }
        return statements;
    }

    @Override
    public OperationProfile profile() {
        boolean isReplenished =
                !asked.reset().isEmpty() && sources.values().stream().anyMatch(ValueSource::mayEnd);
        return OperationProfile.DEFAULT
                .claiming(claims())
                .withCopy(copy())
                .when(isReplenished ? WhenUsedUp.REPLENISH : WhenUsedUp.RESET)
                .with(Habit.TRANSACTION, asked.transaction());
    }

    /** The tables that it claims: those it writes if it initializes tables, and the copy table if it needs one. */
    private List<Claim> claims() {
        boolean resets = !asked.setup().isEmpty() || !asked.reset().isEmpty();
        List<String> tables = new ArrayList<>();
        if (copy() != CopyState.UNUSED) {
            tables.add(context.table().name().copy().quoted());
        }
        writes.tables().stream().filter(table -> resets).forEach(tables::add);
        return tables.stream()
                .distinct()
                .filter(t -> !t.equals(context.table().name().quoted()))
                .map(t -> new Claim(t, false))
                .toList();
    }

    /** Steps that name the copy table need it, unless the operation's setup creates it. */
    private CopyState copy() {
        boolean isNamed =
                asked.steps().stream().anyMatch(s -> Names.haveCopy(s.sql().text()))
                        && asked.setup().stream().noneMatch(line -> Names.haveCopy(line.sql()));
        return asked.copy() == CopyState.UNUSED && isNamed ? CopyState.PRESENT : asked.copy();
    }

    @Override
    public void setUp(Connection control) throws SQLException {
        if (!context.isDryRun()) {
            run(asked.setup(), control);
        }
        List<String> problems = new ArrayList<>();
        PathSources paths = new PathSources(asked.parameters(), context.table(), context.seed());
        asked.parameters()
                .forEach((name, parameter) -> sources.put(name, source(name, parameter, paths, control, problems)));
        columns.clear();
        StepCheck check = new StepCheck(asked, statements(0), sources);
        for (int s = 0; s < asked.steps().size(); s++) {
            try {
                columns.add(check.columns(s, control));
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
            String name, CustomParameter parameter, PathSources paths, Connection control, List<String> problems) {
        try {
            return parameter instanceof CustomParameter.Path path
                    ? paths.source(name, path, control)
                    : ValueSource.of(parameter, context);
        } catch (InvalidPlanException e) {
            problems.addAll(e.problems());
        } catch (SQLException e) {
            problems.addAll(refused(parameter.source(), "", e).problems());
        }
        return draws -> new ParameterValue.Kept();
    }

    @Override
    public void resetTables(Connection control) {
        run(asked.reset(), control);
    }

    @Override
    public void rewind() {
        sources.values().forEach(ValueSource::handOutAgain);
    }

    /** Runs each line once, or once for each of the numbered tables. */
    private void run(List<CustomOperation.Line> lines, Connection control) {
        for (CustomOperation.Line line : lines) {
            List<String> texts = IntStream.rangeClosed(1, Math.max(1, asked.tables()))
                    .mapToObj(number -> names(number).in(line.sql()))
                    .distinct()
                    .toList();
            try (Statement statement = control.createStatement()) {
                for (String text : texts) {
                    statement.execute(text);
                }
            } catch (SQLException e) {
                throw refused(line.source(), "", e);
            }
        }
    }

    @Override
    public List<TableCheck> checks() {
        List<TableCheck> checks = new ArrayList<>(writes.checks());
        if (asked.steps().stream().anyMatch(step -> !step.keep().isEmpty())) {
            checks.add((TableCheck.Local) () -> empty.found());
        }
        return checks;
    }

    /**
     * The error for a step that the server rejects.
     *
     * @param what the text before the server's message
     */
    static InvalidPlanException refused(Source source, String what, SQLException e) {
        return new InvalidPlanException(
                source.message(what + ServerErrors.sampleOf(e) + " (SQLSTATE " + ServerErrors.stateOf(e) + ")"));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        if (seat.client() == context.share().firstClient()) {
            empty = new EmptySteps();
        }
        Map<String, ParameterValue> values = new LinkedHashMap<>();
        sources.forEach((name, source) -> values.put(name, source.forClient(Draws.of(seat, values.size()))));
        List<ClientStep> steps = new ArrayList<>();
        for (int s = 0; s < asked.steps().size(); s++) {
            steps.add(new ClientStep(
                    asked.steps().get(s),
                    seat.statement(s),
                    columns.get(s),
                    values,
                    empty,
                    writes.forClient(seat.client(), s)));
        }
        int first = steps.size();
        @Nullable
        Bracket bracket = asked.transaction()
                ? new Bracket(seat.statement(first), seat.statement(first + 1), seat.statement(first + 2))
                : null;
        return new ClientSteps(
                List.copyOf(values.values()),
                List.copyOf(steps),
                bracket,
                context.dialect().transactions()::isDuplicateKey);
    }
}
