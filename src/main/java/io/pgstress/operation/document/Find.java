package io.pgstress.operation.document;

import io.pgstress.dataset.KeySampler;
import io.pgstress.dataset.Keys;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationType;
import io.pgstress.plan.OperationOptions;
import io.pgstress.target.statement.RowReader;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * {@code find}: rows with an {@code _id} greater than a random one, as many as a random limit says. The greatest id is
 * not drawn, as nothing is beyond it.
 */
public final class Find implements Operation {
    public static final OperationType TYPE =
            new OperationType(List.of("find"), "--limit-min to --limit-max rows beyond a random id", Find::new);

    private final OperationType.Context context;

    private Find(OperationType.Context context) {
        this.context = context;
    }

    @Override
    public List<Sql> statements() {
        String order = context.options().orderById() ? " order by _id" : "";
        return List.of(new Sql(
                "select",
                "select _id, data from " + context.table().name().quoted() + " where _id > ?" + order + " limit ?"));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        Keys keys = context.table().keys();
        OperationOptions options = context.options();
        KeySampler sampler = seat.sampler(options.keyDistribution(), Math.max(1, keys.size() - 1));
        return new OfClient(keys, sampler, seat.statement(0), options);
    }

    private static final class OfClient implements ClientOperation {
        private final Keys keys;
        private final KeySampler sampler;
        private final SqlStatement select;
        private final int limitMin;
        private final int limits;
        private int drawn;
        private int limit;
        private long rows;

        OfClient(Keys keys, KeySampler sampler, SqlStatement select, OperationOptions options) {
            this.keys = keys;
            this.sampler = sampler;
            this.select = select;
            this.limitMin = options.limitMin();
            this.limits = (int) Math.min(Integer.MAX_VALUE, (long) options.limitMax() - limitMin + 1);
        }

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
    }
}
