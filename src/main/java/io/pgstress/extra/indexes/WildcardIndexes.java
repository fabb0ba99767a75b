package io.pgstress.extra.indexes;

import io.pgstress.extra.indexes.IndexPlan.Draft;
import io.pgstress.plan.sql.Quoting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Wildcard indexes: GIN on the document, or on a part of it. */
final class WildcardIndexes {
    private static final String SUFFIX = "." + MongoIndex.WILDCARD;

    private final Shapes shapes;

    WildcardIndexes(Shapes shapes) {
        this.shapes = shapes;
    }

    void add(Draft draft, String filter) {
        draft.add("", "gin", columns(draft.index()), false, filter);
        draft.note("equality (@>), but neither ranges nor sorting");
    }

    /** The fields whose contents the index has; none if it has the document, or all but some of its fields. */
    static List<String> fields(MongoIndex index) {
        for (MongoIndex.Part part : index.parts()) {
            if (part.path().endsWith(SUFFIX)) {
                return List.of(part.path().substring(0, part.path().length() - SUFFIX.length()));
            }
        }
        List<String> fields = new ArrayList<>();
        return flatten("", index.projection(), fields) ? fields : List.of();
    }

    private List<Column> columns(MongoIndex index) {
        List<String> included = fields(index);
        if (!included.isEmpty()) {
            return included.stream().map(this::contents).distinct().toList();
        }
        List<String> fields = new ArrayList<>();
        flatten("", index.projection(), fields);
        if (fields.isEmpty()) {
            return List.of(Column.contents("data"));
        }
        String rest = fields.stream().map(WildcardIndexes::without).collect(Collectors.joining());
        return List.of(Column.contents("data" + rest));
    }

    /** The contents of a field, or those of the array that it is in. */
    private Column contents(String path) {
        Field field = shapes.field(path);
        return Column.contents(field.isInElements() ? field.json(field.arrayAfter()) : field.json());
    }

    private static String without(String path) {
        List<String> names = Field.names(path);
        if (names.size() == 1) {
            return " - " + Quoting.literal(path);
        }
        String array = names.stream().map(Quoting::element).collect(Collectors.joining(",", "{", "}"));
        return " #- " + Quoting.literal(array);
    }

    /** Adds the paths of a projection, except {@code _id}; returns whether it includes them. */
    private static boolean flatten(String prefix, Map<String, Object> projection, List<String> into) {
        boolean includes = false;
        for (Map.Entry<String, Object> each : projection.entrySet()) {
            String path = prefix + each.getKey();
            if (MetadataValues.isDocument(each.getValue())) {
                includes |= flatten(path + ".", MetadataValues.document(each.getValue()), into);
            } else if (!path.equals("_id")) {
                into.add(path);
                includes |= MetadataValues.isTrue(each.getValue());
            }
        }
        return includes;
    }
}
