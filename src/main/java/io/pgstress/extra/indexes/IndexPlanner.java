package io.pgstress.extra.indexes;

import io.pgstress.extra.indexes.IndexPlan.Column;
import io.pgstress.extra.indexes.IndexPlan.Draft;
import io.pgstress.extra.indexes.IndexPlan.Untranslatable;
import io.pgstress.extra.indexes.IndexPlanner.IndexRules;
import io.pgstress.extra.indexes.Shapes.Kinds;
import io.pgstress.plan.TableName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Finds for each index of a collection what serves the same queries on {@code data jsonb}. See docs/indexes.md. */
public final class IndexPlanner {
    private final TableName table;
    private final Shapes shapes;
    private final IndexRules rules;
    private final OrdinaryIndexes ordinary;

    public IndexPlanner(CollectionIndexes collection, IndexRules rules, TableName table) {
        this.table = table;
        this.shapes = collection.shapes();
        this.rules = rules;
        this.ordinary = new OrdinaryIndexes(shapes, rules);
    }

    public IndexPlan plan(MongoIndex index) {
        Draft draft = new Draft(index);
        try {
            if (index.isOnKey()) {
                throw new Untranslatable("the primary key serves it");
            }
            if (!index.isPossible()) {
                throw new Untranslatable("its metadata contain U+0000");
            }
            if (!index.unserved().isEmpty()) {
                throw new Untranslatable(index.unserved());
            }
            if (index.hidden() && !index.unique()) {
                throw new Untranslatable("hidden: MongoDB's planner does not use it");
            }
            add(draft, index);
        } catch (Untranslatable e) {
            return new IndexPlan(index, List.of(), List.of(e.reason()));
        }
        return draft.plan();
    }

    private void add(Draft draft, MongoIndex index) throws Untranslatable {
        String filter = index.filter().isEmpty()
                ? ""
                : new PartialFilter(shapes, rules.canonical(), index.unique()).condition(index.filter());
        ordinary.add(draft, filter);
        addNotes(draft, index, filter);
    }

    private void addNotes(Draft draft, MongoIndex index, String filter) {
        if (index.hidden()) {
            draft.note("hidden in MongoDB, but it keeps its values unique");
        }
        IndexedField first = shapes.field(index.parts().get(0).path());
        if (index.expireAfterSeconds() != null && !first.isMultikey() && first.mayBeDate(rules.canonical())) {
            draft.note("rows do not expire by themselves; this deletes those that have: "
                    + deletion(first, index.expireAfterSeconds()) + (filter.isEmpty() ? "" : " and " + filter));
        } else if (index.expireAfterSeconds() != null) {
            draft.note("rows do not expire: " + first.path() + " has values that are not dates");
        }
    }

    /** The statement that does what MongoDB does in the background. */
    private String deletion(IndexedField date, long seconds) {
        String expired = rules.canonical()
                ? "(extract(epoch from now() - interval '" + seconds + " s') * 1000)::bigint"
                : "to_char(now() at time zone 'UTC' - interval '" + seconds + " s', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS')";
        return "delete from " + table.quoted() + " where " + date.date(rules.canonical()) + " < " + expired;
    }

    /**
     * What indexes depend on besides the dump.
     *
     * @param canonical whether documents are canonical Extended JSON
     * @param uniqueNeedsKey whether a unique index must contain {@code _id}, because the table is distributed by it
     */
    record IndexRules(boolean canonical, boolean uniqueNeedsKey) {}

    /**
     * Indexes with ordered or hashed fields: a B-tree or a hash index on the values, and for fields in arrays GIN. A B-tree that
     * is unique ignores missing values, so a second one enforces what MongoDB does: a missing field counts as null.
     */
    static final class OrdinaryIndexes {
        private static final String REST = "_rest";

        private final Shapes shapes;
        private final IndexRules rules;

        OrdinaryIndexes(Shapes shapes, IndexRules rules) {
            this.shapes = shapes;
            this.rules = rules;
        }

        /** Adds what serves an index of such fields. */
        void add(Draft draft, String filter) throws Untranslatable {
            List<MongoIndex.Part> parts = draft.index().parts();
            List<MongoIndex.Part> scalars = new ArrayList<>();
            Map<String, IndexedField> arrays = divide(parts, scalars);
            String where = and(draft.index().sparse() ? present(parts) : "", filter);
            if (arrays.isEmpty()) {
                scalars(draft, parts, where);
                return;
            }
            arrays(draft, arrays.values(), where);
            scalarsOfRest(draft, scalars, where);
            draft.note("multikey, because of arrays in " + String.join(", ", arrays.keySet())
                    + ": equality of elements, but neither ranges nor sorting");
            if (draft.index().unique()) {
                draft.note("not unique: no index keeps elements of arrays unique across rows");
            }
            if (!draft.index().collation().isEmpty()) {
                draft.note("elements are compared byte by byte, without the collation");
            }
        }

