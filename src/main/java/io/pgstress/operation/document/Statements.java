package io.pgstress.operation.document;

import io.pgstress.plan.TableName;
import io.pgstress.target.statement.Sql;

/** Statements shared by several operations. */
final class Statements {
    private Statements() {}

    static Sql selectById(String name, TableName table) {
        return new Sql(name, "select _id, data from " + table.quoted() + " where _id = ?");
    }
}
