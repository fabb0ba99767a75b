package io.pgstress.operation;

import io.pgstress.dataset.KeyHandout;
import io.pgstress.dataset.Keys;
import io.pgstress.plan.TableName;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;
import java.util.List;

/** Reads a row by id, then changes the copy table by it; each id is handed out once. */
abstract class FindOnce implements Operation {
    private final OperationType.Context context;
    private final KeyHandout handout;

    FindOnce(OperationType.Context context) {
        this.context = context;
        this.handout = new KeyHandout(context.table().keys().size(), context.seed());
    }

    /** The statement that changes the copy table. */
    abstract Sql change(TableName copy);

    /** Runs it for a document that was read; its id is bound as the first parameter. */
    abstract Ending change(SqlStatement statement, String document) throws SQLException;

    final OperationType.Context context() {
        return context;
    }

    @Override
    public final List<Sql> statements() {
        TableName table = context.table().name();
        return List.of(Statements.selectById("select", table), change(table.copy()));
    }

    @Override
    public final void handOutAgain() {
        handout.reset();
    }

    @Override
    public final ClientOperation forClient(ClientSeat seat) {
        Keys keys = context.table().keys();
        return new OfClient(
                keys, handout.share(seat.clients()), new ReadDocument(keys, seat.statement(0)), seat.statement(1));
    }

    private final class OfClient implements ClientOperation {
        private final Keys keys;
        private final KeyHandout.Share share;
        private final ReadDocument read;
        private final SqlStatement change;
        private int drawn;

        OfClient(Keys keys, KeyHandout.Share share, ReadDocument read, SqlStatement change) {
            this.keys = keys;
            this.share = share;
            this.read = read;
            this.change = change;
        }

        @Override
        public boolean draw() {
            drawn = share.next();
            return drawn >= 0;
        }

        @Override
        public Ending execute() throws SQLException {
            String document = read.of(drawn);
            if (document == null) {
                return Ending.MISS;
            }
            keys.bind(change, 1, drawn);
            return change(change, document);
        }

        /** Where the operation succeeded. */
        @Override
        public long rows() {
            return 1;
        }
    }
}
