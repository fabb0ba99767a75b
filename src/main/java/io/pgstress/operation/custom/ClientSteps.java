package io.pgstress.operation.custom;

import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.operation.EmptyResults;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.WriteTallies.WriteTally;
import io.pgstress.operation.custom.ParameterValue.TableChoice;
import io.pgstress.plan.custom.CustomOperation.CustomStep;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.RowReader;
import io.pgstress.target.statement.StatementProbe.Described;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All steps of an operation, as run by one client. Not thread-safe. */
final class ClientSteps implements ClientOperation {
    private final ParameterValue[] values;
    /** By table. */
    private final ClientStep[][] tables;

    private final TableChoice choice;
    private final SplitMix random;
    private final @Nullable Bracket bracket;
    private final Predicate<SQLException> isDuplicate;
    private final long fixedRows;
    /** Those of the next operation. */
    private final ClientStep[] steps;

    private long rows;

    /**
     * What is drawn for each operation: a table for each group of steps, and the values.
     *
     * @param tables the steps on each table
     * @param choice the table of the first group, which a value may choose
     */
    record DrawnSteps(
            List<ParameterValue> values, List<List<ClientStep>> tables, TableChoice choice, SplitMix random) {}

    /**
     * @param bracket null: each step commits by itself
     * @param fixedRows rows per execution; -1: those of the steps
     */
    ClientSteps(DrawnSteps drawn, @Nullable Bracket bracket, Predicate<SQLException> isDuplicate, long fixedRows) {
        this.values = drawn.values.toArray(ParameterValue[]::new);
        this.tables = drawn.tables.stream()
                .map(each -> each.toArray(ClientStep[]::new))
                .toArray(ClientStep[][]::new);
        this.choice = drawn.choice;
        this.random = drawn.random;
        this.bracket = bracket;
        this.isDuplicate = isDuplicate;
        this.fixedRows = fixedRows;
        this.steps = this.tables[0].clone();
    }

    @Override
    public boolean draw() {
        if (tables.length > 1) {
            choice.choose(random.below(tables.length));
        }
        boolean isThere = true;
        for (ParameterValue value : values) {
            isThere &= value.draw();
        }
        if (tables.length > 1) {
            drawTables();
        }
        return isThere;
    }

    private void drawTables() {
        int table = choice.table();
        int group = 0;
        for (int s = 0; s < steps.length; s++) {
            int its = tables[0][s].step.group();
            if (its != group) {
                group = its;
                table = random.below(tables.length);
            }
            steps[s] = tables[table][s];
        }
    }

    @Override
    public Ending execute() throws SQLException {
        Bracket around = bracket;
        try {
            if (around == null) {
                return run();
            }
            around.begin().update();
            Ending ending = run();
            commit(around);
            return ending;
        } catch (SQLException e) {
            end(ClientSteps::undone);
            if (!isDuplicate.test(e)) {
                throw e;
            }
            if (around != null) {
                Objects.requireNonNull(around.rollback()).update();
            }
            return Ending.DUPLICATE;
        }
    }

    /** A failure undoes the transaction so far. */
    private static void undone(WriteTally tally) {
        if (tally.isInTransaction()) {
            tally.refused();
        }
    }

    private void commit(Bracket around) throws SQLException {
        try {
            around.commit().update();
        } catch (SQLException e) {
            notCommitted(e);
            throw e;
        }
        committed();
    }

    @Override
    public void committed() {
        end(WriteTally::committed);
    }

    @Override
    public void notCommitted(SQLException e) {
        end(tally -> WriteTallies.notCommitted(tally, e));
    }

    private void end(Consumer<WriteTally> how) {
        for (ClientStep step : steps) {
            step.ended(how);
        }
    }

    private Ending run() throws SQLException {
        rows = 0;
        Ending ending = Ending.OK;
        for (ClientStep step : steps) {
            long ofStep = step.run();
            if (step.isMiss(ofStep)) {
                ending = Ending.MISS;
                if (step.endsAtMiss()) {
                    return ending;
                }
            }
            rows += ofStep;
        }
        return ending;
    }

    @Override
    public long rows() {
        return fixedRows >= 0 ? fixedRows : rows;
    }

    /**
     * The statements that enclose an operation run as one transaction.
     *
     * @param rollback null: duplicates are errors
     */
    record Bracket(
            SqlStatement begin,
            SqlStatement commit,
            @Nullable SqlStatement rollback) {}

    /** Binds a value as the type that the server infers. */
    interface Binding {
        void bind(SqlStatement statement, int parameter) throws SQLException;

