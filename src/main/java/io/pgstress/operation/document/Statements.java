package io.pgstress.operation.document;

import io.pgstress.plan.TableName;
import io.pgstress.target.statement.Sql;
import java.util.List;
import java.util.stream.Collectors;

/** Statements shared by several operations. */
final class Statements {
    private Statements() {}

    static Sql selectById(String name, TableName table) {
        return selectById(name, table, List.of());
    }

    /** @param others further columns, quoted; they are read as text */
    static Sql selectById(String name, TableName table, List<String> others) {
        String columns = others.stream().map(each -> ", " + each + "::text").collect(Collectors.joining());
        return new Sql(name, "select _id, data" + columns + " from " + table.quoted() + " where _id = ?");
    }
}
