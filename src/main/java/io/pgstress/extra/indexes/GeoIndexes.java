package io.pgstress.extra.indexes;

import io.pgstress.extra.indexes.IndexPlan.Draft;
import java.util.List;

/** Indexes on places: GiST on points of a plane. */
final class GeoIndexes {
    static final String PLANE = "2d";
    static final String SPHERE = "2dsphere";

    private final Shapes shapes;
    private final IndexRules rules;

    GeoIndexes(Shapes shapes, IndexRules rules) {
        this.shapes = shapes;
        this.rules = rules;
    }

    void add(Draft draft, MongoIndex.Part part, String filter) throws Untranslatable {
        Field field = shapes.field(part.path());
        int kinds = field.ownKinds();
        boolean inElements = field.isInElements();
        if (inElements || rules.canonical()) {
            throw new Untranslatable(
                    inElements
                            ? "an index on several places of a document (" + part.path() + ")"
                            : "coordinates in canonical Extended JSON are text");
        }
        boolean sphere = part.kind().equals(SPHERE);
        if (!sphere && (kinds & Kinds.DOCUMENT) != 0) {
            throw new Untranslatable("coordinates in a document instead of an array: jsonb does not keep their order");
        }
        boolean pairs = (kinds & Kinds.ARRAY) != 0 || !sphere;
        boolean geoJson = sphere && ((kinds & Kinds.DOCUMENT) != 0 || !pairs);
        String json = field.json();
        String point = "case"
                + (geoJson
                        ? " when " + field.json() + " ->> 'type' = 'Point' then " + of(json + " -> 'coordinates'")
                        : "")
                + (pairs ? " when jsonb_typeof(" + json + " -> 0) = 'number' then " + of(json) : "") + " end";
        draft.add("", "gist", List.of(Column.of(point)), false, filter);
        if (sphere) {
            draft.note(
                    "points only, in degrees on a plane: boxes and nearest neighbors; for distances on the sphere and"
                            + " other shapes use PostGIS");
        }
        if (draft.index().unique()) {
            draft.note("not unique: GiST keeps no points unique");
        }
    }

    private static String of(String pair) {
        return "point((" + pair + " ->> 0)::float8, (" + pair + " ->> 1)::float8)";
    }
}
