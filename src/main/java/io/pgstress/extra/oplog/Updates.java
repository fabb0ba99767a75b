package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.extra.oplog.BsonFields.Field;
import io.pgstress.extra.oplog.Updates.ArrayIndex;
import io.pgstress.extra.oplog.Updates.BinaryDiff;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Applies updates to documents. An update is the new document if it has no operators, {@code $set} and {@code $unset}, or a
 * diff. Not thread-safe.
 */
public final class Updates {
    private final Diff diff;
    private final Modifiers modifiers;

    public Updates(ValueJson values) {
        this.diff = new Diff(values);
        this.modifiers = new Modifiers(values);
    }

    /** Whether the update is the new document, so that the old one is not needed. */
    public static boolean isReplacement(BsonFields update) {
        if (update.find("_id") != null) {
            return true;
        }
        for (Field each : update) {
            if (each.name().startsWith("$")) {
                return false;
            }
        }
        return true;
    }

    /**
     * The JSON of the document after the update.
     *
     * @param json the JSON of the document before
     * @throws EntryException if the update is malformed, of an unknown kind, or has values that the import would reject
     */
    public String apply(String json, BsonFields update) {
        JsonValue document = JsonValue.of(json);
        Field changes = update.find("diff");
        Field version = update.find("$v");
        if (version != null && version.number() != 1 && version.number() != 2) {
            throw new EntryException("an unknown update", "$v is " + version.number());
        }
        if (version != null && version.number() == 2) {
            if (changes == null || changes.type() != BsonType.DOCUMENT) {
                throw new EntryException("a malformed $v: 2 diff", "it has no diff");
            }
            diff.apply(document, changes.document(), 0);
        } else {
            modifiers.apply(document, update);
        }
        return document.toString();
    }

    /** Indexes of arrays as field names. */
    static final class ArrayIndex {
        private static final int MAX_DIGITS = 9;

        private ArrayIndex() {}

        /** The index; -1 if the name is not one. */
        static int of(String name) {
            boolean digits = !name.isEmpty() && name.length() <= MAX_DIGITS;
            return digits && name.chars().allMatch(c -> c >= '0' && c <= '9') ? Integer.parseInt(name) : -1;
        }
    }

    /**
     * Applies the change {@code {o: offset, d: data}} of a diff's section {@code b}: the data replace everything from the offset on.
     * MongoDB 8.0 writes it for the buckets of time series.
     */
    static final class BinaryDiff {
        private static final String KIND = "a malformed $v: 2 diff";
        private static final int HEADER = 5;

        private BinaryDiff() {}

        /** The changed value; null if the old one is no binary data of at least this length. */
        static JsonValue apply(JsonValue old, BsonFields change) {
            Field data = change.get("d");
            long offset = change.get("o").number();
            if (data.type() != BsonType.BINARY || offset < 0) {
                throw new EntryException(KIND, "the change of a binary value has no offset or data");
            }
            JsonValue binary = child(old, "$binary");
            JsonValue base64 = child(binary, "base64");
            String text = base64.toString();
            if (!text.startsWith("\"")) {
                return JsonValue.nothing();
            }
            byte[] before = Base64.getDecoder().decode(text.substring(1, text.length() - 1));
            if (offset > before.length) {
                return JsonValue.nothing();
            }
            int added = Bytes.intAt(data.bytes(), data.at());
            byte[] after = Arrays.copyOf(before, (int) offset + added);
            System.arraycopy(data.bytes(), data.at() + HEADER, after, (int) offset, added);
            Map<String, JsonValue> fields = binary.fields();
            fields.put("base64", JsonValue.of('"' + Base64.getEncoder().encodeToString(after) + '"'));
            return old;
        }

        private static JsonValue child(JsonValue of, String name) {
            JsonValue found = of.isObject() ? of.fields().get(name) : null;
            return found == null ? JsonValue.nothing() : found;
        }
    }

    /**
     * Applies the {@code diff} of an update with {@code $v: 2}, as MongoDB's server reads it (document_diff_serialization.h and
     * document_diff_applier.cpp). A document's diff has the sections {@code d} (fields to delete), {@code u} (to set), {@code i} (to
     * insert at the end), {@code b} (binary data whose end changes) and {@code s<field>} (the diff of a field), in this order. An
     * array's has {@code a: true}, then perhaps {@code l} (its new length), then {@code u<index>} and {@code s<index>}, ascending.
     * Where the document is not as the diff expects, because it already has later changes, the value becomes null; a later entry
     * sets it. Not thread-safe.
     */
    static final class Diff {
        private static final String KIND = "a malformed $v: 2 diff";
        private static final String SECTIONS = "duibs";
        /** No array in a document of the maximum size has more elements. */
        private static final int MAX_ITEMS = BsonType.MAX_DOCUMENT / 3;

