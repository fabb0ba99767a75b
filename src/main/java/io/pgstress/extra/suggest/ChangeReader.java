package io.pgstress.extra.suggest;

import io.pgstress.extra.suggest.Change.Kind;
import io.pgstress.extra.suggest.Change.Made;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the update part of an update. Throws {@link Untranslatable}. */
final class ChangeReader {
    private static final int MAX_VALUES = 16;

    private ChangeReader() {}

    /** Whether the update replaces the whole document. */
    static boolean replaces(@Nullable Object update) {
        return update instanceof Map<?, ?> && !BsonValues.first(update).startsWith("$");
    }

    /** The changes, in the order of their paths. */
    static List<Change> read(@Nullable Object update) {
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
            case "$inc" -> plain(path, BsonValues.number(value) < 0 ? Kind.SUBTRACT : Kind.ADD);
            case "$mul" -> plain(path, Kind.MULTIPLY);
            case "$min" -> one(path, Kind.MIN, value);
            case "$max" -> one(path, Kind.MAX, value);
            case "$unset" -> plain(path, Kind.UNSET);
            case "$push" -> several(path, Kind.PUSH, value);
            case "$addToSet" -> several(path, Kind.ADD_TO_SET, value);
            case "$pull" -> pull(path, value);
            case "$pop" -> plain(path, BsonValues.number(value) < 0 ? Kind.POP_FIRST : Kind.POP_LAST);
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
}
