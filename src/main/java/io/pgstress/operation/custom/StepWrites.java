package io.pgstress.operation.custom;

import io.pgstress.operation.TableCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.Writes;
import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.target.statement.Sql;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The writes of all steps of an operation, with the tallies of its clients. Thread-safe. */
final class StepWrites {
    /** By step; null for a step that only reads. */
    private final List<@Nullable StepWrite> steps = new ArrayList<>();

    private final List<WriteTallies> tallies = new ArrayList<>();
    private final List<TableCheck> checks = new ArrayList<>();
    private final List<String> tables = new ArrayList<>();

    /** @param inTransaction whether writes take effect only with a commit */
    StepWrites(CustomOperation asked, List<Sql> statements, boolean inTransaction) {
        for (int s = 0; s < asked.steps().size(); s++) {
            String name = asked.name() + " (" + asked.steps().get(s).name() + ")";
            StepWrite write = StepWrite.of(statements.get(s).text());
            WriteTallies ofStep = new WriteTallies(inTransaction);
            steps.add(write);
            tallies.add(ofStep);
            if (write != null && write.kind() != null) {
                checks.add(Writes.shared(name, write.kind(), write.table(), ofStep));
                tables.add(write.table());
            } else if (write != null) {
                checks.add(new TableCheck.Unchecked(name + ": its writes were not checked: " + write.why()));
            }
        }
    }

    List<TableCheck> checks() {
        return List.copyOf(checks);
    }

    /** The tables with checked writes, as written in SQL. */
    List<String> tables() {
        return List.copyOf(tables);
    }

    /** A client's tally of a step; null if it is not checked. */
    @Nullable
    StepTally forClient(int step) {
        StepWrite write = steps.get(step);
        return write == null || write.kind() == null
                ? null
                : new StepTally(tallies.get(step).forClient(), write.isRowDue());
    }
}
