package io.pgstress.operation.oltp;

import io.pgstress.dataset.Claim;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.workload.OwnTables;
import io.pgstress.operation.workload.SysbenchRows;
import io.pgstress.operation.workload.WorkloadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.target.statement.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * {@code oltp_insert}: inserts one row into one of the tables in sysbench's format. Ids never collide, neither between
 * clients nor between coordinators, nor between hosts with different slices.
 */
public final class OltpInsert implements Operation {
    static final Option<IdOrder> ID_ORDER = Option.of("id-order", "ORDER", Forms.choice(IdOrder.class))
            .byDefault("ascending")
            .help(
                    Group.WORKLOAD,
                    "Order in which oltp_insert uses its ids: ascending, as sysbench with auto_inc=on, or random, as with"
                            + " auto_inc=off.");

    public static final OperationType TYPE = OperationType.of(
                    "oltp_insert", "inserts a row into one of sysbench's tables", OltpInsert::new)
            .selfContained("sbtest1")
            .with(WorkloadOptions.withCreation(WorkloadOptions.TABLES, ID_ORDER, RunOptions.NO_RESET));

    private final OperationType.Context context;
    private final SysbenchTables tables;
    private final WriteTallies tallies;
    private NewIds ids;

    private OltpInsert(OperationType.Context context) {
        this.context = context;
        this.tallies = new WriteTallies(context.get(RunOptions.TRANSACTION));
        this.tables = new SysbenchTables(context);
        this.ids = NewIds.ascending(0, Integer.MAX_VALUE);
    }

    @Override
    public List<Sql> statements(int client) {
        return tables.statements("insert", "insert into %s " + SysbenchRows.NAMES + " values (?, ?, ?, ?)");
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT
                .claiming(List.of(new Claim("sbtest1", false)))
                .when(WhenUsedUp.CONTINUE);
    }

    @Override
    public void setUp(Connection control) throws SQLException {
        tables.create(control);
        begin(new OwnTables(control, context));
    }

    /**
     * Starts after the greatest id of all tables.
     */
    private void begin(OwnTables own) throws SQLException {
        boolean isRandom = context.get(ID_ORDER) == IdOrder.RANDOM;
        long greatest = changesRows() ? context.get(WorkloadOptions.TABLE_ROWS) : 0;
        boolean isBigint = true;
        for (String table : tables.names()) {
            isBigint &= own.number("select count(*) from pg_attribute where attrelid = '" + table
                            + "'::regclass and attname = 'id' and atttypid = 'int8'::regtype")
                    > 0;
            greatest = Math.max(greatest, own.number("select coalesce(max(id), 0) from " + table));
        }
        long last = NewIds.last(isBigint);
        ids = isRandom ? NewIds.random(greatest, last, context.seed()) : NewIds.ascending(greatest, last);
    }

    /** Whether other operations of the mix need the tables' rows. */
    private boolean changesRows() {
        return tables.mixHas(OltpUpdate.INDEX) || tables.mixHas(OltpUpdate.NON_INDEX) || tables.mixHas(OltpDelete.TYPE);
    }

    /** Empties the tables created here; in other tables ids continue. */
    @Override
    public void resetTables(Connection control) throws SQLException {
        if (!changesRows()) {
            OwnTables own = new OwnTables(control, context);
            for (String table : tables.names()) {
                if (own.isOurs(table)) {
                    own.execute("truncate " + table);
                }
            }
            begin(own);
        }
    }

    @Override
    public void rewind() {
        tallies.reset();
    }

    @Override
    public List<TableCheck> checks() {
        return TableCheck.of(this::check, tallies);
    }

    private List<PostRunCheck> check(Connection control) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        long there = 0;
        for (String table : tables.names()) {
            there += own.number("select count(*) from " + table + " where id >= " + ids.base());
        }
        return List.of(tallies.compare("rows of oltp_insert, count(*)", there, 1));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        return new InsertClient(
                seat,
                seat.statements(tables.count()),
                tallies.forClient(),
                () -> ids,
                context.dialect().transactions()::isDuplicateKey);
    }
}
