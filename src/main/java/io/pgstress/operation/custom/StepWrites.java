package io.pgstress.operation.custom;

import io.pgstress.operation.check.WriteTallies;
import io.pgstress.operation.check.Writes;
import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.target.statement.Sql;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What all steps of an operation write, with the tallies of their clients. Thread-safe. */
final class StepWrites {
    /** By step; null where it only reads. */
    private final List<@Nullable StepWrite> steps = new ArrayList<>();

    private final List<WriteTallies> tallies = new ArrayList<>();
    private final List<Writes> writes = new ArrayList<>();
    private final List<String> unchecked = new ArrayList<>();

    /** @param inTransaction whether nothing is in before a commit */
    StepWrites(CustomOperation asked, List<Sql> statements, boolean inTransaction) {
        for (int s = 0; s < asked.steps().size(); s++) {
            String name = asked.name() + " (" + asked.steps().get(s).name() + ")";
            StepWrite write = StepWrite.of(statements.get(s).text());
            WriteTallies ofStep = new WriteTallies(inTransaction);
            steps.add(write);
            tallies.add(ofStep);
            if (write != null && write.kind() != null) {
                writes.add(Writes.shared(name, write.kind(), write.table(), ofStep));
            } else if (write != null) {
                unchecked.add(name + ": what it writes was not checked: " + write.why());
            }
        }
    }

    List<Writes> writes() {
        return List.copyOf(writes);
    }

    List<String> unchecked() {
        return List.copyOf(unchecked);
    }

    /** A client's tally of a step; null where nothing is checked. */
    @Nullable
    StepTally forClient(int step) {
        StepWrite write = steps.get(step);
        return write == null || write.kind() == null
                ? null
                : new StepTally(tallies.get(step).forClient(), write.isRowDue());
    }
}
