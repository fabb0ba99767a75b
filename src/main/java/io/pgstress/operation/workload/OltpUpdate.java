package io.pgstress.operation.workload;

import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.TableCheck.PostRunCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.Writes;
import io.pgstress.operation.workload.RowChanges.RowChange;
import io.pgstress.operation.workload.SysbenchRows.Digits;
import io.pgstress.plan.RunOptions;
import io.pgstress.target.statement.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code oltp_update} and {@code oltp_update_non_index}: sysbench's updates of one row by its id, of the indexed column k or
 * of column c, which has no index (sysbench's {@code oltp_common.lua}, {@code index_updates} and {@code non_index_updates}).
 */
public final class OltpUpdate implements Operation {
    public static final OperationType INDEX = type(
                    "oltp_update", "adds 1 to the indexed column of one of sysbench's rows")
            .alias("oltp_update_index");
    public static final OperationType NON_INDEX =
            type("oltp_update_non_index", "replaces the column c of one of sysbench's rows");

    private final OperationType.Context context;
    private final String operation;
    private final SysbenchTables tables;
    private final FilledTables filled;
    /** One if the sum over all tables is compared, else one per table. */
    private final List<WriteTallies> tallies = new ArrayList<>();

    private long sumBefore;

    private OltpUpdate(String operation, OperationType.Context context) {
        this.operation = operation;
        this.context = context;
        this.tables = new SysbenchTables(context);
        this.filled = new FilledTables(context, tables);
        for (int t = 0; t < (hasSums() ? 1 : tables.count()); t++) {
            tallies.add(new WriteTallies(context.get(RunOptions.TRANSACTION)));
        }
    }

    private static OperationType type(String name, String summary) {
        return OperationType.of(name, summary, context -> new OltpUpdate(name, context))
                .selfContained("sbtest1")
                .with(WorkloadOptions.withCreation(
                        WorkloadOptions.TABLES,
                        WorkloadOptions.TABLE_ROWS,
                        RunOptions.NO_RESET,
                        RunOptions.KEY_DISTRIBUTION));
    }

    private boolean isOfIndex() {
        return INDEX.name().equals(operation);
    }

    @Override
    public List<Sql> statements(int client) {
        return tables.statements(
                "update", isOfIndex() ? "update %s set k = k + 1 where id = ?" : "update %s set c = ? where id = ?");
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT.claiming("sbtest1").when(WhenUsedUp.CONTINUE);
    }

    @Override
    public void setUp(Connection control) throws SQLException {
        filled.setUp(control);
        if (hasSums() && !context.isDryRun()) {
            sumBefore = filled.sumOfK(control);
        }
    }

    @Override
    public void rewind() {
        tallies.forEach(WriteTallies::reset);
    }

    /** Whether the sum of k shows the updates: nothing else may change it. */
    private boolean hasSums() {
        return isOfIndex() && !isDeletedFrom();
    }

    private boolean isDeletedFrom() {
        return tables.mixHas(OltpDelete.TYPE);
    }

    @Override
    public List<TableCheck> checks() {
        if (hasSums()) {
            return TableCheck.of(this::check, tallies.get(0));
        }
        List<TableCheck> checks = new ArrayList<>();
        for (int t = 0; t < tables.count(); t++) {
            checks.add(Writes.shared(operation, Writes.Kind.UPDATE, SysbenchTables.name(t + 1), tallies.get(t)));
        }
        return checks;
    }

    private List<PostRunCheck> check(Connection control) throws SQLException {
        return List.of(
                tallies.get(0).compare("updates by " + operation + ", sum(k)", filled.sumOfK(control) - sumBefore, 1));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        List<RowChange> changes = new ArrayList<>();
        boolean isDense = filled.isDense() && !isDeletedFrom();
        for (int t = 0; t < tables.count(); t++) {
            WriteTallies ofTable = tallies.get(Math.min(t, tallies.size() - 1));
            changes.add(new RowChange(seat.statement(t), ofTable.forClient(), isDense));
        }
        return new OfClient(
                changes,
                seat.sampler(context.get(RunOptions.KEY_DISTRIBUTION), filled.rows()),
                seat.random(),
                isOfIndex());
    }

    private static final class OfClient extends RowChanges {
        private final KeySampler sampler;
        private final @Nullable Digits c;

        OfClient(List<RowChange> changes, KeySampler sampler, SplitMix random, boolean isOfIndex) {
            super(changes);
            this.sampler = sampler;
            this.c = isOfIndex ? null : new Digits(random, 10);
        }

        @Override
        public boolean draw() {
            int table = tables() == 1 ? 0 : sampler.below(tables());
            draw(table, (int) sampler.next() + 1, c == null ? null : c.next());
            return true;
        }
    }
}
