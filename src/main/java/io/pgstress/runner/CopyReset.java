package io.pgstress.runner;

import io.pgstress.dataset.CopyFill;
import io.pgstress.dataset.CopyTable;
import io.pgstress.dataset.KeySlices;
import io.pgstress.dataset.Table;
import io.pgstress.operation.CopyState;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.TableCheck;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.Target;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The copy table of a run: created before the load, and brought into the state that the operations need. */
final class CopyReset {
    private final CopyTable table;
    private final Table original;
    private final ControlWork control;
    private final String run;
    private final boolean isUsed;
    private final Set<CopyState> states;
    private final boolean mayReset;
    /** What the table is filled with in turn; null: all rows that can be drawn. */
    private final @Nullable KeySlices slices;

    /**
     * @param control does the work
     * @param profiles the operations
     * @param run the run's ID, which marks the table
     * @param mayReset whether the run may reset tables
     * @throws InvalidPlanException if the operations need different states
     */
    CopyReset(
            Table table,
            Target target,
            ControlWork control,
            List<OperationProfile> profiles,
            String run,
            boolean mayReset) {
        this.original = table;
        this.table = new CopyTable(table.name(), table.keyType(), target.dialect());
        this.control = control;
        this.run = run;
        this.isUsed = profiles.stream().anyMatch(p -> p.copy() != CopyState.UNUSED);
        this.states = profiles.stream().map(OperationProfile::copy).collect(Collectors.toCollection(TreeSet::new));
        boolean isSliced = mayReset && states.stream().allMatch(s -> s == CopyState.UNUSED || s == CopyState.DRAWN);
        this.slices = isSliced ? slices(profiles) : null;
        this.states.removeIf(s -> !s.isReset());
        this.mayReset = mayReset;
        if (mayReset && this.states.contains(CopyState.EMPTY) && this.states.size() > 1) {
            throw new InvalidPlanException(
                    "op: one operation of the mix needs the copy table empty, another needs it full;"
                            + " run them separately, or with --no-reset");
        }
    }

    /** The slices of the only operation that has some; null if there is none, or several. */
    private static @Nullable KeySlices slices(List<OperationProfile> profiles) {
        List<KeySlices> all = profiles.stream()
                .map(OperationProfile::slices)
                .flatMap(Stream::ofNullable)
                .toList();
        return all.size() == 1 ? all.get(0) : null;
    }

    /** Divides the ids whose rows the table is filled with, as this run needs them. */
    void divide(RunSpec spec, HostShare share, List<OperationProfile> profiles) {
        for (int o = 0; slices != null && o < profiles.size(); o++) {
            if (profiles.get(o).slices() != null) {
                slices.divide(spec, o, share);
            }
        }
    }

    /** Creates the table if an operation uses it and it is missing. */
    void create() {
        if (!mayReset && !states.isEmpty() && states.stream().allMatch(CopyState::isFilled)) {
            work("examined", this::requireFilled);
        }
        if (isUsed) {
            work("made", table::createFitting);
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

    /** Moves to the rows that the next reset fills the table with; on one host of several, the command resets it. */
    void takeSlice() {
        if (slices != null) {
            slices.take();
        }
    }

    void reset() {
        takeSlice();
        if (isReset()) {
            work("reset", connection -> table.reset(connection, fill(), run));
        }
    }

    private CopyFill fill() {
        if (states.contains(CopyState.FULL)) {
            return CopyFill.ALL;
        }
        if (!states.contains(CopyState.DRAWN)) {
            return CopyFill.NONE;
        }
        KeySlices ids = slices;
        return ids == null
                ? CopyFill.drawn(original)
                : CopyFill.drawn(original, ids.end() - ids.begin(), i -> ids.at(ids.begin() + i));
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
