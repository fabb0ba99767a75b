package io.pgstress.extra.indexes;

import io.pgstress.extra.indexes.IndexPlan.Draft;
import io.pgstress.plan.TableName;
import java.util.ArrayList;
import java.util.List;

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
        this.ordinary = new OrdinaryIndexes(shapes, rules, table.schema());
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
                new WildcardIndexes(shapes).add(draft, filter);
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
        addNotes(draft, index, filter);
    }

    private void addNotes(Draft draft, MongoIndex index, String filter) {
        if (index.hidden()) {
            draft.note("hidden in MongoDB, but it keeps its values unique");
        }
        Field first = shapes.field(index.parts().get(0).path());
        if (index.expireAfterSeconds() != null && !first.isMultikey() && first.mayBeDate(rules.canonical())) {
            draft.note("rows do not expire by themselves; this deletes those that have: "
                    + deletion(first, index.expireAfterSeconds()) + (filter.isEmpty() ? "" : " and " + filter));
        } else if (index.expireAfterSeconds() != null) {
            draft.note("rows do not expire: " + first.path() + " has values that are not dates");
        }
    }

    /** The statement that does what MongoDB does in the background. */
    private String deletion(Field date, long seconds) {
        String expired = rules.canonical()
                ? "(extract(epoch from now() - interval '" + seconds + " s') * 1000)::bigint"
                : "to_char(now() at time zone 'UTC' - interval '" + seconds + " s', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS')";
        return "delete from " + table.quoted() + " where " + date.date(rules.canonical()) + " < " + expired;
    }
}
