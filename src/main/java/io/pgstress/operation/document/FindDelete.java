package io.pgstress.operation.document;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.Writes.Kind;
import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.TableName;
import io.pgstress.target.statement.Sql;
import java.util.List;

/** {@code find_delete}: reads one row by id, then deletes that id from the copy table; a miss if it was not there. */
public final class FindDelete extends FindOnce {
    private static final String NAME = "find_delete";

    public static final OperationType TYPE = FindOnce.type(
                    NAME, "reads a row by id and deletes it from the copy table", FindDelete::new)
            .withCopy(CopyState.DRAWN);

    private FindDelete(OperationType.Context context) {
        super(NAME, Kind.DELETE, context);
    }

    @Override
    Sql change(TableName copy, List<String> others) {
        return new Sql("delete", "delete from " + copy.quoted() + " where _id = ?");
    }
}
