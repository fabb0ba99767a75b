package io.pgstress.operation.workload;

import io.pgstress.dataset.Claim;
import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.WriteTally;
import io.pgstress.plan.IdSlice;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code oltp_insert}: inserts one row into one of the tables in sysbench's format. Ids never collide, neither between
 * clients nor between coordinators, nor between hosts with different slices.
 */
public final class OltpInsert implements Operation {
    public static final OperationType TYPE = OperationType.of(
                    "oltp_insert", "inserts a row into one of sysbench's tables", OltpInsert::new)
            .selfContained("sbtest1")
            .with(WorkloadOptions.withCreation(WorkloadOptions.TABLES, RunOptions.NO_RESET, RunOptions.ID_SLICE));

    /** Range of k, sysbench's default number of rows per table. */
    private static final int MAX_K = 10_000;

    private final OperationType.Context context;
    private final IdSlice slice;
    private final int tables;
    private final WriteTallies tallies;
    private long base;
    private boolean isLong;

    private OltpInsert(OperationType.Context context) {
        this.context = context;
        this.slice = context.get(RunOptions.ID_SLICE);
        this.tallies = new WriteTallies(context.get(RunOptions.TRANSACTION));
        this.tables = context.get(WorkloadOptions.TABLES);
    }

    @Override
    public List<Sql> statements(int client) {
        List<Sql> statements = new ArrayList<>();
        for (int t = 1; t <= tables; t++) {
            statements.add(new Sql(
                    tables == 1 ? "insert" : "insert_" + t,
                    "insert into sbtest" + t + " " + SysbenchRows.NAMES + " values (?, ?, ?, ?)"));
        }
        return statements;
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT
                .claiming(List.of(new Claim("sbtest1", slice.of() > 1)))
                .when(WhenUsedUp.CONTINUE);
    }

    @Override
    public void setUp(Connection control) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        for (int t = 1; t <= tables; t++) {
            String table = "sbtest" + t;
            if (own.isOther(table, t)) {
                makeWay(own, table);
            }
            if (!own.exists(table)) {
                make(control, own, t);
            }
        }
        begin(own);
    }

    /** Other hosts may be creating the table at the same time: the first one creates all of it. */
    private void make(Connection control, OwnTables own, int t) throws SQLException {
        String table = "sbtest" + t;
        control.setAutoCommit(slice.of() == 1);
        try {
            own.create(table, SysbenchRows.COLUMNS + ", primary key (id)", "id", t);
            own.execute("create index k_" + t + " on " + table + " (k)");
            if (slice.of() > 1) {
                control.commit();
            }
        } catch (SQLException e) {
            if (slice.of() > 1) {
                control.rollback();
            }
            if (slice.of() == 1 || !own.exists(table)) {
                throw e;
            }
        } finally {
            control.setAutoCommit(true);
        }
    }

    /** Drops a table that no longer matches the options, unless another host may be inserting into it. */
    private void makeWay(OwnTables own, String table) throws SQLException {
        if (slice.of() > 1) {
            throw new InvalidPlanException("table: " + table + " was created with other options, and other hosts may be"
                    + " inserting into it (--id-slice); drop it before the first of them begins");
        }
        own.drop(table);
    }

    /** Starts after the greatest id of all tables, at a number from which the slices of all hosts count. */
    private void begin(OwnTables own) throws SQLException {
        long greatest = 0;
        isLong = true;
        for (int t = 1; t <= tables; t++) {
            isLong &= own.number("select count(*) from pg_attribute where attrelid = 'sbtest" + t
                            + "'::regclass and attname = 'id' and atttypid = 'int8'::regtype")
                    > 0;
            greatest = Math.max(greatest, own.number("select coalesce(max(id), 0) from sbtest" + t));
        }
        base = (greatest / slice.of() + 1) * slice.of();
    }

    /** Empties the tables created here, unless other hosts insert into them too; in other tables ids continue. */
    @Override
    public void resetTables(Connection control) throws SQLException {
        if (slice.of() == 1) {
            OwnTables own = new OwnTables(control, context);
            for (int t = 1; t <= tables; t++) {
                if (own.isOurs("sbtest" + t)) {
                    own.execute("truncate sbtest" + t);
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
        for (int t = 1; t <= tables; t++) {
            there += own.number("select count(*) from sbtest" + t + " where id >= " + base
                    + (slice.of() == 1 ? "" : " and id % " + slice.of() + " = " + (slice.part() - 1)));
        }
        return List.of(tallies.compare("rows of oltp_insert, count(*)", there, 1));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        return new OfClient(seat, seat.statements(tables), tallies.forClient());
    }

    private final class OfClient extends TalliedClient {
        private final SqlStatement[] inserts;
        private final SplitMix random;
        private final Digits c;
        private final Digits pad;
        private final long first;
        private final long stride;
        private long turn = -1;
        private int k;
        private @Nullable String cText;
        private @Nullable String padText;
        private SqlStatement insert;

        OfClient(ClientSeat seat, SqlStatement[] inserts, WriteTally tally) {
            super(tally);
            this.inserts = inserts;
            this.insert = inserts[0];
            this.random = seat.random();
            this.c = new Digits(random, 10);
            this.pad = new Digits(random, 5);
            this.first = slice.first(seat.client());
            this.stride = slice.stride(seat.clients());
        }

        @Override
        public boolean draw() {
            turn++;
            if (!isLong && id() > Integer.MAX_VALUE) {
                return false;
            }
            k = random.below(MAX_K) + 1;
            cText = c.next();
            padText = pad.next();
            insert = tables == 1 ? inserts[0] : inserts[random.below(tables)];
            return true;
        }

        private long id() {
            return base + first + turn * stride;
        }

        @Override
        public Ending execute() throws SQLException {
            try {
                return sendNoted() == 0 ? Ending.MISS : Ending.OK;
            } catch (SQLException e) {
                if (context.dialect().transactions().isDuplicateKey(e)) {
                    return Ending.DUPLICATE;
                }
                throw e;
            }
        }

        @Override
        protected long send() throws SQLException {
            if (isLong) {
                insert.setLong(1, id());
            } else {
                insert.setInt(1, (int) id());
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
