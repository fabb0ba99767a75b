package io.pgstress.importer;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Documents;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes an oplog as a server does, one second after the other. Documents are maps; their values are null, Boolean, Integer,
 * Long, Double, String, Instant, {@link Blob}, {@link Oid}, maps and lists. The diffs follow the documented format, and share no code
 * with what applies them.
 */
public final class OplogWriter {
    /** An ObjectId. */
    record Oid(int seconds, long rest) {}

    /** Binary data of two bytes. */
    record Blob(int first) {}

    static final int FIRST_SECOND = 1_700_000_000;

    private final ByteSink sink = new ByteSink(1 << 16);
    private final BsonWriter writer = new BsonWriter(sink);
    private int second = FIRST_SECOND;

    public byte[] bytes() {
        return sink.toByteArray();
    }

    /** An entry: {@code more} writes the fields that only some have. */
    void entry(String op, String namespace, Consumer<BsonWriter> more) {
        writer.document();
        more.accept(writer);
        operation(op, namespace);
        time("ts", second++);
        writer.int64("t", 1).int32("v", 2).date("wall", second * 1_000L).end();
    }

    /** The fields of an operation other than {@code o} and {@code o2}. */
    void operation(String op, String namespace) {
        writer.string("op", op).string("ns", namespace);
    }

    private void time(String name, int seconds) {
        int at = sink.length();
        writer.int64(name, (long) seconds << Integer.SIZE | 1);
        sink.array()[at] = BsonType.TIMESTAMP;
    }

    public void insert(String namespace, Map<String, Object> document) {
        entry("i", namespace, w -> value(w, "o", document));
    }

    void delete(String namespace, Object id) {
        entry("d", namespace, w -> value(w, "o", Map.of("_id", id)));
    }

    void command(String database, Map<String, Object> command) {
        entry("c", database + ".$cmd", w -> value(w, "o", command));
    }

    /** An update whose {@code o} is any document. */
    void update(String namespace, Object id, Map<String, Object> change) {
        entry("u", namespace, w -> {
            value(w, "o", change);
            value(w, "o2", Map.of("_id", id));
        });
    }

    void diff(String namespace, Object id, Map<String, Object> before, Map<String, Object> after) {
        entry("u", namespace, w -> diffFields(w, id, before, after));
    }

    /** {@code o} and {@code o2} of an update that turns one document into the other. */
    static void diffFields(BsonWriter w, Object id, Map<String, Object> before, Map<String, Object> after) {
        w.document("o").int32("$v", 2).document("diff");
        documentDiff(w, before, after);
        w.end().end();
        value(w, "o2", Map.of("_id", id));
    }

    private static void documentDiff(BsonWriter w, Map<String, Object> before, Map<String, Object> after) {
        if (!after.keySet().containsAll(before.keySet())) {
            w.document("d");
            before.keySet().stream().filter(k -> !after.containsKey(k)).forEach(k -> w.bool(k, false));
            w.end();
        }
        List<String> changed = before.keySet().stream()
                .filter(k -> after.containsKey(k) && !same(before.get(k), after.get(k)))
                .toList();
        List<String> set = changed.stream()
                .filter(k -> !isNested(before.get(k), after.get(k)))
                .toList();
        if (!set.isEmpty()) {
            w.document("u");
            set.forEach(k -> value(w, k, after.get(k)));
            w.end();
        }
        if (!before.keySet().containsAll(after.keySet())) {
            w.document("i");
            after.keySet().stream().filter(k -> !before.containsKey(k)).forEach(k -> value(w, k, after.get(k)));
            w.end();
        }
        changed.stream().filter(k -> !set.contains(k)).forEach(k -> nested(w, "s" + k, before.get(k), after.get(k)));
    }

    /** Whether the change is written as a diff; that of an empty container is not. */
    private static boolean isNested(@Nullable Object before, @Nullable Object after) {
        return (before instanceof Map<?, ?> && after instanceof Map<?, ?>)
                || (before instanceof List<?> && after instanceof List<?> list && !list.isEmpty());
    }

    @SuppressWarnings("unchecked")
    private static void nested(BsonWriter w, String name, @Nullable Object before, @Nullable Object after) {
        w.document(name);
        if (before instanceof Map<?, ?> map && after instanceof Map<?, ?> changed) {
            documentDiff(w, (Map<String, Object>) map, (Map<String, Object>) changed);
        } else if (before instanceof List<?> list && after instanceof List<?> changed) {
            arrayDiff(w, list, changed);
        }
        w.end();
    }

    private static void arrayDiff(BsonWriter w, List<?> before, List<?> after) {
        w.bool("a", true);
        if (after.size() < before.size()) {
            w.int32("l", after.size());
        }
        for (int i = 0; i < after.size(); i++) {
            Object old = i < before.size() ? before.get(i) : null;
            if (i < before.size() && same(old, after.get(i))) {
                continue;
            }
            if (isNested(old, after.get(i))) {
                nested(w, "s" + i, old, after.get(i));
            } else {
                value(w, "u" + i, after.get(i));
            }
        }
    }

    private static boolean same(@Nullable Object one, @Nullable Object other) {
        return Objects.equals(one, other);
    }

    static void value(BsonWriter w, String name, @Nullable Object value) {
        if (value == null) {
            w.nothing(name);
        } else if (value instanceof Boolean b) {
            w.bool(name, b);
        } else if (value instanceof Integer i) {
            w.int32(name, i);
        } else if (value instanceof Long l) {
            w.int64(name, l);
        } else if (value instanceof Double d) {
            w.float64(name, d);
        } else if (value instanceof String s) {
            w.string(name, s);
        } else if (value instanceof Instant instant) {
            w.date(name, instant.toEpochMilli());
        } else if (value instanceof Blob blob) {
            w.binary(name, 0, new byte[] {(byte) blob.first(), 1});
        } else if (value instanceof Oid oid) {
            w.objectId(name, oid.seconds(), oid.rest());
        } else if (value instanceof List<?> list) {
            w.array(name);
            list.forEach(each -> value(w, "", each));
            w.end();
        } else {
            w.document(name);
            fields(w, (Map<?, ?>) value);
            w.end();
        }
    }

    static void fields(BsonWriter w, Map<?, ?> document) {
        document.forEach((key, each) -> value(w, (String) key, each));
    }

    /** Documents as in a dump's file. */
    static byte[] documents(Collection<Map<String, Object>> documents) {
        List<Map<String, Object>> all = List.copyOf(documents);
        return Documents.of(all.size(), (w, i) -> fields(w, all.get(i)));
    }
}
