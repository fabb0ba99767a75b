package io.pgstress.operation.custom;

import io.pgstress.operation.TableCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.Writes;
import io.pgstress.operation.Writes.Kind;
import io.pgstress.operation.custom.ClientSteps.StepTally;
import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.plan.custom.CustomOperation.Check;
import io.pgstress.plan.custom.CustomOperation.CustomStep;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.statement.Sql;
import io.pgstress.text.SqlVerb;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The writes of all steps of an operation, with the tallies of its clients. Thread-safe. */
final class StepWrites {
    /** What the clients of one table write in one step. */
    private record OfStep(StepWrite write, WriteTallies tallies) {}

    private final CustomOperation asked;
    /** Those of the steps on each table. */
    private final List<List<Sql>> statements;

    /** The steps that the operation's own checks compare. */
    private final Set<String> compared;

    /** Why it is not known which of the writes remain; empty if it is. */
    private final String doubt;
    /** By table and step; null for a step that only reads. */
    private final List<List<@Nullable OfStep>> steps = new ArrayList<>();

    private final List<TableCheck> checks = new ArrayList<>();
    private final List<String> tables = new ArrayList<>();

    /**
     * @param statements the statements of the steps on each table
     * @param inTransaction whether writes take effect only with a commit
     */
    StepWrites(CustomOperation asked, List<List<Sql>> statements, boolean inTransaction) {
        this.asked = asked;
        this.statements = List.copyOf(statements);
        this.compared = asked.checks().stream().map(Check::by).collect(Collectors.toSet());
        this.doubt = statements.get(0).stream()
                .map(sql -> StepWrite.obscures(sql.text()))
                .filter(why -> !why.isEmpty())
                .findFirst()
                .orElse("");
        for (List<Sql> ofTable : statements) {
            List<@Nullable OfStep> all = new ArrayList<>();
            for (int s = 0; s < asked.steps().size(); s++) {
                String step = asked.steps().get(s).name();
                StepWrite write = StepWrite.of(ofTable.get(s).text());
                OfStep one = null;
                if (compared.contains(step) && !steps.isEmpty()) {
                    one = steps.get(0).get(s); // the tables are compared together
                } else if (write != null && (compared.isEmpty() || compared.contains(step))) {
                    one = new OfStep(write, new WriteTallies(inTransaction));
                }
                all.add(one);
                if (one != null && compared.isEmpty()) {
                    add(name(step), one);
                }
            }
            steps.add(all);
        }
        addUnchecked();
    }

    private void add(String name, OfStep one) {
        Kind kind = one.write().kind();
        if (kind != null) {
            tables.add(one.write().table());
            if (doubt.isEmpty()) {
                checks.add(Writes.shared(name, kind, one.write().table(), one.tallies()));
            }
        }
    }

    private String name(String step) {
        return asked.isShipped() ? asked.name() : asked.name() + " (" + step + ")";
    }

    /** Of an operation whose own checks compare the tables, these are the writes that obscure others. */
    private void addUnchecked() {
        List<String> ofDoubt = new ArrayList<>();
        for (int s = 0; s < asked.steps().size(); s++) {
            int number = s;
            List<String> texts = statements.stream()
                    .map(ofTable -> ofTable.get(number).text())
                    .toList();
            StepWrite write = StepWrite.of(texts.get(0));
            String step = asked.steps().get(s).name();
            if (write != null && !doubt.isEmpty()) {
                ofDoubt.addAll(SqlVerb.of(texts.get(0)).isOfTransaction() ? List.of() : texts);
            } else if (write != null && write.kind() == null && !compared.contains(step)) {
                checks.add(TableCheck.Unchecked.of(asked.name(), name(step), write.why(), texts));
            }
        }
        if (!ofDoubt.isEmpty()) {
            checks.add(TableCheck.Unchecked.of(asked.name(), asked.name(), doubt, ofDoubt));
        }
    }

    /** Whether the rows of acknowledged writes are known, so that they can be compared with the tables. */
    boolean areKnown() {
        return doubt.isEmpty();
    }

    /** The tables that the steps write to, as written in SQL; without those that their SQL does not tell. */
    List<String> written() {
        return asked.steps().stream()
                .flatMap(step -> tables(step.name()).stream())
                .distinct()
                .toList();
    }

    /** The tables that a step writes to, as written in SQL; none if its SQL does not tell. */
    List<String> tables(String step) {
        int number = asked.steps().stream().map(CustomStep::name).toList().indexOf(step);
        return statements.stream()
                .flatMap(ofTable ->
                        Stream.ofNullable(StepWrite.of(ofTable.get(number).text())))
                .filter(write -> write.kind() != null)
                .map(StepWrite::table)
                .distinct()
                .toList();
    }

    /** The writes of a step on all tables, which the operation's own checks compare. */
    WriteTallies compared(String step) {
        List<String> names = asked.steps().stream().map(CustomStep::name).toList();
        OfStep one = steps.get(0).get(names.indexOf(step));
        if (one == null
                || !SqlVerb.of(asked.steps().get(names.indexOf(step)).sql().text())
                        .countsRows()) {
            throw new InvalidPlanException(asked.source()
                    .message("'by' of a check must name a step that inserts, updates or deletes, was '" + step + "'"));
        }
        return one.tallies();
    }

    List<TableCheck> checks() {
        return List.copyOf(checks);
    }

    /** The tables with checked writes, as written in SQL. */
    List<String> tables() {
        return List.copyOf(tables);
    }

    /**
     * A client's tally of a step; null if it is not checked.
     *
     * @param table from 0
     * @param mustChange whether success without a row is a lost write; null: as the SQL of the step suggests
     */
    @Nullable
    StepTally forClient(int table, int step, @Nullable Boolean mustChange) {
        OfStep one = steps.get(table).get(step);
        boolean isCounted = one != null
                && (one.write().kind() != null
                        || compared.contains(asked.steps().get(step).name()));
        return one == null || !isCounted
                ? null
                : new StepTally(
                        one.tallies().forClient(),
                        mustChange == null ? one.write().isRowDue() : mustChange);
    }
}
