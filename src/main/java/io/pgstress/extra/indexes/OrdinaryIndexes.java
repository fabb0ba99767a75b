package io.pgstress.extra.indexes;

import io.pgstress.extra.indexes.IndexPlan.Draft;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Indexes with ordered or hashed fields: a B-tree or a hash index on the values, and for fields in arrays GIN. A B-tree that
 * is unique ignores missing values, so a second one enforces what MongoDB does: a missing field counts as null.
 */
final class OrdinaryIndexes {
    private static final String REST = "_rest";

    private final Shapes shapes;
    private final IndexRules rules;
    private final String schema;

    OrdinaryIndexes(Shapes shapes, IndexRules rules, String schema) {
        this.shapes = shapes;
        this.rules = rules;
        this.schema = schema;
    }

    /** Adds what serves an index of such fields. */
    void add(Draft draft, String filter) throws Untranslatable {
        List<MongoIndex.Part> parts = draft.index().fieldParts();
        List<MongoIndex.Part> scalars = new ArrayList<>();
        Map<String, Field> arrays = divide(parts, scalars);
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

    /** Adds what serves the ordered fields of another kind of index. */
    void rest(Draft draft, List<MongoIndex.Part> parts, String where) throws Untranslatable {
        List<MongoIndex.Part> scalars = new ArrayList<>();
        Map<String, Field> arrays = divide(parts, scalars);
        arrays(draft, arrays.values(), where);
        scalarsOfRest(draft, scalars, where);
    }

    private static void arrays(Draft draft, Collection<Field> arrays, String where) {
        int number = 1;
        for (Field field : arrays) {
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
    private Map<String, Field> divide(List<MongoIndex.Part> parts, List<MongoIndex.Part> scalars) {
        Map<String, Field> arrays = new LinkedHashMap<>();
        for (MongoIndex.Part part : parts) {
            Field field = shapes.field(part.path());
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
        Field first = shapes.field(index.parts().get(0).path());
        return index.sparse()
                && columns.size() == 1
                && columns.get(0).value().equals(Column.of(first.json()).value());
    }

    /** Adds an index that lets one row at most lack the same fields or have null in them. */
    private void missing(Draft draft, List<MongoIndex.Part> parts, String where) {
        List<Field> fields =
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

    private Column column(Draft draft, Field field) throws Untranslatable {
        if (field.isKey()) {
            return new Column("_id", "");
        }
        boolean expires = draft.index().expireAfterSeconds() != null && field.mayBeDate(rules.canonical());
        if (expires || field.isDate(rules.canonical())) {
            return Column.of(field.date(rules.canonical()));
        }
        boolean strings = field.ownKinds() == 0 || (field.ownKinds() & Kinds.STRING) != 0;
        if (!draft.index().collation().isEmpty() && strings) {
            IcuCollation collation = IcuCollation.of(draft.index().collation(), schema, rules);
            draft.collation(collation.create());
            return Column.of("(" + field.text() + ") collate " + collation.sql());
        }
        if (rules.canonical() && (field.ownKinds() & Kinds.NUMBER) != 0) {
            draft.note("equality only for " + field.path() + ": canonical Extended JSON stores numbers as text");
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
                        field.isMultikey() ? field.arrayAfter() : field.names().size()))
                .distinct()
                .map(json -> json + " is not null")
                .collect(Collectors.joining(" or "));
        return any.contains(" or ") ? "(" + any + ")" : any;
    }

    private static String and(String one, String other) {
        return one.isEmpty() ? other : other.isEmpty() ? one : one + " and " + other;
    }
}
