package io.pgstress.operation;

import io.pgstress.dataset.KeySampler;
import io.pgstress.dataset.Keys;
import io.pgstress.plan.TableName;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;
import java.util.List;

/** {@code find_update}: reads one row by id, then updates it with the very data that it read. */
final class FindUpdate implements Operation {
    static final OperationType TYPE = new OperationType(
            List.of("find_update", "find_update_one"),
            "reads a row by id, updates it with what it read",
            FindUpdate::new);

    private final OperationType.Context context;

    private FindUpdate(OperationType.Context context) {
        this.context = context;
    }

    @Override
    public List<Sql> statements() {
        TableName table = context.table().name();
        return List.of(
                Statements.selectById("select", table),
                new Sql("update", "update " + table.quoted() + " set data = ? where _id = ?"));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        Keys keys = context.table().keys();
        KeySampler sampler = seat.sampler(context.options().keyDistribution(), keys.size());
        ReadDocument read = new ReadDocument(keys, seat.statement(0));
        return new OfClient(keys, sampler, read, seat.statement(1));
    }

    private static final class OfClient implements ClientOperation {
        private final Keys keys;
        private final KeySampler sampler;
        private final ReadDocument read;
        private final SqlStatement update;
        private int drawn;
        private long rows;

        OfClient(Keys keys, KeySampler sampler, ReadDocument read, SqlStatement update) {
            this.keys = keys;
            this.sampler = sampler;
            this.read = read;
            this.update = update;
        }

        @Override
        public boolean draw() {
            drawn = sampler.next();
            return true;
        }

        @Override
        public Ending execute() throws SQLException {
            String document = read.of(drawn);
            if (document == null) {
                return Ending.MISS;
            }
            update.setUntyped(1, document);
            keys.bind(update, 2, drawn);
            rows = update.update();
            return rows == 0 ? Ending.MISS : Ending.OK;
        }

        @Override
        public long rows() {
            return rows;
        }
    }
}
