package io.pgstress.extra.suggest;

import io.pgstress.extra.BsonValues;
import io.pgstress.extra.Untranslatable;
import io.pgstress.extra.suggest.Filter.Condition;
import io.pgstress.extra.suggest.Shape.Change;
import io.pgstress.extra.suggest.Shape.Change.Kind;
import io.pgstress.extra.suggest.Shape.Change.Made;
import io.pgstress.extra.suggest.Shape.Projection;
import io.pgstress.extra.suggest.Shape.SortKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the shape of an operation from its command, as the profiler of MongoDB 4.4 to 8.0 records it. */
final class ShapeReader {
    /** More documents of one insertion are not translated, because all of them are parameters. */
    private static final int MAX_DOCUMENTS = 1_024;

    /** More values that an update adds to an array are not drawn. */
    private static final int MAX_VALUES = 16;

    private ShapeReader() {}

    /**
     * The shape of a command.
     *
     * @param op the kind of operation in the profile: {@code query}, {@code update}, {@code remove}, {@code insert}, {@code
     *     command}
     * @param inserted number of inserted documents, which the command may not contain
     * @throws Untranslatable if there is none
     */
    public static Shape read(String op, Map<String, Object> command, int inserted) {
        if (command.containsKey("$truncated")) {
            throw new Untranslatable("the profiler truncated the command");
        }
        refuseCollation(command);
        if (command.containsKey("q")) {
            return op.equals("remove") ? delete(command) : update(command);
        }
        return switch (BsonValues.first(command)) {
            case "find" -> find(command);
            case "count" -> new Shape.Count(filter(command.get("query")), BsonValues.whole(command.get("limit")));
            case "distinct" -> new Shape.Distinct(filter(command.get("query")), BsonValues.text(command.get("key")));
            case "aggregate" -> PipelineReader.read(BsonValues.list(command.get("pipeline")));
            case "findAndModify", "findandmodify" -> findAndModify(command);
            case "update" -> update(single(command.get("updates")));
            case "delete" -> delete(single(command.get("deletes")));
            case "insert" ->
                new Shape.Insert(Condition.rounded(Math.min(
                        MAX_DOCUMENTS,
                        Math.max(
                                inserted,
                                BsonValues.list(command.get("documents")).size()))));
            default -> throw new Untranslatable("the command " + BsonValues.first(command));
        };
    }

    private static Map<String, Object> single(@Nullable Object statements) {
        List<@Nullable Object> list = BsonValues.list(statements);
        if (list.size() != 1) {
            throw new Untranslatable("a command with " + list.size() + " statements");
        }
        return BsonValues.map(list.get(0));
    }

    private static Filter filter(@Nullable Object query) {
        return FilterReader.read(BsonValues.map(query));
    }

    private static Shape find(Map<String, Object> command) {
        int limit = Math.abs(BsonValues.whole(command.get("limit")));
        if (limit == 0 && BsonValues.isTrue(command.get("singleBatch"))) {
            limit = Math.abs(BsonValues.whole(command.get("batchSize")));
        }
        return new Shape.Find(
                filter(command.get("filter")),
                SortKey.read(command.get("sort")),
                limit,
                skip(command.get("skip")),
                Projection.read(command.get("projection")));
    }

    static int skip(@Nullable Object rows) {
        return BsonValues.whole(rows) > 0 ? Condition.rounded(BsonValues.whole(rows)) : 0;
    }

    private static void refuseCollation(Map<String, Object> command) {
        if (!BsonValues.map(command.get("collation")).isEmpty()) {
            throw new Untranslatable("a collation");
        }
    }

    private static Shape update(Map<String, Object> command) {
        refuseCollation(command);
        boolean many = BsonValues.isTrue(command.get("multi"));
        return update(command, filter(command.get("q")), command.get("u"), many, List.of());
    }

    private static Shape update(
            Map<String, Object> command, Filter filter, @Nullable Object update, boolean many, List<SortKey> sort) {
        boolean replaces =
                update instanceof Map<?, ?> && !BsonValues.first(update).startsWith("$");
        List<Change> changes = replaces ? List.of() : changes(update);
        return new Shape.Update(filter, changes, many, BsonValues.isTrue(command.get("upsert")), sort);
    }

