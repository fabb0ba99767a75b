package io.pgstress.operation.custom;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Ending;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.WriteTally;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All steps of an operation, as run by one client. Not thread-safe. */
final class ClientSteps implements ClientOperation {
    private final Value[] values;
    private final ClientStep[] steps;
    private final @Nullable Bracket bracket;
    private final Predicate<SQLException> isDuplicate;
    private long rows;

    /** @param bracket null: each step commits by itself */
    ClientSteps(
            List<Value> values,
            List<ClientStep> steps,
            @Nullable Bracket bracket,
            Predicate<SQLException> isDuplicate) {
        this.values = values.toArray(Value[]::new);
        this.steps = steps.toArray(ClientStep[]::new);
        this.bracket = bracket;
        this.isDuplicate = isDuplicate;
    }

    @Override
    public boolean draw() {
        boolean isThere = true;
        for (Value value : values) {
            isThere &= value.draw();
        }
        return isThere;
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
                around.rollback().update();
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
        for (ClientStep step : steps) {
            long ofStep = step.run();
            if (step.isMiss(ofStep)) {
                return Ending.MISS;
            }
            rows += ofStep;
        }
        return Ending.OK;
    }

    @Override
    public long rows() {
        return rows;
    }
}
