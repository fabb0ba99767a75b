package io.pgstress.extra.indexes;

import io.pgstress.plan.TableName;
import io.pgstress.text.Quoting;
import java.util.ArrayList;
import java.util.List;

/**
 * What stands for an index of MongoDB.
 *
 * @param definitions the indexes to create; empty if it has no counterpart
 * @param notes reasons, differences and advice, one line each
 */
public record IndexPlan(MongoIndex index, List<Definition> definitions, List<String> notes) {
    public IndexPlan {
        definitions = List.copyOf(definitions);
        notes = List.copyOf(notes);
    }

    /** A plan that grows. Not thread-safe. */
    static final class Draft {
        private final MongoIndex index;
        private final List<Definition> definitions = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();

        Draft(MongoIndex index) {
            this.index = index;
        }

        MongoIndex index() {
            return index;
        }

        /** Adds an index; the first has no suffix. */
        void add(String suffix, String method, List<Column> columns, boolean unique, String where) {
            definitions.add(new Definition(
                    definitions.isEmpty() ? "" : suffix,
                    method,
                    columns.stream().map(Column::sql).toList(),
                    columns.stream().map(Column::value).toList(),
                    unique,
                    where));
        }

        void note(String line) {
            notes.add(line);
        }

        IndexPlan plan() {
            return new IndexPlan(index, definitions, notes);
        }
    }

    /**
     * A column of an index.
     *
     * @param value its value as SQL
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
            return "create " + (unique ? "unique " : "") + "index "
                    + (name.isEmpty() ? "" : Quoting.identifier(name) + " ") + "on " + table.quoted() + " using "
                    + method + " (" + String.join(", ", columns) + ")" + condition();
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

    /** Thrown for a property of an index that has no counterpart; the message is the reason. */
    static final class Untranslatable extends Exception {
        private static final long serialVersionUID = 1;

        Untranslatable(String reason) {
            super(reason);
        }

        String reason() {
            return String.valueOf(getMessage());
        }
    }
}
