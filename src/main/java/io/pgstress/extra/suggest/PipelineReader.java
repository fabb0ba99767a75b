package io.pgstress.extra.suggest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads aggregation pipelines that begin with {@code $match}, {@code $sort}, {@code $skip}, {@code $limit} and {@code $project},
 * and may end with one {@code $group} or {@code $count}. Single use.
 */
final class PipelineReader {
    /** Stages that order or shape the groups. */
    private static final Set<String> AFTER_GROUP = Set.of("$sort", "$limit", "$project");

    /** Stages that would need the fields that a projection computes. */
    private static final Set<String> NEED_FIELDS = Set.of("$match", "$sort", "$group");

    private final List<Filter> filters = new ArrayList<>();
    private List<SortKey> sort = List.of();
    private int limit;
    private int skip;
    private Projection projection = Projection.WHOLE;
    private Shape.@Nullable Group group;
    private boolean counts;

    private PipelineReader() {}

    /** The shape of the pipeline; throws {@link Untranslatable}. */
    static Shape read(List<@Nullable Object> pipeline) {
        PipelineReader reader = new PipelineReader();
        for (Object stage : pipeline) {
            reader.stage(BsonValues.first(stage), BsonValues.map(stage).get(BsonValues.first(stage)));
        }
        return reader.shape();
    }

    private Shape shape() {
        Filter filter = Filter.all(filters);
        if (counts) {
            return new Shape.Count(filter, limit);
        }
        Shape.Group grouped = group;
        return grouped == null
                ? new Shape.Find(filter, sort, limit, skip, projection)
                : new Shape.Group(filter, grouped.keys(), grouped.totals(), grouped.limit());
    }

    private void stage(String name, @Nullable Object value) {
        if (counts || (group != null && !AFTER_GROUP.contains(name))) {
            throw new Untranslatable(name + " after $group or $count");
        }
        if (projection.hasExpressions() && NEED_FIELDS.contains(name)) {
            throw new Untranslatable(name + " after a $project with expressions");
        }
        switch (name) {
            case "$match" -> match(value);
            case "$sort" -> sort(value);
            case "$skip" -> skip(value);
            case "$limit" -> limit(BsonValues.whole(value));
            case "$project" -> projection = group == null ? Projection.read(value) : projection;
            case "$unset" -> projection = new Projection(List.of(), names(value), false);
            case "$count" -> counts = true;
            case "$group" -> group(BsonValues.map(value));
            default -> throw new Untranslatable("the stage " + name);
        }
    }

    private void match(@Nullable Object value) {
        if (limit > 0 || skip > 0) {
            throw new Untranslatable("$match after $limit or $skip");
        }
        filters.add(FilterReader.read(BsonValues.map(value)));
    }

    private void sort(@Nullable Object value) {
        if (group == null && (limit > 0 || skip > 0)) {
            throw new Untranslatable("$sort after $limit or $skip");
        }
        if (group == null) {
            sort = SortKey.read(value);
        }
    }

    private void skip(@Nullable Object value) {
        if (limit > 0 || skip > 0) {
            throw new Untranslatable("$skip after $limit or $skip");
        }
        skip = ShapeReader.skip(value);
    }

    private void limit(int rows) {
        Shape.Group grouped = group;
        if (grouped == null) {
            limit = limit == 0 ? rows : Math.min(limit, rows);
        } else {
            group = new Shape.Group(grouped.filter(), grouped.keys(), grouped.totals(), rows);
        }
    }

    private static List<String> names(@Nullable Object value) {
        return value instanceof String name
                ? List.of(name)
                : BsonValues.list(value).stream().map(BsonValues::text).toList();
    }

    private void group(Map<String, Object> stage) {
        if (limit > 0 || skip > 0) {
            throw new Untranslatable("$group after $limit or $skip");
        }
        List<Shape.Total> totals = new ArrayList<>();
        stage.forEach((name, value) -> {
            if (!name.equals("_id")) {
                totals.add(total(BsonValues.first(value), BsonValues.map(value).get(BsonValues.first(value))));
            }
        });
        group = new Shape.Group(
                Filter.everything(),
                keys(stage.get("_id")),
                totals.stream().distinct().toList(),
                0);
    }

    private static List<String> keys(@Nullable Object id) {
        if (id == null) {
            return List.of();
        }
        List<@Nullable Object> parts = BsonValues.kind(id).equals("object") && !BsonValues.isOperators(id)
                ? new ArrayList<>(BsonValues.map(id).values())
                : List.of(id);
        return parts.stream()
                .map(part -> field(part, "$group by an expression"))
                .toList();
    }

    private static Shape.Total total(String accumulator, @Nullable Object value) {
        boolean isCount = accumulator.equals("$count")
                || (accumulator.equals("$sum") && BsonValues.kind(value).equals("number"));
        if (isCount) {
            return new Shape.Total("count", "");
        }
        return switch (accumulator) {
            case "$sum", "$avg", "$min", "$max" ->
                new Shape.Total(accumulator.substring(1), field(value, accumulator + " of an expression"));
            default -> throw new Untranslatable("the accumulator " + accumulator);
        };
    }

    private static String field(@Nullable Object value, String otherwise) {
        String text = BsonValues.text(value);
        if (!text.startsWith("$") || text.startsWith("$$")) {
            throw new Untranslatable(otherwise);
        }
        return text.substring(1);
    }
}
