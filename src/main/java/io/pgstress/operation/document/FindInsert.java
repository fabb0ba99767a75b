package io.pgstress.operation.document;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.Writes.Kind;
import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.TableName;
import io.pgstress.target.statement.Sql;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code find_insert}: reads one row by id, then inserts it into the copy table. Each id is handed out once, so a
 * duplicate means that the row already existed.
 */
public final class FindInsert extends FindOnce {
    private static final String NAME = "find_insert";

    public static final OperationType TYPE = FindOnce.type(
                    NAME, "reads a row by id and inserts it into the copy table", FindInsert::new)
            .withCopy(CopyState.EMPTY);

    private FindInsert(OperationType.Context context) {
        super(NAME, Kind.INSERT, context);
    }

    @Override
    Sql change(TableName copy, List<String> others) {
        String columns = others.stream().map(each -> ", " + each).collect(Collectors.joining());
        return new Sql(
                "insert",
                "insert into " + copy.quoted() + " (_id, data" + columns + ") values (?, ?"
                        + ", ?".repeat(others.size()) + ")");
    }
}