        /** @param type the type, as written in a cast */
        static Binding of(ParameterValue value, String type) {
            if (value instanceof ParameterValue.OfNumbers number && type.equals("int4")) {
                return number::bindInteger;
            }
            if (value instanceof ParameterValue.OfNumbers number && type.equals("int8")) {
                return number::bindBigint;
            }
            return value::bind;
        }
    }

    /** One step of an operation, as run by one client. Not thread-safe. */
    static final class ClientStep implements RowReader {
        private final CustomStep step;
        private final SqlStatement statement;
        private final ParameterValue[] parameters;
        private final Binding[] bindings;
        /** Kept values, by column. */
        private final List<List<ParameterValue.Kept>> kept;

        private final ParameterValue.Kept[] ofThisStep;
        private final int columns;
        private final EmptyResults empty;
        private final @Nullable StepTally tally;

        /**
         * @param described its result's columns, none if it changes rows, and the types of its parameters
         * @param empty is notified if the step lacks a value
         * @param values values by name; the values that this step keeps are added
         * @param tally null if the step writes nothing that is checked
         */
        ClientStep(
                CustomStep step,
                SqlStatement statement,
                Described described,
                Map<String, ParameterValue> values,
                EmptyResults empty,
                @Nullable StepTally tally) {
            this.tally = tally;
            this.step = step;
            this.empty = empty;
            this.statement = statement;
            List<String> columns = described.columns();
            this.columns = columns.size();
            this.parameters = new ParameterValue[step.sql().names().size()];
            this.bindings = new Binding[parameters.length];
            for (int p = 0; p < parameters.length; p++) {
                parameters[p] = value(values, step, p);
                bindings[p] = Binding.of(parameters[p], described.types().get(p));
            }
            this.kept = columns.stream()
                    .<List<ParameterValue.Kept>>map(column -> new ArrayList<>())
                    .toList();
            step.keep().forEach((name, column) -> {
                ParameterValue.Kept value = new ParameterValue.Kept();
                kept.get(columns.indexOf(column)).add(value);
                values.put(name, value);
            });
            this.ofThisStep = kept.stream().flatMap(List::stream).toArray(ParameterValue.Kept[]::new);
        }

        /** The value of a step's parameter, known to exist since the file was read. */
        static ParameterValue value(Map<String, ParameterValue> values, CustomStep step, int parameter) {
            return Objects.requireNonNull(values.get(step.sql().names().get(parameter)));
        }

        /** The error of a step that lacks the value of a parameter. */
        private SQLException missing(int parameter) {
            String text = step.source()
                    .message("parameter ':" + step.sql().names().get(parameter)
                            + "' is kept from a step whose result was empty (define 'miss' for that step)");
            empty.met(text);
            return new SQLException(text, EmptyResults.NO_DATA);
        }

        /**
         * Runs the step and returns the rows it read or changed.
         *
         * @throws SQLException with SQLSTATE 02000 (no data) if an earlier step had no row to take a parameter from
         */
        long run() throws SQLException {
            for (int p = 0; p < parameters.length; p++) {
                if (parameters[p] instanceof ParameterValue.Kept value && !value.isThere()) {
                    if (!statement.isExplained()) {
                        throw missing(p);
                    }
                    statement.notExplained(
                            "no value for ':" + step.sql().names().get(p)
                                    + "': the step that keeps it finds no row before the load, or is a change, which is not run here");
                    return 0;
                }
                bindings[p].bind(statement, p + 1);
            }
            for (ParameterValue.Kept value : ofThisStep) {
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
                throw SqlMistakes.at(step.source()::message, e);
            }
        }

        /** Called at the end of the transaction around all steps. */
        void ended(Consumer<WriteTally> how) {
            StepTally noted = tally;
            if (noted != null) {
                how.accept(noted.tally());
            }
        }

        boolean endsAtMiss() {
            return step.endsAtMiss();
        }

        /** Whether this row count makes the operation a miss; never in a dry run, which changes nothing. */
        boolean isMiss(long rows) {
            return rows < step.least() && !statement.isExplained();
        }

        @Override
        public void row(ResultSet row) throws SQLException {
            for (int c = 0; c < columns; c++) {
                List<ParameterValue.Kept> values = kept.get(c);
                if (values.isEmpty()) {
                    row.getBytes(c + 1);
                } else {
                    String text = row.getString(c + 1);
                    values.forEach(value -> value.keep(text));
                }
            }
        }
    }

    /**
     * One client's tally of one step.
     *
     * @param isRowDue whether success without a row means that the server discarded it
     */
    record StepTally(WriteTally tally, boolean isRowDue) {
        void acknowledged(long rows) {
            tally.acknowledged(rows);
            if (rows == 0 && isRowDue) {
                tally.discarded(1);
            }
        }
    }
}
