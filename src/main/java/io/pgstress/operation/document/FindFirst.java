package io.pgstress.operation.document;

import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.Keys;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationType;
import io.pgstress.plan.RunOptions;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.RowReader;
import java.sql.SQLException;
import java.util.List;

/** {@code find_first}: reads the row of one random existing id. */
public final class FindFirst implements Operation {
    public static final OperationType TYPE = OperationType.of(
                    "find_first", "reads the row of a random id", FindFirst::new)
            .with(RunOptions.KEY_DISTRIBUTION, RunOptions.KEY_SAMPLE);

    private final OperationType.Context context;

    private FindFirst(OperationType.Context context) {
        this.context = context;
    }

    @Override
    public List<Sql> statements(int client) {
        return List.of(new Sql(
                "select", "select _id, data from " + context.table().name().quoted() + " where _id = ?"));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        Keys keys = context.table().keys();
        KeySampler sampler = seat.sampler(context.get(RunOptions.KEY_DISTRIBUTION), keys.size());
        SqlStatement select = seat.statement(0);
        return new ClientOperation() {
            private long drawn;
            private long rows;

            @Override
            public boolean draw() {
                drawn = sampler.next();
                return true;
            }

            @Override
            public Ending execute() throws SQLException {
                keys.bind(select, 1, drawn);
                rows = select.query(RowReader.ID_AND_DATA);
                return rows == 0 ? Ending.MISS : Ending.OK;
            }

            @Override
            public long rows() {
                return rows;
            }
        };
    }
}
