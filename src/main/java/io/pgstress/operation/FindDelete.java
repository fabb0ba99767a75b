package io.pgstress.operation;

import io.pgstress.plan.TableName;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;
import java.util.List;

/** {@code find_delete}: reads one row by id, then deletes that id from the copy table; a miss where it was not there. */
final class FindDelete extends FindOnce {
    static final OperationType TYPE = new OperationType(
            List.of("find_delete"), "reads a row by id, deletes it from the copy table", FindDelete::new);

    private FindDelete(OperationType.Context context) {
        super(context);
    }

    @Override
    Sql change(TableName copy) {
        return new Sql("delete", "delete from " + copy.quoted() + " where _id = ?");
    }

    @Override
    public Reset reset() {
        return Reset.FILL_COPY;
    }

    @Override
    Ending change(SqlStatement delete, String document) throws SQLException {
        return delete.update() == 0 ? Ending.MISS : Ending.OK;
    }
}
