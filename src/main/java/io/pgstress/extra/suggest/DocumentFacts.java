package io.pgstress.extra.suggest;

import io.pgstress.bson.Chunk;
import io.pgstress.bson.FieldPath;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.json.DateText;
import io.pgstress.bson.json.KeyFinder;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.bson.json.KeyKinds;
import io.pgstress.bson.json.KeyKinds.KeyKind;
import io.pgstress.extra.BsonValues;
import io.pgstress.extra.FieldSql;
import io.pgstress.extra.FieldSql.Kinds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the first documents of a collection have in common: their fields, arrays, the type of {@code _id}. Not thread-safe. */
final class DocumentFacts {
    private static final int DOCUMENTS = 10_000;
    private static final int MAX_PATHS = 20_000;
    private static final int MAX_DEPTH = 20;

    /** The {@link Kinds} of values at each path, which has no positions in arrays. */
    private final Map<String, Integer> kinds = new HashMap<>();

    private final KeyKinds keys = new KeyKinds();
    private final KeyFinder finder = new KeyFinder();
    private long documents;
    private long bytes;

    /**
     * Reads at most the first 10,000 documents of a collection.
     *
     * @param notes receives what prevented the reading of more
     * @throws io.pgstress.bson.BsonException if none can be read
     */
    static DocumentFacts read(DumpSource dump, String database, String collection, List<String> notes)
            throws IOException, InterruptedException {
        DocumentFacts facts = new DocumentFacts();
        List<String> databases = database.isEmpty() ? List.of() : List.of(database);
        DumpDocuments documents = new DumpDocuments((found, document, chunk, number) -> {
            if (found.collection().equals(collection)) {
                facts.add(document, chunk, number);
            }
            return facts.documents < DOCUMENTS;
        });
        documents.read(dump, new DumpFilter(databases, List.of(collection), false));
        notes.addAll(documents.faults(facts.documents > 0));
        return facts;
    }

    private void add(Map<String, Object> document, Chunk chunk, int number) {
        documents++;
        bytes += chunk.size(number);
        finder.see(chunk.array(), chunk.start(number), chunk.size(number), keys);
        fields("", document, 0);
    }

    private void fields(String prefix, Map<String, Object> document, int depth) {
        if (depth < MAX_DEPTH && kinds.size() < MAX_PATHS) {
            document.forEach((name, value) -> value(prefix + name, value, depth));
        }
    }

    private void value(String path, @Nullable Object value, int depth) {
        kinds.merge(path, kind(value), (a, b) -> a | b);
        List<@Nullable Object> inner = new ArrayList<>(BsonValues.list(value));
        inner.add(value);
        for (Object each : inner) {
            if (BsonValues.kind(each).equals("object")) {
                fields(path + ".", BsonValues.map(each), depth + 1);
            }
        }
    }

    /** An array without elements is none, because no values can be drawn from it. */
    private static int kind(@Nullable Object value) {
        Long millis = BsonValues.millis(value);
        if (millis != null) {
            return DateText.isIso(millis) ? Kinds.DATE : Kinds.OTHER_DATE;
        }
        if (BsonValues.isDecimal(value)) {
            return Kinds.OTHER | Kinds.DECIMAL;
        }
        if (BsonValues.kind(value).equals("object")) {
            return Kinds.OTHER | Kinds.DOCUMENT;
        }
        return value == null ? Kinds.NULL : BsonValues.list(value).isEmpty() ? Kinds.OTHER : Kinds.ARRAY;
    }

    /** Number of documents that were read. */
    long documents() {
        return documents;
    }

    /** Mean size of a document in bytes; 0 if there are none. */
    long meanBytes() {
        return documents == 0 ? 0 : bytes / documents;
    }

    /** Whether a document has a value at this path, also in elements of arrays. */
    boolean has(String path) {
        return kinds.containsKey(path);
    }

    /** Whether a document has an array with elements at this path. */
    boolean isArray(String path) {
        return (kinds.getOrDefault(path, 0) & Kinds.ARRAY) != 0;
    }

    /** The field at a path of the document. */
    FieldSql field(String path) {
        return field(path, "");
    }

    /**
     * The field at a path.
     *
     * @param within the path, without positions, of the element that it begins in; empty: the document
     */
    FieldSql field(String path, String within) {
        if (path.isEmpty()) {
            return FieldSql.ELEMENT;
        }
        List<Integer> found = new ArrayList<>();
        String at = within;
        for (String name : FieldPath.names(path)) {
            boolean isIndex =
                    !found.isEmpty() && found.get(found.size() - 1) == Kinds.ARRAY && FieldPath.isPosition(name);
            at = isIndex ? at : at.isEmpty() ? name : at + "." + name;
            found.add(isIndex ? 0 : isArray(at) ? Kinds.ARRAY : kinds.getOrDefault(at, 0));
        }
        return new FieldSql(FieldPath.names(path), found);
    }

    /** The type of the column {@code _id} that an import chooses for these documents. */
    KeyForm keyForm() {
        return keys.form();
    }

    /** Whether every {@code _id} is an ObjectId. */
    boolean hasObjectIds() {
        return keys.kinds().equals(Set.of(KeyKind.OBJECT_ID));
    }
}
