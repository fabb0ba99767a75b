package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonType;
import io.pgstress.extra.BsonValues;
import io.pgstress.extra.oplog.BsonFields.Field;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Applies updates to documents, which are maps as {@link Json#readExact} reads them. An update is the new document if it has
 * no operators, {@code $set} and {@code $unset}, or a diff. Not thread-safe.
 */
final class Updates {
    private static final String DIFF = "a malformed $v: 2 diff";
    private static final String SECTIONS = "dui";
    /** No array in a document of the maximum size has more elements. */
    private static final int MAX_ITEMS = BsonType.MAX_DOCUMENT / 3;
    /** MongoDB's limit for the elements that an update adds to an array (path_support.cpp). */
    private static final int MAX_PADDING = 1_500_000;

    private static final int MAX_DIGITS = 9;

    private final ValueJson values;

    Updates(ValueJson values) {
        this.values = values;
    }

    /** Whether the update is the new document, so that the old one is not needed. */
    static boolean isReplacement(BsonFields update) {
        return update.find("_id") != null
                || update.list().stream().noneMatch(each -> each.name().startsWith("$"));
    }

    /**
     * The JSON of the document after the update.
     *
     * @param json the JSON of the document before
     * @throws EntryException if the update is malformed, of an unknown kind, or has values that the import would reject
     */
    String apply(String json, BsonFields update) {
        Field version = update.find("$v");
        long kind = version == null ? 1 : version.number();
        if (kind != 1 && kind != 2) {
            throw new EntryException("an unknown update", "$v is " + kind);
        }
        Map<String, Object> document = BsonValues.map(parsed(json));
        if (kind == 1) {
            modify(document, update);
        } else {
            Field changes = update.find("diff");
            if (changes == null || changes.type() != BsonType.DOCUMENT) {
                throw new EntryException(DIFF, "it has no diff");
            }
            diff(document, changes.document());
        }
        if (depth(document) > values.maxDepth()) {
            throw new EntryException("nesting deeper than the limit", "--max-depth " + values.maxDepth());
        }
        return Json.writeExact(document);
    }

    private @Nullable Object value(Field field) {
        return parsed(values.value(field));
    }

    private static @Nullable Object parsed(String json) {
        try {
            return Json.readExact(json);
        } catch (TextException e) {
            throw new EntryException("JSON that cannot be read", String.valueOf(e.getMessage()));
        }
    }

    private static int depth(@Nullable Object value) {
        Collection<?> inner =
                BsonValues.isDocument(value) ? BsonValues.map(value).values() : BsonValues.list(value);
        int deepest = inner.stream().mapToInt(Updates::depth).max().orElse(0);
        return value instanceof List<?> || BsonValues.isDocument(value) ? 1 + deepest : 0;
    }

    /** The index of an array's element; -1 if the name is not one. */
    private static int index(String name) {
        boolean digits = !name.isEmpty() && name.length() <= MAX_DIGITS;
        return digits && name.chars().allMatch(c -> c >= '0' && c <= '9') ? Integer.parseInt(name) : -1;
    }

    private static void resize(List<@Nullable Object> items, int length) {
        if (length < items.size()) {
            items.subList(length, items.size()).clear();
        }
        while (items.size() < length) {
            items.add(null);
        }
    }

    /**
     * Applies the {@code diff} of an update with {@code $v: 2}, as MongoDB's server reads it (document_diff_serialization.h and
     * document_diff_applier.cpp). A document's diff has the sections {@code d} (fields to delete), {@code u} (to set), {@code i} (to
     * insert at the end) and {@code s<field>} (the diff of a field), in this order. An array's has {@code a: true}, then perhaps
     * {@code l} (its new length), then {@code u<index>} and {@code s<index>}, ascending. Where the document is not as the diff
     * expects, because it already has later changes, the value becomes null; a later entry sets it. A section {@code b}, the change
     * of binary data, occurs only in the buckets of time series, which are not replayed.
     */
    private void diff(Map<String, Object> fields, BsonFields diff) {
        requireContent(diff);
        Set<String> seen = new HashSet<>();
        int last = -1;
        for (Field section : diff) {
            boolean sub = section.name().startsWith("s");
            int order = sub ? SECTIONS.length() : section.name().length() == 1 ? SECTIONS.indexOf(section.name()) : -1;
            if (order < last || order < 0 || (order == last && !sub)) {
                throw new EntryException(DIFF, "section " + section.name() + " is not expected");
            }
            last = order;
            if (sub) {
                String name = section.name().substring(1);
                requireNew(seen, name);
                if (fields.containsKey(name)) {
                    put(fields, name, changed(fields.get(name), section.document()));
                }
                continue;
            }
            for (Field each : section.document()) {
                requireNew(seen, each.name());
                if (section.name().equals("d")) {
                    fields.remove(each.name());
                } else {
                    put(fields, each.name(), value(each));
                }
            }
        }
    }

    @SuppressWarnings("NullAway") // the values of documents may be null, see JsonMaps
    private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
        fields.put(name, value);
    }

    private static void requireNew(Set<String> seen, String name) {
        if (!seen.add(name)) {
            throw new EntryException(DIFF, "field " + name + " occurs twice");
        }
    }

    private static void requireContent(BsonFields diff) {
        if (diff.list().isEmpty()) {
            throw new EntryException(DIFF, "it is empty");
        }
    }

    /** The value with its diff applied; null if it is of another type than the diff. */
    private @Nullable Object changed(@Nullable Object old, BsonFields diff) {
        requireContent(diff);
        if (diff.first().name().equals("a")) {
            if (!(old instanceof List<?>)) {
                return null;
            }
            diffOfArray(BsonValues.list(old), diff);
        } else {
            if (!BsonValues.isDocument(old)) {
                return null;
            }
            diff(BsonValues.map(old), diff);
        }
        return old;
    }

    private void diffOfArray(List<@Nullable Object> items, BsonFields diff) {
        if (diff.first().type() != BsonType.BOOLEAN || !diff.first().isTrue()) {
            throw new EntryException(DIFF, "a is not true");
        }
        int length = -1;
        int next = 0;
        for (int i = 1; i < diff.list().size(); i++) {
            Field each = diff.list().get(i);
            if (i == 1 && each.name().equals("l")) {
                length = checked(each.type() == BsonType.INT32 ? Long.toString(each.number()) : "");
                resize(items, length);
                continue;
            }
            int index = checked(each.name().isEmpty() ? "" : each.name().substring(1));
            if (index < next || (length >= 0 && index >= length)) {
                throw new EntryException(DIFF, "index " + index + " is out of order or beyond the length");
            }
            next = index + 1;
            boolean had = index < items.size();
            resize(items, Math.max(items.size(), next));
            items.set(
                    index,
                    switch (each.name().charAt(0)) {
                        case 'u' -> value(each);
                        case 's' -> had ? changed(items.get(index), each.document()) : null;
                        default -> throw new EntryException(DIFF, each.name() + " is not expected in an array's diff");
                    });
        }
    }

    private static int checked(String digits) {
        int value = index(digits);
        if (value < 0 || value > MAX_ITEMS) {
            throw new EntryException(DIFF, "an index or length that is not a number of elements");
        }
        return value;
    }

    /**
     * Applies {@code $set} and {@code $unset} with dotted paths, as oplogs of MongoDB up to 4.4 have them. A path that leads through
     * a value that is neither document nor array is passed over, as in MongoDB's server (modifier_node.cpp): the document already
     * has a later change.
     */
    private void modify(Map<String, Object> document, BsonFields update) {
        for (Field modifier : update) {
            switch (modifier.name()) {
                case "$v" -> {}
                case "$set" -> modifier.document().forEach(each -> set(document, names(each), value(each)));
                case "$unset" -> modifier.document().forEach(each -> unset(document, names(each)));
                default -> throw new EntryException("an unknown update", "it has " + modifier.name());
            }
        }
    }

    private static List<String> names(Field field) {
        return List.of(field.name().split("\\.", -1));
    }

    private static void set(Map<String, Object> document, List<String> path, @Nullable Object value) {
        Object parent = document;
        int at = 0;
        while (at < path.size() - 1 && has(parent, path.get(at))) {
            parent = child(parent, path.get(at++));
        }
        Object made = value;
        for (int i = path.size() - 1; i > at; i--) {
            Map<String, Object> outer = new LinkedHashMap<>();
            put(outer, path.get(i), made);
            made = outer;
        }
        int index = index(path.get(at));
        if (at == 0 || BsonValues.isDocument(parent)) {
            put(BsonValues.map(parent), path.get(at), made);
        } else if (parent instanceof List<?> && index >= 0) {
            List<@Nullable Object> items = BsonValues.list(parent);
            if (index - items.size() > MAX_PADDING) {
                throw new EntryException("a malformed update", "index " + index + " is far beyond the array's end");
            }
            resize(items, Math.max(items.size(), index + 1));
            items.set(index, made);
        }
    }

    private static void unset(Map<String, Object> document, List<String> path) {
        Object parent = document;
        for (String name : path.subList(0, path.size() - 1)) {
            if (!has(parent, name)) {
                return;
            }
            parent = child(parent, name);
        }
        String name = path.get(path.size() - 1);
        if (BsonValues.isDocument(parent)) {
            BsonValues.map(parent).remove(name);
        } else if (has(parent, name)) {
            BsonValues.list(parent).set(index(name), null);
        }
    }

    /** Whether a document has the field, or an array an element at the index. */
    private static boolean has(@Nullable Object parent, String name) {
        if (parent instanceof List<?> items) {
            return index(name) >= 0 && index(name) < items.size();
        }
        return BsonValues.isDocument(parent) && BsonValues.map(parent).containsKey(name);
    }

    private static @Nullable Object child(@Nullable Object parent, String name) {
        return parent instanceof List<?> items
                ? items.get(index(name))
                : BsonValues.map(parent).get(name);
    }
}
