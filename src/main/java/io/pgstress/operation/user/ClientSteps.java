package io.pgstress.operation.user;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Ending;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All steps of one client. Not thread-safe. */
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
            around.commit().update();
            return ending;
        } catch (SQLException e) {
            if (!isDuplicate.test(e)) {
                throw e;
            }
            if (around != null) {
                around.rollback().update();
            }
            return Ending.DUPLICATE;
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
