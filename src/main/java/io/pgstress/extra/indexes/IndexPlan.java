package io.pgstress.extra.indexes;

import java.util.ArrayList;
import java.util.List;

/**
 * What stands for an index of MongoDB.
 *
 * @param definitions the indexes to create; empty if it has no counterpart
 * @param collations statements that create the collations they need
 * @param notes reasons, differences and advice, one line each
 */
public record IndexPlan(MongoIndex index, List<Definition> definitions, List<String> collations, List<String> notes) {
    public IndexPlan {
        definitions = List.copyOf(definitions);
        collations = List.copyOf(collations);
        notes = List.copyOf(notes);
    }

    /** A plan that grows. Not thread-safe. */
    static final class Draft {
        private final MongoIndex index;
        private final List<Definition> definitions = new ArrayList<>();
        private final List<String> collations = new ArrayList<>();
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

        void collation(String create) {
            if (!collations.contains(create)) {
                collations.add(create);
            }
        }

        void note(String line) {
            notes.add(line);
        }

        IndexPlan plan() {
            return new IndexPlan(index, definitions, collations, notes);
        }
    }
}
