package io.pgstress.operation;

import io.pgstress.dataset.KeyHandout;
import io.pgstress.dataset.Keys;
import io.pgstress.plan.TableName;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;
import java.util.List;

/** {@code find_delete}: reads one row by id, then deletes that id from the copy table; a miss where it was not there. */
final class FindDelete implements Operation {
    static final OperationType TYPE = new OperationType(
            List.of("find_delete"), "reads a row by id, deletes it from the copy table", FindDelete::new);

    private final OperationType.Context context;
    private final KeyHandout handout;

    private FindDelete(OperationType.Context context) {
        this.context = context;
        this.handout = new KeyHandout(context.table().keys().size(), context.seed());
    }

    @Override
    public List<Sql> statements() {
        TableName table = context.table().name();
        return List.of(
                Statements.selectById("select", table),
                new Sql("delete", "delete from " + table.copy().quoted() + " where _id = ?"));
    }

    @Override
    public Reset reset() {
        return Reset.FILL_COPY;
    }

    @Override
    public void handOutAgain() {
        handout.reset();
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        Keys keys = context.table().keys();
        ReadDocument read = new ReadDocument(keys, seat.statement(0));
        return new OfClient(keys, handout.share(), read, seat.statement(1));
    }

    private static final class OfClient implements ClientOperation {
        private final Keys keys;
        private final KeyHandout.Share share;
        private final ReadDocument read;
        private final SqlStatement delete;
        private int drawn;
        private long rows;

        OfClient(Keys keys, KeyHandout.Share share, ReadDocument read, SqlStatement delete) {
            this.keys = keys;
            this.share = share;
            this.read = read;
            this.delete = delete;
        }

        @Override
        public boolean draw() {
            drawn = share.next();
            return drawn >= 0;
        }

        @Override
        public Ending execute() throws SQLException {
            if (read.of(drawn) == null) {
                return Ending.MISS;
            }
            keys.bind(delete, 1, drawn);
            rows = delete.update();
            return rows == 0 ? Ending.MISS : Ending.OK;
        }

        @Override
        public long rows() {
            return rows;
        }
    }
}
