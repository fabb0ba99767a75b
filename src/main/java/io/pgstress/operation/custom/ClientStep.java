package io.pgstress.operation.custom;

import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.WriteTally;
import io.pgstress.plan.custom.CustomStep;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.RowReader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One step of an operation, as run by one client. Not thread-safe. */
final class ClientStep implements RowReader {
    /** SQLSTATE classes: not supported, cardinality, data, constraint, syntax or access, check option, raised by a function. */
    private static final Set<String> CLASSES = Set.of("0A", "21", "22", "23", "42", "44", "P0");

    private final CustomStep step;
    private final SqlStatement statement;
    private final Value[] parameters;
    /** Kept values, by column. */
    private final List<List<Value.Kept>> kept;

    private final Value.Kept[] ofThisStep;
    private final int columns;
    private final EmptySteps empty;
    private final @Nullable StepTally tally;

    /**
     * @param columns the columns of its result; none: it changes rows
     * @param empty is notified if the step lacks a value
     * @param values values by name; the values that this step keeps are added
     * @param tally null if the step writes nothing that is checked
     */
    ClientStep(
            CustomStep step,
            SqlStatement statement,
            List<String> columns,
            Map<String, Value> values,
            EmptySteps empty,
            @Nullable StepTally tally) {
        this.tally = tally;
        this.step = step;
        this.empty = empty;
        this.statement = statement;
        this.columns = columns.size();
        this.parameters = new Value[step.sql().names().size()];
        for (int p = 0; p < parameters.length; p++) {
            parameters[p] = value(values, step, p);
        }
        this.kept = columns.stream()
                .<List<Value.Kept>>map(column -> new ArrayList<>())
                .toList();
        step.keep().forEach((name, column) -> {
            Value.Kept value = new Value.Kept();
            kept.get(columns.indexOf(column)).add(value);
            values.put(name, value);
        });
        this.ofThisStep = kept.stream().flatMap(List::stream).toArray(Value.Kept[]::new);
    }

    /** The value of a step's parameter, known to exist since the file was read. */
    static Value value(Map<String, Value> values, CustomStep step, int parameter) {
        return Objects.requireNonNull(values.get(step.sql().names().get(parameter)));
    }

    /**
     * Runs the step and returns the rows it read or changed.
     *
     * @throws SQLException with SQLSTATE 02000 (no data) if an earlier step had no row to take a parameter from
     */
    long run() throws SQLException {
        for (int p = 0; p < parameters.length; p++) {
            if (parameters[p] instanceof Value.Kept value && !value.isThere()) {
                if (!statement.isExplained()) {
                    throw empty.at(step, p);
                }
                statement.notExplained(
                        "no value for ':" + step.sql().names().get(p)
                                + "': the step that keeps it finds no row before the load, or is a change, which is not run here");
                return 0;
            }
            parameters[p].bind(statement, p + 1);
        }
        for (Value.Kept value : ofThisStep) {
            value.draw();
        }
        StepTally noted = tally;
        if (noted != null) {
            noted.tally().sent();
        }
        try {
            long rows = columns == 0 ? statement.update() : statement.query(this);
            if (noted != null) {
                noted.acknowledged(rows);
            }
            return rows;
        } catch (SQLException e) {
            if (noted != null) {
                WriteTallies.failed(noted.tally(), e);
            }
            throw isOfTheStep(e) ? told(e) : e;
        }
    }

    /** Whether the error is due to the step's SQL or parameters, not to the session or the server. */
    private static boolean isOfTheStep(SQLException e) {
        String state = ServerErrors.stateOf(e);
        return CLASSES.contains(state.substring(0, 2));
    }

    private SQLException told(SQLException e) {
        return new SQLException(step.source().message(ServerErrors.sampleOf(e)), e.getSQLState(), e);
    }

    /** Called at the end of the transaction around all steps. */
    void ended(Consumer<WriteTally> how) {
        StepTally noted = tally;
        if (noted != null) {
            how.accept(noted.tally());
        }
    }

    /** Whether this row count ends the operation as a miss; never in a dry run, which changes nothing. */
    boolean isMiss(long rows) {
        return rows < step.least() && !statement.isExplained();
    }

    @Override
    public void row(ResultSet row) throws SQLException {
        for (int c = 0; c < columns; c++) {
            List<Value.Kept> values = kept.get(c);
            if (values.isEmpty()) {
                row.getBytes(c + 1);
            } else {
                String text = row.getString(c + 1);
                values.forEach(value -> value.keep(text));
            }
        }
    }
}
