package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonType;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Applies the {@code diff} of an update with {@code $v: 2}, as MongoDB's server reads it (document_diff_serialization.h and
 * document_diff_applier.cpp). A document's diff has the sections {@code d} (fields to delete), {@code u} (to set), {@code i} (to
 * insert at the end), {@code b} (binary data whose end changes) and {@code s<field>} (the diff of a field), in this order. An
 * array's has {@code a: true}, then perhaps {@code l} (its new length), then {@code u<index>} and {@code s<index>}, ascending.
 * Where the document is not as the diff expects, because it already has later changes, the value becomes null; a later entry
 * sets it. Not thread-safe.
 */
final class Diff {
    private static final String KIND = "a malformed $v: 2 diff";
    private static final String SECTIONS = "duibs";
    /** No array in a document of the maximum size has more elements. */
    private static final int MAX_ITEMS = BsonType.MAX_DOCUMENT / 3;

    private final ValueJson values;

    Diff(ValueJson values) {
        this.values = values;
    }

    /** Changes the document, which is inside {@code depth} others. */
    void apply(JsonValue document, Fields diff, int depth) {
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

    private static void requireContent(Fields diff) {
        if (diff.count() == 0) {
            throw new EntryException(KIND, "it is empty");
        }
    }

    /** The value with its diff applied; null if it is of another type than the diff. */
    private JsonValue changed(JsonValue old, Fields diff, int depth) {
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

    private void array(List<JsonValue> items, Fields diff, int depth) {
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
            Fields diff = change.document();
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