    private static Shape delete(Map<String, Object> command) {
        refuseCollation(command);
        return new Shape.Delete(filter(command.get("q")), BsonValues.whole(command.get("limit")) != 1, List.of());
    }

    private static Shape findAndModify(Map<String, Object> command) {
        Filter filter = filter(command.get("query"));
        List<SortKey> sort = SortKey.read(command.get("sort"));
        return BsonValues.isTrue(command.get("remove"))
                ? new Shape.Delete(filter, false, sort)
                : update(command, filter, command.get("update"), false, sort);
    }

    /** The changes of an update, in the order of their paths. Throws {@link Untranslatable}. */
    private static List<Change> changes(@Nullable Object update) {
        if (!(update instanceof Map<?, ?>)) {
            throw new Untranslatable("an update with an aggregation pipeline");
        }
        List<Change> changes = new ArrayList<>();
        BsonValues.map(update).forEach((operator, fields) -> {
            if (!operator.equals("$setOnInsert") && !operator.equals("$v")) {
                BsonValues.map(fields).forEach((path, value) -> changes.add(change(operator, path, value)));
            }
        });
        changes.sort(Comparator.comparing(Change::path));
        checkPaths(changes);
        return List.copyOf(changes);
    }

    private static void checkPaths(List<Change> changes) {
        for (Change change : changes) {
            if (change.path().equals("_id")) {
                throw new Untranslatable("an update of the _id");
            }
            for (String key : change.path().split("\\.", -1)) {
                if (key.startsWith("$")) {
                    throw new Untranslatable("an update of the array elements that the filter finds ($ in a path)");
                }
            }
        }
    }

    private static Change change(String operator, String path, @Nullable Object value) {
        return switch (operator) {
            case "$set" -> BsonValues.kind(value).equals("date") ? plain(path, Kind.NOW) : one(path, Kind.SET, value);
            case "$currentDate" -> plain(path, Kind.NOW);
            case "$inc" -> plain(path, BsonValues.isNegative(value) ? Kind.SUBTRACT : Kind.ADD);
            case "$mul" -> plain(path, Kind.MULTIPLY);
            case "$min" -> one(path, Kind.MIN, value);
            case "$max" -> one(path, Kind.MAX, value);
            case "$unset" -> plain(path, Kind.UNSET);
            case "$push" -> several(path, Kind.PUSH, value);
            case "$addToSet" -> several(path, Kind.ADD_TO_SET, value);
            case "$pull" -> pull(path, value);
            case "$pop" -> plain(path, BsonValues.isNegative(value) ? Kind.POP_FIRST : Kind.POP_LAST);
            default -> throw new Untranslatable(operator);
        };
    }

    private static Change plain(String path, Kind kind) {
        return new Change(path, kind, Made.NOTHING, 1);
    }

    private static Change one(String path, Kind kind, @Nullable Object value) {
        return new Change(path, kind, Made.of(value), 1);
    }

    private static Change several(String path, Kind kind, @Nullable Object value) {
        Map<String, Object> modifiers = BsonValues.isOperators(value) ? BsonValues.map(value) : Map.of();
        if (modifiers.isEmpty()) {
            return one(path, kind, value);
        }
        modifiers.keySet().stream()
                .filter(name -> !name.equals("$each"))
                .findFirst()
                .ifPresent(name -> {
                    throw new Untranslatable("$push with " + name);
                });
        List<@Nullable Object> each = BsonValues.list(modifiers.get("$each"));
        if (each.isEmpty()) {
            throw new Untranslatable("an empty $each");
        }
        return new Change(path, kind, Made.of(each.get(0)), Math.min(MAX_VALUES, Condition.rounded(each.size())));
    }

    private static Change pull(String path, @Nullable Object value) {
        if (value instanceof Map<?, ?> && BsonValues.kind(value).equals("object")) {
            throw new Untranslatable("$pull with a condition");
        }
        return one(path, Kind.PULL, value);
    }

    /**
     * Reads aggregation pipelines that begin with {@code $match}, {@code $sort}, {@code $skip}, {@code $limit} and {@code $project},
     * and may end with one {@code $group} or {@code $count}. Single use.
     */
    static final class PipelineReader {
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
                    totals.add(
                            total(BsonValues.first(value), BsonValues.map(value).get(BsonValues.first(value))));
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
}
