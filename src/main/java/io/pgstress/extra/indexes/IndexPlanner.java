package io.pgstress.extra.indexes;

import io.pgstress.extra.FieldSql;
import io.pgstress.extra.FieldSql.Kinds;
import io.pgstress.extra.Untranslatable;
import io.pgstress.extra.indexes.IndexPlan.Column;
import io.pgstress.extra.indexes.IndexPlan.Definition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Finds for each index of a collection what serves the same queries on {@code data jsonb}. See docs/indexes.md. */
final class IndexPlanner {
    /**
     * What indexes depend on besides the dump.
     *
     * @param canonical whether documents are canonical Extended JSON
     * @param uniqueNeedsKey whether a unique index must contain {@code _id}, because the table is distributed by it
     */
    record IndexRules(boolean canonical, boolean uniqueNeedsKey) {}

    private final Shapes shapes;
    private final IndexRules rules;

    IndexPlanner(CollectionIndexes collection, IndexRules rules) {
        this.shapes = collection.shapes();
        this.rules = rules;
    }

    IndexPlan plan(MongoIndex index) {
        Draft draft = new Draft(index);
        try {
            draft.add();
        } catch (Untranslatable e) {
            return new IndexPlan(index, List.of(), withExpiry(index, List.of(e.reason())));
        }
        return new IndexPlan(index, draft.definitions, withExpiry(index, draft.notes));
    }

    /** Adds what MongoDB does about {@code expireAfterSeconds}. Which documents that concerns depends on each of them. */
    private static List<String> withExpiry(MongoIndex index, List<String> notes) {
        List<String> all = new ArrayList<>(notes);
        if (index.expireAfterSeconds() != null) {
            all.add("MongoDB deletes documents by this index, and PostgreSQL deletes no rows (docs/indexes.md)");
        } else if (!index.ignoredExpiry().isEmpty()) {
            all.add("MongoDB ignores its expireAfterSeconds: " + index.ignoredExpiry());
        }
        return all;
    }

    /**
     * A plan that grows: a B-tree or a hash index on the values, and for fields in arrays GIN. A B-tree that is unique ignores
     * missing values, so a second one enforces what MongoDB does: a missing field counts as null.
     */
    private final class Draft {
        private final MongoIndex index;
        private final List<Definition> definitions = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();

        Draft(MongoIndex index) {
            this.index = index;
        }

        void add() {
            index.unserved().ifPresent(reason -> {
                throw new Untranslatable(reason);
            });
            String filter = index.filter().isEmpty()
                    ? ""
                    : new PartialFilter(shapes, rules.canonical(), index.unique()).condition(index.filter());
            Map<String, FieldSql> arrays = new LinkedHashMap<>();
            List<MongoIndex.Part> scalars = new ArrayList<>();
            for (MongoIndex.Part part : index.parts()) {
                FieldSql field = field(part);
                if (field.isMultikey()) {
                    arrays.put(field.pathOfArray(), field);
                } else {
                    scalars.add(part);
                }
            }
            String where = and(index.sparse() ? present() : "", filter);
            if (arrays.isEmpty()) {
                addScalars(where);
            } else {
                addArrays(arrays, scalars, where);
            }
            if (index.hidden()) {
                notes.add("hidden in MongoDB, but it keeps its values unique");
            }
        }

        private FieldSql field(MongoIndex.Part part) {
            return shapes.field(part.path());
        }

        /** Adds an index; the first has no suffix. */
        private void add(String suffix, String method, List<Column> columns, boolean unique, String where) {
            definitions.add(new Definition(definitions.isEmpty() ? "" : suffix, method, columns, unique, where));
        }

