package io.pgstress.extra.indexes;

import io.pgstress.extra.indexes.IndexPlan.Draft;
import io.pgstress.plan.sql.Quoting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Text indexes: GIN on the words of the fields, with MongoDB's weights as the ranks A to D. */
final class TextIndexes {
    private static final String RANKS = "ABCD";

    /** The short names that MongoDB accepts; both know the same languages. */
    private static final Map<String, String> SHORT = Map.ofEntries(
            Map.entry("da", "danish"),
            Map.entry("nl", "dutch"),
            Map.entry("en", "english"),
            Map.entry("fi", "finnish"),
            Map.entry("fr", "french"),
            Map.entry("de", "german"),
            Map.entry("hu", "hungarian"),
            Map.entry("it", "italian"),
            Map.entry("nb", "norwegian"),
            Map.entry("pt", "portuguese"),
            Map.entry("ro", "romanian"),
            Map.entry("ru", "russian"),
            Map.entry("es", "spanish"),
            Map.entry("sv", "swedish"),
            Map.entry("tr", "turkish"),
            Map.entry("none", "simple"));

    private final Shapes shapes;
    private final IndexRules rules;

    TextIndexes(Shapes shapes, IndexRules rules) {
        this.shapes = shapes;
        this.rules = rules;
    }

    void add(Draft draft, String filter) throws Untranslatable {
        String language = draft.index().language().toLowerCase(Locale.ROOT);
        String words = SHORT.getOrDefault(language, language);
        if (!SHORT.containsValue(words)) {
            throw new Untranslatable("the server has no text search configuration for " + language);
        }
        List<Double> ranks = draft.index().weights().values().stream()
                .distinct()
                .sorted(Comparator.reverseOrder())
                .toList();
        List<String> each = new ArrayList<>();
        for (Map.Entry<String, Double> field : draft.index().weights().entrySet()) {
            String vector = vector(words, field.getKey());
            char rank = RANKS.charAt(Math.min(ranks.indexOf(field.getValue()), RANKS.length() - 1));
            each.add(ranks.size() > 1 ? "setweight(" + vector + ", '" + rank + "')" : vector);
        }
        if (each.isEmpty()) {
            throw new Untranslatable("its metadata name no fields (weights)");
        }
        String all = each.stream().collect(Collectors.joining(" || "));
        draft.add("", "gin", List.of(Column.of(all)), false, filter);
        if (ranks.size() > RANKS.length()) {
            draft.note("the server has four weights: the lower ones share D");
        }
    }

    private String vector(String words, String path) {
        if (path.equals(MongoIndex.WILDCARD)) {
            return "to_tsvector('" + words + "', data)";
        }
        return "coalesce(to_tsvector('" + words + "', " + strings(shapes.field(path)) + "), ''::tsvector)";
    }

    /** The jsonb whose strings are indexed; behind an array, those of this name in its elements. */
    private String strings(Field field) {
        if (!field.isInElements()) {
            return field.json();
        }
        return rules.hasJsonPath()
                ? "jsonb_path_query_array(data, " + Quoting.literal(jsonPath(field)) + ")"
                : field.json(field.arrayAfter());
    }

    private static String jsonPath(Field field) {
        return field.names().stream().map(Quoting::element).collect(Collectors.joining(".", "$.", ""));
    }
}
