package io.pgstress.extra.indexes;

import io.pgstress.plan.TableName;
import io.pgstress.plan.sql.Quoting;
import java.util.List;

/**
 * An index to create.
 *
 * @param suffix what distinguishes its name from those of the other indexes that stand for the same one of MongoDB
 * @param method the access method
 * @param columns its columns as SQL, with operator classes and order
 * @param values the same without these, as a query groups by them
 * @param where the condition of a partial index; empty for all rows
 */
public record Definition(
        String suffix, String method, List<String> columns, List<String> values, boolean unique, String where) {
    public Definition {
        columns = List.copyOf(columns);
        values = List.copyOf(values);
    }

    /** The statement that creates it; an empty name leaves the choice to the server. */
    public String sql(String name, TableName table) {
        return "create " + (unique ? "unique " : "") + "index " + (name.isEmpty() ? "" : Quoting.identifier(name) + " ")
                + "on " + table.quoted() + " using " + method + " (" + String.join(", ", columns) + ")" + condition();
    }

    /** It in short, for people. */
    public String describe() {
        return (unique ? "unique " : "") + method + " (" + String.join(", ", columns) + ")" + condition();
    }

    /** The clause with the condition; empty if there is none. */
    public String condition() {
        return where.isEmpty() ? "" : " where " + where;
    }
}
