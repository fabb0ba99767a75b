package io.pgstress.operation.document;

import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.Keys;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationType;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.RowReader;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/** {@code find_in}: reads the rows of a batch of random ids; an id drawn twice returns its row once. */
public final class FindIn implements Operation {
    static final Option<Integer> BATCH = Option.of("batch", "N", Forms.integer(1, 32_000))
            .byDefault("40")
            .help(Group.OPERATION, "ids per statement");

    public static final OperationType TYPE = OperationType.of(
                    "find_in", "reads the rows of --batch random ids", FindIn::new)
            .with(BATCH, RunOptions.KEY_DISTRIBUTION, RunOptions.KEY_SAMPLE);

    private final OperationType.Context context;

    private FindIn(OperationType.Context context) {
        this.context = context;
    }

    @Override
    public List<Sql> statements(int client) {
        String marks = String.join(", ", Collections.nCopies(context.get(BATCH), "?"));
        return List.of(new Sql(
                "select",
                "select _id, data from " + context.table().name().quoted() + " where _id in (" + marks + ")"));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        Keys keys = context.table().keys();
        KeySampler sampler = seat.sampler(context.get(RunOptions.KEY_DISTRIBUTION), keys.size());
        SqlStatement select = seat.statement(0);
        long[] drawn = new long[context.get(BATCH)];
        return new ClientOperation() {
            private long rows;

            @Override
            public boolean draw() {
                for (int i = 0; i < drawn.length; i++) {
                    drawn[i] = sampler.next();
                }
                return true;
            }

            @Override
            public Ending execute() throws SQLException {
                for (int i = 0; i < drawn.length; i++) {
                    keys.bind(select, i + 1, drawn[i]);
                }
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
