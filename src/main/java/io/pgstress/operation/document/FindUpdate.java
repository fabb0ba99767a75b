package io.pgstress.operation.document;

import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.Keys;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.Writes;
import io.pgstress.operation.Writes.UpdatedIds;
import io.pgstress.operation.document.FindOnce.ReadDocument;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.TableName;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;
import java.util.List;

/** {@code find_update}: reads one row by id, then updates it with the same data. */
public final class FindUpdate implements Operation {
    public static final OperationType TYPE = OperationType.of(
                    "find_update", "reads a row by id and writes it back", FindUpdate::new)
            .alias("find_update_one")
            .with(RunOptions.KEY_DISTRIBUTION, RunOptions.KEY_SAMPLE);

    private final OperationType.Context context;
    private final WriteTallies tallies;
    private final UpdatedIds touched;

    private FindUpdate(OperationType.Context context) {
        this.context = context;
        this.tallies = new WriteTallies(context.get(RunOptions.TRANSACTION));
        this.touched = new UpdatedIds(context.table().keys().size());
    }

    @Override
    public List<Sql> statements(int client) {
        TableName table = context.table().name();
        return List.of(
                ReadDocument.selectById(table, List.of()),
                new Sql("update", "update " + table.quoted() + " set data = ? where _id = ?"));
    }

    @Override
    public List<TableCheck> checks() {
        return List.of(Writes.updates(TYPE.name(), context.table().name(), tallies, touched));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        Keys keys = context.table().keys();
        KeySampler sampler = seat.sampler(context.get(RunOptions.KEY_DISTRIBUTION), keys.size());
        ReadDocument read = new ReadDocument(keys, seat.statement(0), 0);
        SqlStatement update = seat.statement(1);
        return new TalliedClient(tallies.forClient(), 1) { // the row existed when it was read
            private long drawn;
            private long rows;

            @Override
            public boolean draw() {
                drawn = sampler.next();
                rows = 0;
                return true;
            }

            @Override
            public Ending execute() throws SQLException {
                if (!read.find(drawn)) {
                    return Ending.MISS;
                }
                update.setUntyped(1, read.document());
                keys.bind(update, 2, drawn);
                Ending ending = super.execute();
                if (ending == Ending.OK && !isInTransaction()) {
                    touched.at(drawn);
                }
                return ending;
            }

            @Override
            protected long send() throws SQLException {
                rows = update.update();
                return rows;
            }

            @Override
            public void committed() {
                super.committed();
                if (rows > 0) {
                    touched.at(drawn);
                }
            }

            @Override
            public long rows() {
                return rows;
            }
        };
    }
}
