package io.pgstress.operation.workload;

import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.Habit;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.Trait;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.WriteTallies.WriteTally;
import io.pgstress.plan.RunOptions;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.RowReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * {@code tpcb}: pgbench's transaction "TPC-B (sort of)": seven statements, {@code begin} and {@code commit} included, each
 * in its own round trip, as pgbench sends them.
 */
public final class Tpcb implements Operation {
    public static final OperationType TYPE = OperationType.of("tpcb", "pgbench's standard transaction", Tpcb::new)
            .selfContained("pgbench_accounts")
            .with(Trait.OWN_TRANSACTION)
            .with(WorkloadOptions.withCreation(
                    WorkloadOptions.SCALE, RunOptions.NO_RESET, RunOptions.KEY_DISTRIBUTION));

    private static final int MAX = 5_000;
    private static final RowReader BALANCE = row -> row.getInt(1);

    private final OperationType.Context context;
    private final PgbenchTables tables;
    private final WriteTallies tallies = new WriteTallies(false);

    private Tpcb(OperationType.Context context) {
        this.context = context;
        this.tables = new PgbenchTables(context);
    }

    @Override
    public List<Sql> statements(int client) {
        return List.of(
                new Sql("begin", "begin"),
                new Sql("update_account", "update pgbench_accounts set abalance = abalance + ? where aid = ?"),
                new Sql("select_account", SelectOnly.SELECT),
                new Sql("update_teller", "update pgbench_tellers set tbalance = tbalance + ? where tid = ?"),
                new Sql("update_branch", "update pgbench_branches set bbalance = bbalance + ? where bid = ?"),
                new Sql(
                        "insert_history",
                        "insert into pgbench_history (tid, bid, aid, delta, mtime)"
                                + " values (?, ?, ?, ?, current_timestamp)"),
                new Sql("commit", "commit"));
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT.claiming(TYPE.ownTable()).with(Habit.TRANSACTION, true);
    }

    @Override
    public long knownRows() {
        return tables.accounts();
    }

    @Override
    public void setUp(Connection control) throws SQLException {
        tables.setUp(control);
    }

    @Override
    public void resetTables(Connection control) throws SQLException {
        tables.reset(control);
    }

    @Override
    public void rewind() {
        tallies.reset();
    }

    @Override
    public List<TableCheck> checks() {
        TableCheck.Local made = tables::made;
        return context.get(RunOptions.NO_RESET)
                ? List.of(made)
                : List.of(made, new TableCheck.ByQuery(control -> tables.check(control, tallies), List.of(tallies)));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        KeySampler sampler = seat.sampler(context.get(RunOptions.KEY_DISTRIBUTION), tables.accounts());
        return new OfClient(sampler, tables, seat.statements(statements(0).size()), tallies.forClient());
    }

    private static final class OfClient extends TalliedClient {
        private final KeySampler sampler;
        private final PgbenchTables tables;
        private final int scale;
        private final SqlStatement[] statements;
        private boolean isWhole;
        private long account;
        private int teller;
        private int branch;
        private int delta;

        OfClient(KeySampler sampler, PgbenchTables tables, SqlStatement[] statements, WriteTally tally) {
            super(tally);
            this.sampler = sampler;
            this.scale = tables.scale();
            this.tables = tables;
            this.statements = statements;
        }

        @Override
        public boolean draw() {
            account = sampler.next() + 1;
            branch = sampler.below(scale) + 1;
            teller = sampler.below(scale * PgbenchTables.TELLERS) + 1;
            delta = sampler.below(2 * MAX + 1) - MAX;
            return true;
        }

        @Override
        public Ending execute() throws SQLException {
            sendNoted();
            return isWhole ? Ending.OK : Ending.MISS;
        }

        @Override
        protected long send() throws SQLException {
            statements[0].update();
            long rows = addToAccount();
            tables.bindAccount(statements[2], 1, account);
            statements[2].query(BALANCE);
            rows += add(statements[3], teller);
            rows += add(statements[4], branch);
            rows += insert(statements[5]);
            statements[6].update();
            isWhole = rows == 4;
            return 1;
        }

        private long addToAccount() throws SQLException {
            statements[1].setInt(1, delta);
            tables.bindAccount(statements[1], 2, account);
            return statements[1].update();
        }

        private long add(SqlStatement update, int id) throws SQLException {
            update.setInt(1, delta);
            update.setInt(2, id);
            return update.update();
        }

        private long insert(SqlStatement insert) throws SQLException {
            insert.setInt(1, teller);
            insert.setInt(2, branch);
            tables.bindAccount(insert, 3, account);
            insert.setInt(4, delta);
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
