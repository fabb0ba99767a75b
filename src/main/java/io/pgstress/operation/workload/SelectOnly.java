package io.pgstress.operation.workload;

import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.TableCheck;
import io.pgstress.plan.RunOptions;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.RowReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** {@code select_only}: pgbench's {@code -S}, which reads the balance of a random account. */
public final class SelectOnly implements Operation {
    public static final OperationType TYPE = OperationType.of(
                    "select_only", "reads the balance of an account, as pgbench -S", SelectOnly::new)
            .selfContained("pgbench_accounts")
            .with(WorkloadOptions.withCreation(WorkloadOptions.SCALE, RunOptions.KEY_DISTRIBUTION));

    static final String SELECT = "select abalance from pgbench_accounts where aid = ?";
    private static final RowReader BALANCE = row -> row.getInt(1);

    private final OperationType.Context context;
    private final PgbenchTables tables;

    private SelectOnly(OperationType.Context context) {
        this.context = context;
        this.tables = new PgbenchTables(context);
    }

    @Override
    public List<Sql> statements(int client) {
        return List.of(new Sql("select", SELECT));
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
    public List<TableCheck> checks() {
        TableCheck.Local made = tables::made;
        return List.of(made);
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        KeySampler sampler = seat.sampler(context.get(RunOptions.KEY_DISTRIBUTION), tables.accounts());
        return new OfClient(sampler, tables, seat.statement(0));
    }

    private static final class OfClient implements ClientOperation {
        private final KeySampler sampler;
        private final PgbenchTables tables;
        private final SqlStatement select;
        private long account;
        private long rows;

        OfClient(KeySampler sampler, PgbenchTables tables, SqlStatement select) {
            this.sampler = sampler;
            this.tables = tables;
            this.select = select;
        }

        @Override
        public boolean draw() {
            account = sampler.next() + 1;
            return true;
        }

        @Override
        public Ending execute() throws SQLException {
            tables.bindAccount(select, 1, account);
            rows = select.query(BALANCE);
            return rows == 0 ? Ending.MISS : Ending.OK;
        }

        @Override
        public long rows() {
            return rows;
        }
    }
}