        private static void arrays(Draft draft, Collection<IndexedField> arrays, String where) {
            int number = 1;
            for (IndexedField field : arrays) {
                number++;
                draft.add("_" + number, "gin", List.of(Column.contents(field.json(field.arrayAfter()))), false, where);
            }
        }

        private void scalarsOfRest(Draft draft, List<MongoIndex.Part> parts, String where) throws Untranslatable {
            if (!parts.isEmpty()) {
                draft.add(REST, "btree", columns(draft, parts), false, where);
            }
        }

        /** Adds the fields outside of arrays to a list; returns the others by the path of their array. */
        private Map<String, IndexedField> divide(List<MongoIndex.Part> parts, List<MongoIndex.Part> scalars) {
            Map<String, IndexedField> arrays = new LinkedHashMap<>();
            for (MongoIndex.Part part : parts) {
                IndexedField field = shapes.field(part.path());
                if (field.isMultikey()) {
                    arrays.put(field.pathOfArray(), field);
                } else {
                    scalars.add(part);
                }
            }
            return arrays;
        }

        private void scalars(Draft draft, List<MongoIndex.Part> parts, String where) throws Untranslatable {
            List<Column> columns = columns(draft, parts);
            if (parts.size() == 1 && parts.get(0).kind().equals(MongoIndex.HASHED)) {
                draft.add("", "hash", columns, false, where);
                return;
            }
            boolean hasKey =
                    parts.stream().anyMatch(part -> shapes.field(part.path()).isKey());
            boolean unique = draft.index().unique() && (hasKey || !rules.uniqueNeedsKey());
            draft.add("", "btree", columns, unique, where);
            if (unique && !hasKey && !isExact(draft.index(), columns)) {
                missing(draft, parts, where);
            } else if (draft.index().unique() && !unique) {
                draft.note("not unique: the table is distributed by _id, which every unique index must contain");
            }
        }

        /** Whether a unique index on these columns keeps nulls unique as well: it is sparse, and null is a value of jsonb. */
        private boolean isExact(MongoIndex index, List<Column> columns) {
            IndexedField first = shapes.field(index.parts().get(0).path());
            return index.sparse()
                    && columns.size() == 1
                    && columns.get(0).value().equals(Column.of(first.json()).value());
        }

        /** Adds an index that lets one row at most lack the same fields or have null in them. */
        private void missing(Draft draft, List<MongoIndex.Part> parts, String where) {
            List<IndexedField> fields =
                    parts.stream().map(part -> shapes.field(part.path())).toList();
            String rows = fields.stream()
                    .map(field -> field.json() + " is null or " + field.json() + " = 'null'::jsonb")
                    .collect(Collectors.joining(" or "));
            List<Column> values = fields.stream()
                    .map(field -> Column.of("coalesce(" + field.json() + ", 'null'::jsonb)"))
                    .toList();
            draft.add("_null", "btree", values, true, and("(" + rows + ")", where));
        }

        private List<Column> columns(Draft draft, List<MongoIndex.Part> parts) throws Untranslatable {
            List<Column> columns = new ArrayList<>();
            for (MongoIndex.Part part : parts) {
                Column column = column(draft, shapes.field(part.path()));
                columns.add(part.kind().equals(MongoIndex.DESCENDING) ? column.descending() : column);
            }
            return columns;
        }

        private Column column(Draft draft, IndexedField field) throws Untranslatable {
            if (field.isKey()) {
                return new Column("_id", "");
            }
            boolean expires = draft.index().expireAfterSeconds() != null && field.mayBeDate(rules.canonical());
            if (expires || field.isDate(rules.canonical())) {
                return Column.of(field.date(rules.canonical()));
            }
            boolean strings = field.ownKinds() == 0 || (field.ownKinds() & Kinds.STRING) != 0;
            if (!draft.index().collation().isEmpty() && strings) {
                throw new Untranslatable(
                        "indexes with a collation are not created; a B-tree on (data ->> field) with a collation of"
                                + " ICU serves such queries");
            }
            if (rules.canonical() && (field.ownKinds() & Kinds.NUMBER) != 0) {
                draft.note("equality only for " + field.path() + ": canonical Extended JSON stores numbers as text");
            }
            if ((field.ownKinds() & Kinds.DECIMAL) != 0) {
                draft.note(
                        "equality only for " + field.path()
                                + ": decimals are stored as {\"$numberDecimal\": text}, so ranges and sorting would compare text");
            }
            return Column.of(field.json());
        }

        /** The condition of a sparse index: MongoDB leaves out a document that has none of the fields. */
        private String present(List<MongoIndex.Part> parts) {
            if (parts.stream().anyMatch(part -> shapes.field(part.path()).isKey())) {
                return "";
            }
            String any = parts.stream()
                    .map(part -> shapes.field(part.path()))
                    .map(field -> field.json(
                            field.isMultikey()
                                    ? field.arrayAfter()
                                    : field.names().size()))
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
