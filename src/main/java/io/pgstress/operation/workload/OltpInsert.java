package io.pgstress.operation.workload;

import io.pgstress.dataset.RunLock.Claim;
import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.TableCheck.PostRunCheck;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.WriteTallies.WriteTally;
import io.pgstress.operation.workload.SysbenchRows.Digits;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

    /** The order in which new ids are used. */
    enum IdOrder {
        /** Each client counts upwards. */
        ASCENDING,
        /** A permutation of a range of ids. */
        RANDOM
    }

    /** One client of {@link OltpInsert}. Not thread-safe. */
    static final class InsertClient extends TalliedClient {
        /** Range of k, sysbench's default number of rows per table. */
        private static final int MAX_K = 10_000;

        private final SqlStatement[] inserts;
        private final Supplier<NewIds> newIds;
        private final Predicate<SQLException> isDuplicate;
        private final SplitMix random;
        private final Digits c;
        private final Digits pad;
        private final int client;
        private final int clients;
        private long turn;
        private long id;
        private boolean isLong;
        private int k;
        private @Nullable String cText;
        private @Nullable String padText;
        private SqlStatement insert;

        InsertClient(
                Operation.ClientSeat seat,
                SqlStatement[] inserts,
                WriteTally tally,
                Supplier<NewIds> newIds,
                Predicate<SQLException> isDuplicate) {
            super(tally);
            this.newIds = newIds;
            this.isDuplicate = isDuplicate;
            this.inserts = inserts;
            this.insert = inserts[0];
            this.random = seat.random();
            this.c = new Digits(random, 10);
            this.pad = new Digits(random, 5);
            this.client = seat.client();
            this.clients = seat.clients();
        }

        @Override
        public boolean draw() {
            NewIds ids = newIds.get();
            isLong = ids.isLong();
            id = ids.id(client, clients, turn++);
            if (id == NewIds.NONE) {
                return false;
            }
            k = random.below(MAX_K) + 1;
            cText = c.next();
            padText = pad.next();
            insert = inserts.length == 1 ? inserts[0] : inserts[random.below(inserts.length)];
            return true;
        }

        @Override
        public Ending execute() throws SQLException {
            try {
                return sendNoted() == 0 ? Ending.MISS : Ending.OK;
            } catch (SQLException e) {
                if (isDuplicate.test(e)) {
                    return Ending.DUPLICATE;
                }
                throw e;
            }
        }

        @Override
        protected long send() throws SQLException {
            if (isLong) {
                insert.setLong(1, id);
            } else {
                insert.setInt(1, (int) id);
            }
            insert.setInt(2, k);
            insert.setUntyped(3, cText);
            insert.setUntyped(4, padText);
            return insert.update();
        }

        @Override
        protected long size() {
            return 1;
        }

        @Override
        public long rows() {
            return 1;
        }
    }
}
