package io.pgstress.importer.index;

import io.pgstress.importer.index.IndexPlan.Draft;
import java.util.ArrayList;
import java.util.List;

/** Finds for each index of a collection what serves the same queries on {@code data jsonb}. See docs/indexes.md. */
public final class IndexPlanner {
    private final Shapes shapes;
    private final IndexRules rules;
    private final OrdinaryIndexes ordinary;

    /** @param schema the table's schema; an empty string: that of the search path */
    public IndexPlanner(CollectionIndexes collection, IndexRules rules, String schema) {
        this.shapes = collection.shapes();
        this.rules = rules;
        this.ordinary = new OrdinaryIndexes(shapes, rules, schema);
    }

    public IndexPlan plan(MongoIndex index) {
        Draft draft = new Draft(index);
        try {
            if (index.isOnKey()) {
                throw new Untranslatable("the primary key serves it");
            }
            if (index.hidden() && !index.unique()) {
                throw new Untranslatable("hidden: MongoDB's planner does not use it");
            }
            add(draft, index);
        } catch (Untranslatable e) {
            return new IndexPlan(index, List.of(), List.of(), List.of(e.reason()));
        }
        return draft.plan();
    }

    private void add(Draft draft, MongoIndex index) throws Untranslatable {
        String filter = index.filter().isEmpty()
                ? ""
                : new PartialFilter(shapes, rules.canonical(), index.unique()).condition(index.filter());
        List<MongoIndex.Part> rest = new ArrayList<>();
        boolean special = index.isText();
        if (special) {
            new TextIndexes(shapes, rules).add(draft, filter);
        }
        for (MongoIndex.Part part : index.fieldParts()) {
            if (part.isWildcard()) {
                special = true;
                WildcardIndexes.add(draft, part, filter);
            } else if (part.kind().equals(GeoIndexes.SPHERE) || part.kind().equals(GeoIndexes.PLANE)) {
                special = true;
                new GeoIndexes(shapes, rules).add(draft, part, filter);
            } else if (part.isOrdered() || part.kind().equals(MongoIndex.HASHED)) {
                rest.add(part);
            } else {
                throw new Untranslatable("its type, " + part.kind() + ", has no counterpart");
            }
        }
        if (special) {
            ordinary.rest(draft, rest, filter);
        } else {
            ordinary.add(draft, filter);
        }
        addNotes(draft, index);
    }

    private void addNotes(Draft draft, MongoIndex index) {
        if (index.hidden()) {
            draft.note("hidden in MongoDB, but it keeps its values unique");
        }
        Field first = shapes.field(index.parts().get(0).path());
        if (index.expireAfterSeconds() != null && !first.isMultikey() && first.mayBeDate(rules.canonical())) {
            draft.note("rows do not expire by themselves; see docs/indexes.md for the statement that deletes them");
        } else if (index.expireAfterSeconds() != null) {
            draft.note("rows do not expire: " + first.path() + " has values that are not dates");
        }
    }
}
