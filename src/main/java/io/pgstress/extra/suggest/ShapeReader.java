package io.pgstress.extra.suggest;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the shape of an operation from its command, as the profiler of MongoDB 4.4 to 8.0 records it. */
public final class ShapeReader {
    /** More documents of one insertion are not translated, because all of them are parameters. */
    private static final int MAX_DOCUMENTS = 1_024;

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
        Object update = command.get("u");
        return new Shape.Update(
                filter(command.get("q")),
                ChangeReader.replaces(update) ? List.of() : ChangeReader.read(update),
                BsonValues.isTrue(command.get("multi")),
                BsonValues.isTrue(command.get("upsert")),
                List.of());
    }

    private static Shape delete(Map<String, Object> command) {
        refuseCollation(command);
        return new Shape.Delete(filter(command.get("q")), BsonValues.whole(command.get("limit")) != 1, List.of());
    }

    private static Shape findAndModify(Map<String, Object> command) {
        Filter filter = filter(command.get("query"));
        List<SortKey> sort = SortKey.read(command.get("sort"));
        if (BsonValues.isTrue(command.get("remove"))) {
            return new Shape.Delete(filter, false, sort);
        }
        Object update = command.get("update");
        return new Shape.Update(
                filter,
                ChangeReader.replaces(update) ? List.of() : ChangeReader.read(update),
                false,
                BsonValues.isTrue(command.get("upsert")),
                sort);
    }
}
