package io.pgstress.operation.workload;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.TableCheck.PostRunCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.workload.NewIds.IdShuffle;
import io.pgstress.operation.workload.RowChanges.RowChange;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.statement.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code oltp_delete}: deletes one of sysbench's rows by its id (sysbench's {@code oltp_delete.lua}). Unlike sysbench, it
 * draws each id once, in random order, and fills the tables again when all are used up: sysbench deletes more and more
 * rows that are gone.
 */
public final class OltpDelete implements Operation {
    public static final OperationType TYPE = OperationType.of(
                    "oltp_delete", "deletes a row of one of sysbench's tables", OltpDelete::new)
            .selfContained("sbtest1")
            .with(WorkloadOptions.withCreation(
                    WorkloadOptions.TABLES, WorkloadOptions.TABLE_ROWS, RunOptions.NO_RESET));

    private final OperationType.Context context;
    private final SysbenchTables tables;
    private final FilledTables filled;
    private final WriteTallies tallies;
    private IdShuffle order = new IdShuffle(1, 0);
    private long rowsBefore;
    private boolean isUntouched;
    /** Grows when the ids become available again. */
    private volatile int generation;

    private OltpDelete(OperationType.Context context) {
        this.context = context;
        this.tables = new SysbenchTables(context);
        this.filled = new FilledTables(context, tables);
        this.tallies = new WriteTallies(context.get(RunOptions.TRANSACTION));
    }

    @Override
    public List<Sql> statements(int client) {
        return tables.statements("delete", "delete from %s where id = ?");
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT.claiming("sbtest1").when(WhenUsedUp.REPLENISH);
    }

    /** @throws InvalidPlanException if it would delete rows that it cannot restore, and {@code --no-reset} is not given */
    @Override
    public void setUp(Connection control) throws SQLException {
        filled.setUp(control);
        OwnTables own = new OwnTables(control, context);
        for (String table : tables.names()) {
            if (!context.isDryRun() && !context.get(RunOptions.NO_RESET) && !own.isOurs(table)) {
                throw new InvalidPlanException("table: " + table + " was not created by this program, so oltp_delete"
                        + " could not restore its rows; give --no-reset if they may be deleted, or drop the table");
            }
        }
        begin(control);
    }

    private void begin(Connection control) throws SQLException {
        order = new IdShuffle((long) filled.rows() * tables.count(), context.seed());
        if (!context.isDryRun()) {
            rowsBefore = filled.countAll(control);
            isUntouched = true;
        }
    }

    @Override
    public void resetTables(Connection control) throws SQLException {
        if (!isUntouched) {
            filled.restore(control);
            begin(control);
        }
        isUntouched = false;
    }

    @Override
    public void rewind() {
        tallies.reset();
        int before = generation;
        generation = before + 1;
    }

    @Override
    public List<TableCheck> checks() {
        return TableCheck.of(this::check, tallies);
    }

    private List<PostRunCheck> check(Connection control) throws SQLException {
        return List.of(tallies.compare("deletes by oltp_delete, count(*)", rowsBefore - filled.countAll(control), 1));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        List<RowChange> changes = new ArrayList<>();
        for (int t = 0; t < tables.count(); t++) {
            changes.add(new RowChange(seat.statement(t), tallies.forClient(), filled.isDense()));
        }
        return new OfClient(seat, changes);
    }

    private final class OfClient extends RowChanges {
        private final int client;
        private final int clients;
        private int drawnIn = -1;
        private long next;

        OfClient(ClientSeat seat, List<RowChange> changes) {
            super(changes);
            this.client = seat.client();
            this.clients = seat.clients();
        }

        @Override
        public boolean draw() {
            if (drawnIn != generation) {
                drawnIn = generation;
                next = client;
            }
            if (next >= order.size()) {
                return false;
            }
            long place = order.at(next);
            next += clients;
            draw((int) (place / filled.rows()), (int) (place % filled.rows()) + 1, null);
            return true;
        }
    }
}