        private void addArrays(Map<String, FieldSql> arrays, List<MongoIndex.Part> scalars, String where) {
            for (FieldSql field : arrays.values()) {
                Column contents = Column.contents(field.json(field.arrayAfter()));
                add("_" + (definitions.size() + 2), "gin", List.of(contents), false, where);
            }
            if (!scalars.isEmpty()) {
                add("_rest", "btree", columns(scalars), false, where);
            }
            notes.add("multikey, because of arrays in " + String.join(", ", arrays.keySet())
                    + ": equality of elements, but neither ranges nor sorting");
            if (index.unique()) {
                notes.add("not unique: no index keeps elements of arrays unique across rows");
            }
            if (!index.collation().isEmpty()) {
                notes.add("elements are compared byte by byte, without the collation");
            }
        }

        private void addScalars(String where) {
            List<Column> columns = columns(index.parts());
            if (index.parts().size() == 1 && index.parts().get(0).kind().equals(MongoIndex.HASHED)) {
                add("", "hash", columns, false, where);
                return;
            }
            boolean hasKey = index.parts().stream().anyMatch(part -> field(part).isKey());
            boolean unique = index.unique() && (hasKey || !rules.uniqueNeedsKey());
            add("", "btree", columns, unique, where);
            if (unique && !hasKey && !isExact(columns)) {
                addMissing(where);
            } else if (index.unique() && !unique) {
                notes.add("not unique: the table is distributed by _id, which every unique index must contain");
            }
        }

        /** Whether a unique index on these columns keeps nulls unique as well: it is sparse, and null is a value of jsonb. */
        private boolean isExact(List<Column> columns) {
            Column first = Column.of(field(index.parts().get(0)).json());
            return index.sparse()
                    && columns.size() == 1
                    && columns.get(0).value().equals(first.value());
        }

        /** Adds an index that lets one row at most lack the same fields or have null in them. */
        private void addMissing(String where) {
            List<String> fields =
                    index.parts().stream().map(part -> field(part).json()).toList();
            String rows = fields.stream()
                    .map(json -> json + " is null or " + json + " = 'null'::jsonb")
                    .collect(Collectors.joining(" or ", "(", ")"));
            List<Column> values = fields.stream()
                    .map(json -> Column.of("coalesce(" + json + ", 'null'::jsonb)"))
                    .toList();
            add("_null", "btree", values, true, and(rows, where));
        }

        private List<Column> columns(List<MongoIndex.Part> parts) {
            return parts.stream()
                    .map(part -> part.kind().equals(MongoIndex.DESCENDING)
                            ? column(field(part)).descending()
                            : column(field(part)))
                    .toList();
        }

        private Column column(FieldSql field) {
            if (field.isKey()) {
                return new Column("_id", "");
            }
            boolean expires = index.expireAfterSeconds() != null && field.mayBeDate(rules.canonical());
            if (expires || field.isDate(rules.canonical())) {
                return Column.of(field.date("data", rules.canonical()));
            }
            boolean strings = field.ownKinds() == 0 || (field.ownKinds() & Kinds.STRING) != 0;
            if (!index.collation().isEmpty() && strings) {
                throw new Untranslatable(
                        "indexes with a collation are not created; a B-tree on (data ->> field) with a collation of"
                                + " ICU serves such queries");
            }
            String unordered = field.unordered(rules.canonical());
            if (!unordered.isEmpty()) {
                notes.add("equality only for " + field.path() + ": " + unordered);
            }
            return Column.of(field.json());
        }

        /** The condition of a sparse index: MongoDB leaves out a document that has none of the fields. */
        private String present() {
            List<FieldSql> fields = index.parts().stream().map(this::field).toList();
            if (fields.stream().anyMatch(FieldSql::isKey)) {
                return "";
            }
            String any = fields.stream()
                    .map(field -> field.isMultikey() ? field.json(field.arrayAfter()) : field.json())
                    .distinct()
                    .map(json -> json + " is not null")
                    .collect(Collectors.joining(" or "));
            return any.contains(" or ") ? "(" + any + ")" : any;
        }

        private static String and(String one, String other) {
            return one.isEmpty() ? other : other.isEmpty() ? one : one + " and " + other;
        }
    }
}
