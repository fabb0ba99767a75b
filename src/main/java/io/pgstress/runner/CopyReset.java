package io.pgstress.runner;

import io.pgstress.dataset.CopyFill;
import io.pgstress.dataset.CopyTable;
import io.pgstress.dataset.Table;
import io.pgstress.operation.CopyState;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.TableCheck;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.Target;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/** The copy table of a run: created before the load, and brought into the state that the operations need. */
final class CopyReset {
    private final CopyTable table;
    private final Table original;
    private final ControlWork control;
    private final String run;
    private final boolean isUsed;
    private final Set<CopyState> states;
    private final boolean mayReset;

    /**
     * @param control does the work
     * @param states the states that the operations need
     * @param run the run's ID, which marks the table
     * @param mayReset whether the run may reset tables
     * @throws InvalidPlanException if the operations need different states
     */
    CopyReset(
            Table table,
            Target target,
            ControlWork control,
            Collection<CopyState> states,
            String run,
            boolean mayReset) {
        this.original = table;
        this.table = new CopyTable(table.name(), table.keyType(), target.dialect());
        this.control = control;
        this.run = run;
        this.isUsed = states.stream().anyMatch(s -> s != CopyState.UNUSED);
        this.states = new TreeSet<>(states);
        this.states.removeIf(s -> !s.isReset());
        this.mayReset = mayReset;
        if (mayReset && this.states.contains(CopyState.EMPTY) && this.states.size() > 1) {
            throw new InvalidPlanException(
                    "op: one operation of the mix needs the copy table empty, another needs it full;"
                            + " run them separately, or with --no-reset");
        }
    }

    /** Creates the table if an operation uses it and it is missing. */
    void create() {
        if (!mayReset && !states.isEmpty() && states.stream().allMatch(CopyState::isFilled)) {
            work("examined", this::requireFilled);
        }
        if (isUsed) {
            work("made", table::create);
        }
    }

    /** Rejects a run that needs a full copy table but may not fill it. */
    private void requireFilled(Connection connection) throws SQLException {
        if (!table.isFilled(connection)) {
            throw new TargetException("no-reset: table " + table.name() + ", which the operation needs filled, "
                    + "is missing or empty; leave out --no-reset to fill it");
        }
    }

    /** Whether the run itself brings the table into a state. */
    boolean isReset() {
        return mayReset && !states.isEmpty();
    }

    void reset() {
        if (isReset()) {
            work("reset", connection -> table.reset(connection, fill(), run));
        }
    }

    private CopyFill fill() {
        if (states.contains(CopyState.FULL)) {
            return CopyFill.ALL;
        }
        return states.contains(CopyState.DRAWN) ? CopyFill.drawn(original) : CopyFill.NONE;
    }

    /** Checks after the load that no other run has reset the table. */
    TableCheck.Query conflict() {
        return connection -> table.conflict(connection).stream()
                .map(text -> new PostRunCheck(false, text))
                .toList();
    }

    private void work(String what, ControlWork.Work work) {
        control.run("table " + table.name() + " could not be " + what, work);
    }
}
