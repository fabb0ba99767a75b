package io.pgstress.runner;

import io.pgstress.dataset.CopyTable;
import io.pgstress.dataset.CopyTable.CopyFill;
import io.pgstress.dataset.KeySlices;
import io.pgstress.dataset.Table;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.TableCheck;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.Target;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The copy table of a run: created before the load, and brought into the state that the operations need. */
final class CopyReset {
    private final CopyTable table;
    private final Table original;
    private final TableUse run;
    private final boolean isUsed;
    private final Set<CopyState> states;
    private final boolean mayReset;

    /** What the table is filled with in turn; null: all rows that can be drawn. */
    private final @Nullable KeySlices slices;

    private List<String> differences = List.of();
    private long mostCopied;

    /**
     * A run as its tables are used by it.
     *
     * @param id the run's ID, which marks the copy table and the lock
     * @param control does what changes tables
     */
    record TableUse(String id, RunSpec spec, Target target, ControlWork control) {}

    /** @param profiles the operations, whose states of the table {@code plan} has found to agree */
    CopyReset(Table table, List<OperationProfile> profiles, HostShare share, TableUse run) {
        this.original = table;
        this.table = new CopyTable(table.name(), table.keyType(), run.target().dialect());
        this.run = run;
        this.mayReset = !run.spec().get(RunOptions.NO_RESET);
        this.isUsed = profiles.stream().anyMatch(p -> p.copy() != CopyState.UNUSED);
        this.states = profiles.stream().map(OperationProfile::copy).collect(Collectors.toCollection(TreeSet::new));
        boolean isSliced = mayReset && states.stream().allMatch(s -> s == CopyState.UNUSED || s == CopyState.DRAWN);
        this.slices = isSliced ? slices(profiles, run.spec(), share) : null;
        this.states.removeIf(s -> !s.isReset());
    }

    /** The slices of the only operation that has some, as this run needs them; null if there is none, or several. */
    private static @Nullable KeySlices slices(List<OperationProfile> profiles, RunSpec spec, HostShare share) {
        KeySlices only = null;
        for (int o = 0; o < profiles.size(); o++) {
            KeySlices slices = profiles.get(o).copied().slices();
            if (slices != null && only != null) {
                return null;
            }
            if (slices != null) {
                slices.divide(spec, o, share);
                only = slices;
            }
        }
        return only;
    }

    /** Creates the table if an operation uses it and it is missing. */
    void create() {
        if (!mayReset && !states.isEmpty() && states.stream().allMatch(CopyState::isFilled)) {
            work("examined", this::requireFilled);
        }
        if (isUsed) {
            work("made", table::createFitting);
            work("compared", connection -> differences = table.differences(connection));
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
            mostCopied = Math.max(mostCopied, slices.end() - slices.begin());
        }
    }

    void reset() {
        takeSlice();
        if (isReset()) {
            work("reset", connection -> table.reset(connection, fill(), run.id()));
        }
    }

    /** The most rows that the table held at a time, if it was filled with parts of what can be drawn in turn; null otherwise. */
    @Nullable
    Long partRows() {
        return mostCopied > 0 && mostCopied < original.keys().size() ? mostCopied : null;
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

    /** What the table under load has and the copy has not; empty if they are alike. */
    List<Remark> unlike() {
        return differences.isEmpty()
                ? List.of()
                : List.of(RemarkCode.COPY_TABLE_DIFFERS
                        .with("table", original.name().toString())
                        .with("copy", table.name().toString())
                        .with("differences", String.join(", ", differences))
                        .remark());
    }

    /** Checks after the load that no other run has reset the table. */
    TableCheck.Query conflict() {
        return connection -> table.wasTaken(connection)
                ? List.of(RemarkCode.COPY_TABLE_RESET
                        .with("table", table.name().toString())
                        .remark())
                : List.of();
    }

    private void work(String what, ControlWork.Work work) {
        run.control().run("table " + table.name() + " could not be " + what, work);
    }
}
