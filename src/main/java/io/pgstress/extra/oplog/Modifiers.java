package io.pgstress.extra.oplog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies {@code $set} and {@code $unset} with dotted paths, as oplogs of MongoDB up to 4.4 have them. A path that leads through
 * a value that is neither document nor array is passed over, as in MongoDB's server (modifier_node.cpp): the document already
 * has a later change. Not thread-safe.
 */
final class Modifiers {
    /** MongoDB's limit for the elements that an update adds to an array (path_support.cpp). */
    private static final int MAX_PADDING = 1_500_000;

    private final ValueJson values;

    Modifiers(ValueJson values) {
        this.values = values;
    }

    void apply(JsonValue document, Fields update) {
        for (Field modifier : update) {
            switch (modifier.name()) {
                case "$v" -> {}
                case "$set" -> modifier.document().forEach(each -> set(document, each));
                case "$unset" -> modifier.document().forEach(each -> unset(document, path(each)));
                default -> throw new EntryException("an unknown update", "it has " + modifier.name());
            }
        }
    }

    private static List<String> path(Field field) {
        return List.of(field.name().split("\\.", -1));
    }

    private void set(JsonValue document, Field field) {
        List<String> path = path(field);
        JsonValue value = values.value(field, path.size());
        JsonValue parent = document;
        for (int i = 0; i < path.size(); i++) {
            boolean last = i == path.size() - 1;
            JsonValue child = i > 0 && !isContainer(parent) ? null : child(parent, path.get(i));
            if (last || child == null) {
                put(parent, i == 0, path.get(i), last ? value : nested(path.subList(i + 1, path.size()), value));
                return;
            }
            parent = child;
        }
    }

    private static boolean isContainer(JsonValue value) {
        return value.isDocument() || value.isArray();
    }

    /** The value of a field or at an index; null if there is none. */
    private static @Nullable JsonValue child(JsonValue of, String name) {
        if (!of.isArray()) {
            return of.fields().get(name);
        }
        int index = ArrayIndex.of(name);
        return index >= 0 && index < of.items().size() ? of.items().get(index) : null;
    }

    private static JsonValue nested(List<String> path, JsonValue value) {
        JsonValue made = value;
        for (int i = path.size() - 1; i >= 0; i--) {
            JsonValue outer = JsonValue.emptyObject();
            outer.fields().put(path.get(i), made);
            made = outer;
        }
        return made;
    }

    private static void put(JsonValue parent, boolean root, String name, JsonValue value) {
        if (root || parent.isDocument()) {
            parent.fields().put(name, value);
        } else if (parent.isArray() && ArrayIndex.of(name) >= 0) {
            int index = ArrayIndex.of(name);
            List<JsonValue> items = parent.items();
            if (index - items.size() > MAX_PADDING) {
                throw new EntryException("a malformed update", "index " + index + " is far beyond the array's end");
            }
            while (items.size() <= index) {
                items.add(JsonValue.nothing());
            }
            items.set(index, value);
        }
    }

    private static void unset(JsonValue document, List<String> path) {
        JsonValue parent = document;
        for (int i = 0; i < path.size() - 1; i++) {
            JsonValue child = child(parent, path.get(i));
            if (child == null || !isContainer(child)) {
                return;
            }
            parent = child;
        }
        String name = path.get(path.size() - 1);
        if (!parent.isArray()) {
            parent.fields().remove(name);
        } else if (child(parent, name) != null) {
            parent.items().set(ArrayIndex.of(name), JsonValue.nothing());
        }
    }
}
