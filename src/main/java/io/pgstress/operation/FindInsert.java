package io.pgstress.operation;

import io.pgstress.dataset.KeyHandout;
import io.pgstress.dataset.Keys;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * {@code find_insert}: reads one row by id, then inserts it into the copy table. Each id is handed out once, so a
 * duplicate means that the row was there before.
 */
final class FindInsert implements Operation {
    static final OperationType TYPE = new OperationType(
            List.of("find_insert"), "reads a row by id, inserts it into the copy table", FindInsert::new);

    private final OperationType.Context context;
    private final KeyHandout handout;

    private FindInsert(OperationType.Context context) {
        this.context = context;
        this.handout = new KeyHandout(context.table().keys().size(), context.seed());
    }

    @Override
    public List<Sql> statements() {
        TableName table = context.table().name();
        return List.of(
                Statements.selectById("select", table),
                new Sql("insert", "insert into " + table.copy().quoted() + " (_id, data) values (?, ?)"));
    }

    @Override
    public Reset reset() {
        return Reset.EMPTY_COPY;
    }

    @Override
    public void handOutAgain() {
        handout.reset();
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        Keys keys = context.table().keys();
        ReadDocument read = new ReadDocument(keys, seat.statement(0));
        SqlStatement insert = seat.statement(1);
        return new OfClient(keys, handout.share(), read, insert, context.dialect());
    }

    private static final class OfClient implements ClientOperation {
        private final Keys keys;
        private final KeyHandout.Share share;
        private final ReadDocument read;
        private final SqlStatement insert;
        private final Dialect dialect;
        private int drawn;
        private long rows;

        OfClient(Keys keys, KeyHandout.Share share, ReadDocument read, SqlStatement insert, Dialect dialect) {
            this.keys = keys;
            this.share = share;
            this.read = read;
            this.insert = insert;
            this.dialect = dialect;
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
            keys.bind(insert, 1, drawn);
            insert.setUntyped(2, document);
            try {
                rows = insert.update();
                return Ending.OK;
            } catch (SQLException e) {
                if (dialect.isDuplicateKey(e)) {
                    return Ending.DUPLICATE;
                }
                throw e;
            }
        }

        @Override
        public long rows() {
            return rows;
        }
    }
}
