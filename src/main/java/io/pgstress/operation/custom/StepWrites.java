package io.pgstress.operation.custom;

import io.pgstress.operation.TableCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.Writes;
import io.pgstress.operation.Writes.Kind;
import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.target.statement.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
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
     * @param statements the statements of a client
     * @param inTransaction whether writes take effect only with a commit
     */
    StepWrites(CustomOperation asked, IntFunction<List<Sql>> statements, boolean inTransaction) {
        this.asked = asked;
        for (int client = 0; client < Math.max(1, asked.tables()); client++) {
            List<Sql> ofTable = statements.apply(client);
            List<@Nullable OfStep> all = new ArrayList<>();
            for (int s = 0; s < asked.steps().size(); s++) {
                StepWrite write = StepWrite.of(ofTable.get(s).text());
                OfStep one = write == null ? null : new OfStep(write, new WriteTallies(inTransaction));
                all.add(one);
                if (one != null) {
                    add(asked.steps().get(s).name(), one, client == 0);
                }
            }
            steps.add(all);
        }
    }

    private void add(String step, OfStep one, boolean isFirst) {
        String name = asked.name() + " (" + step + ")";
        Kind kind = one.write().kind();
        if (kind != null) {
            checks.add(Writes.shared(name, kind, one.write().table(), one.tallies()));
            tables.add(one.write().table());
        } else if (isFirst) {
            checks.add(new TableCheck.Unchecked(
                    name + ": its writes were not checked: " + one.write().why()));
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
    StepTally forClient(int client, int step) {
        OfStep one = steps.get(asked.numberOf(client) - 1).get(step);
        return one == null || one.write().kind() == null
                ? null
                : new StepTally(one.tallies().forClient(), one.write().isRowDue());
    }
}