        private final ValueJson values;

        Diff(ValueJson values) {
            this.values = values;
        }

        /** Changes the document, which is inside {@code depth} others. */
        void apply(JsonValue document, BsonFields diff, int depth) {
            Map<String, JsonValue> fields = document.fields();
            Set<String> seen = new HashSet<>();
            int last = -1;
            for (Field section : diff) {
                char letter = section.name().isEmpty() ? ' ' : section.name().charAt(0);
                int order = SECTIONS.indexOf(letter);
                boolean sub = letter == 's';
                if (order < 0
                        || order < last
                        || (order == last && !sub)
                        || (!sub && section.name().length() > 1)) {
                    throw new EntryException(KIND, "section " + section.name() + " is not expected");
                }
                last = order;
                if (sub) {
                    String name = section.name().substring(1);
                    requireNew(seen, name);
                    fields.computeIfPresent(name, (n, old) -> changed(old, section.document(), depth + 1));
                    continue;
                }
                for (Field each : section.document()) {
                    requireNew(seen, each.name());
                    switch (letter) {
                        case 'd' -> fields.remove(each.name());
                        case 'b' ->
                            fields.computeIfPresent(each.name(), (n, old) -> BinaryDiff.apply(old, each.document()));
                        default -> fields.put(each.name(), values.value(each, depth + 1));
                    }
                }
            }
            requireContent(diff);
        }

        private static void requireNew(Set<String> seen, String name) {
            if (!seen.add(name)) {
                throw new EntryException(KIND, "field " + name + " occurs twice");
            }
        }

        private static void requireContent(BsonFields diff) {
            if (diff.count() == 0) {
                throw new EntryException(KIND, "it is empty");
            }
        }

        /** The value with its diff applied; null if it is of another type than the diff. */
        private JsonValue changed(JsonValue old, BsonFields diff, int depth) {
            requireContent(diff);
            if (diff.first().name().equals("a")) {
                if (old.isArray()) {
                    array(old.items(), diff, depth);
                    return old;
                }
            } else if (old.isDocument()) {
                apply(old, diff, depth);
                return old;
            }
            return JsonValue.nothing();
        }

        private void array(List<JsonValue> items, BsonFields diff, int depth) {
            if (diff.first().type() != BsonType.BOOLEAN || !diff.first().isTrue()) {
                throw new EntryException(KIND, "a is not true");
            }
            int length = -1;
            int next = 0;
            int position = 0;
            for (Field each : diff) {
                if (position++ == 0) {
                    continue;
                }
                if (position == 2 && each.name().equals("l")) {
                    length = index(each.type() == BsonType.INT32 ? Long.toString(each.number()) : "");
                    resize(items, length);
                    continue;
                }
                int index = index(each.name().isEmpty() ? "" : each.name().substring(1));
                if (index < next || (length >= 0 && index >= length)) {
                    throw new EntryException(KIND, "index " + index + " is out of order or beyond the length");
                }
                next = index + 1;
                item(items, index, each, depth);
            }
        }

        private void item(List<JsonValue> items, int index, Field change, int depth) {
            boolean had = index < items.size();
            resize(items, Math.max(items.size(), index + 1));
            char letter = change.name().charAt(0);
            if (letter == 'u') {
                items.set(index, values.value(change, depth + 1));
            } else if (letter == 's') {
                BsonFields diff = change.document();
                items.set(index, had ? changed(items.get(index), diff, depth + 1) : JsonValue.nothing());
            } else {
                throw new EntryException(KIND, change.name() + " is not expected in an array's diff");
            }
        }

        private static void resize(List<JsonValue> items, int length) {
            if (length < items.size()) {
                items.subList(length, items.size()).clear();
            }
            while (items.size() < length) {
                items.add(JsonValue.nothing());
            }
        }

        private static int index(String digits) {
            int value = ArrayIndex.of(digits);
            if (value < 0 || value > MAX_ITEMS) {
                throw new EntryException(KIND, "an index or length that is not a number of elements");
            }
            return value;
        }
    }

    /**
     * Applies {@code $set} and {@code $unset} with dotted paths, as oplogs of MongoDB up to 4.4 have them. A path that leads through
     * a value that is neither document nor array is passed over, as in MongoDB's server (modifier_node.cpp): the document already
     * has a later change. Not thread-safe.
     */
    static final class Modifiers {
        /** MongoDB's limit for the elements that an update adds to an array (path_support.cpp). */
        private static final int MAX_PADDING = 1_500_000;

        private final ValueJson values;

        Modifiers(ValueJson values) {
            this.values = values;
        }

        void apply(JsonValue document, BsonFields update) {
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
}
