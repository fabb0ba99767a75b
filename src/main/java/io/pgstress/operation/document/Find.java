package io.pgstress.operation.document;

import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.Keys;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationType;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.RowReader;
import java.sql.SQLException;
import java.util.List;

/**
 * {@code find}: rows with an {@code _id} above a random one, up to a random limit. The greatest id is never drawn,
 * because no row lies beyond it.
 */
public final class Find implements Operation {
    static final Option<Integer> LIMIT_MIN = Option.of("limit-min", "N", Forms.integer(1, Integer.MAX_VALUE))
            .byDefault("100")
            .help(Group.OPERATION, "fewest rows of a query");

    static final Option<Integer> LIMIT_MAX = Option.of("limit-max", "N", Forms.integer(1, Integer.MAX_VALUE))
            .byDefault("10100")
            .refusedIf(o -> o.get(Find.LIMIT_MAX) < o.get(LIMIT_MIN) ? "must be at least --limit-min" : "")
            .help(Group.OPERATION, "most rows of a query");

    static final Option<Boolean> ORDER_BY_ID = Option.flag("order-by-id").help(Group.OPERATION, "order by _id");

    public static final OperationType TYPE = OperationType.of(
                    "find", "reads --limit-min to --limit-max rows after a random id", Find::new)
            .with(LIMIT_MIN, LIMIT_MAX, ORDER_BY_ID, RunOptions.KEY_DISTRIBUTION, RunOptions.KEY_SAMPLE);

    private final OperationType.Context context;

    private Find(OperationType.Context context) {
        this.context = context;
    }

    @Override
    public List<Sql> statements(int client) {
        String order = context.get(ORDER_BY_ID) ? " order by _id" : "";
        return List.of(new Sql(
                "select",
                "select _id, data from " + context.table().name().quoted() + " where _id > ?" + order + " limit ?"));
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT.holdingRows(context.get(LIMIT_MAX));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        Keys keys = context.table().keys();
        KeySampler sampler = seat.sampler(context.get(RunOptions.KEY_DISTRIBUTION), Math.max(1, keys.size() - 1));
        SqlStatement select = seat.statement(0);
        int limitMin = context.get(LIMIT_MIN);
        int limits = (int) Math.min(Integer.MAX_VALUE, (long) context.get(LIMIT_MAX) - limitMin + 1);
        return new ClientOperation() {
            private long drawn;
            private int limit;
            private long rows;

            @Override
            public boolean draw() {
                drawn = sampler.next();
                limit = limitMin + sampler.below(limits);
                return true;
            }

            @Override
            public Ending execute() throws SQLException {
                keys.bind(select, 1, drawn);
                select.setInt(2, limit);
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
