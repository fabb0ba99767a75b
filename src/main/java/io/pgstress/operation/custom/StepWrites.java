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
import io.pgstress.result.RemarkCode;
import io.pgstress.target.statement.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The writes of all steps of an operation, with the tallies of its clients. Thread-safe. */
final class StepWrites {
    /** What the clients of one table write in one step. */
    private record OfStep(StepWrite write, WriteTallies tallies) {}

    private final CustomOperation asked;
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
        Set<String> compared = asked.checks().stream().map(Check::by).collect(Collectors.toSet());
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
                    add(step, one, steps.isEmpty());
                }
            }
            steps.add(all);
        }
    }

    private void add(String step, OfStep one, boolean isFirst) {
        String name = asked.isShipped() ? asked.name() : asked.name() + " (" + step + ")";
        Kind kind = one.write().kind();
        if (kind != null) {
            checks.add(Writes.shared(name, kind, one.write().table(), one.tallies()));
            tables.add(one.write().table());
        } else if (isFirst) {
            checks.add(new TableCheck.Unchecked(RemarkCode.STEP_NOT_CHECKED
                    .with("operation", name)
                    .with("why", one.write().why())
                    .remark()));
        }
    }

    /** The writes of a step on all tables, which the operation's own checks compare. */
    WriteTallies compared(String step) {
        List<String> names = asked.steps().stream().map(CustomStep::name).toList();
        OfStep one = steps.get(0).get(names.indexOf(step));
        if (one == null) {
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
        return one == null || one.write().kind() == null
                ? null
                : new StepTally(
                        one.tallies().forClient(),
                        mustChange == null ? one.write().isRowDue() : mustChange);
    }
}
