package io.pgstress.importer.index;

import io.pgstress.importer.index.IndexPlan.Draft;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Wildcard indexes: GIN on the document, or on a part of it. */
final class WildcardIndexes {
    private static final String SUFFIX = "." + MongoIndex.WILDCARD;

    private WildcardIndexes() {}

    static void add(Draft draft, MongoIndex.Part wildcard, String filter) {
        draft.add("", "gin", columns(draft.index(), wildcard.path()), false, filter);
        draft.note("equality (@>), but neither ranges nor sorting");
    }

    private static List<Column> columns(MongoIndex index, String path) {
        if (path.endsWith(SUFFIX)) {
            return List.of(
                    Column.contents(Field.json(Field.names(path.substring(0, path.length() - SUFFIX.length())))));
        }
        List<String> fields = new ArrayList<>();
        boolean includes = flatten("", index.projection(), fields);
        if (fields.isEmpty()) {
            return List.of(Column.contents("data"));
        }
        if (includes) {
            return fields.stream()
                    .map(each -> Column.contents(Field.json(Field.names(each))))
                    .toList();
        }
        String rest = fields.stream().map(WildcardIndexes::without).collect(Collectors.joining());
        return List.of(Column.contents("data" + rest));
    }

    private static String without(String path) {
        List<String> names = Field.names(path);
        if (names.size() == 1) {
            return " - " + Sql.literal(path);
        }
        String array = names.stream()
                .map(name -> "\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining(",", "{", "}"));
        return " #- " + Sql.literal(array);
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
