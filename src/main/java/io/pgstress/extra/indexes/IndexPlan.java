package io.pgstress.extra.indexes;

import io.pgstress.plan.TableName;
import io.pgstress.text.Quoting;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What stands for an index of MongoDB.
 *
 * @param definitions the indexes to create; empty if it has no counterpart
 * @param notes reasons, differences and advice, one line each
 */
record IndexPlan(MongoIndex index, List<Definition> definitions, List<String> notes) {
    IndexPlan {
        definitions = List.copyOf(definitions);
        notes = List.copyOf(notes);
    }

    /**
     * A column of an index.
     *
     * @param value its value as SQL, as a query groups by it
     * @param options its operator class or order; empty for the default
     */
    record Column(String value, String options) {
        private static final String PATH_OPERATORS = "jsonb_path_ops";

        /** An expression. */
        static Column of(String expression) {
            return new Column("(" + expression + ")", "");
        }

        /** A value whose contents GIN finds. */
        static Column contents(String expression) {
            return new Column(expression.equals("data") ? expression : "(" + expression + ")", PATH_OPERATORS);
        }

        Column descending() {
            return new Column(value, "desc");
        }

        String sql() {
            return options.isEmpty() ? value : value + " " + options;
        }
    }

    /**
     * An index to create.
     *
     * @param suffix what distinguishes its name from those of the other indexes that stand for the same one of MongoDB
     * @param method the access method
     * @param where the condition of a partial index; empty for all rows
     */
    record Definition(String suffix, String method, List<Column> columns, boolean unique, String where) {
        Definition {
            columns = List.copyOf(columns);
        }

        /** The statement that creates it; an empty name leaves the choice to the server. */
        String sql(String name, TableName table) {
            return "create " + (unique ? "unique " : "") + "index "
                    + (name.isEmpty() ? "" : Quoting.identifier(name) + " ") + "on " + table.quoted() + " using "
                    + properties();
        }

        /** It in short, for people. */
        String describe() {
            return (unique ? "unique " : "") + properties();
        }

        private String properties() {
            return columns.stream().map(Column::sql).collect(Collectors.joining(", ", method + " (", ")"))
                    + (where.isEmpty() ? "" : " where " + where);
        }
    }
}
