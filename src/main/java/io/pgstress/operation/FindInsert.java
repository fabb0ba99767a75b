package io.pgstress.operation;

import io.pgstress.plan.TableName;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * {@code find_insert}: reads one row by id, then inserts it into the copy table. Each id is handed out once, so a
 * duplicate means that the row was there before.
 */
final class FindInsert extends FindOnce {
    static final OperationType TYPE = new OperationType(
            List.of("find_insert"), "reads a row by id, inserts it into the copy table", FindInsert::new);

    private FindInsert(OperationType.Context context) {
        super(context);
    }

    @Override
    Sql change(TableName copy) {
        return new Sql("insert", "insert into " + copy.quoted() + " (_id, data) values (?, ?)");
    }

    @Override
    public Reset reset() {
        return Reset.EMPTY_COPY;
    }

    @Override
    Ending change(SqlStatement insert, String document) throws SQLException {
        insert.setUntyped(2, document);
        try {
            insert.update();
            return Ending.OK;
        } catch (SQLException e) {
            if (context().dialect().isDuplicateKey(e)) {
                return Ending.DUPLICATE;
            }
            throw e;
        }
    }
}
