package io.pgstress.extra.suggest;

import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.json.KeyFinder;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.bson.json.KeyKinds;
import io.pgstress.bson.json.KeyKinds.KeyKind;
import io.pgstress.extra.suggest.BsonValues.Dates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the first documents of a collection have in common: their fields, arrays, the type of {@code _id}. Not thread-safe. */
public final class DocumentFacts {
    private static final int DOCUMENTS = 10_000;
    private static final int MAX_PATHS = 20_000;
    private static final int MAX_DEPTH = 20;
    private static final String DATE = "date as text";

    private final Set<String> paths = new HashSet<>();
    private final Set<String> arrays = new HashSet<>();
    private final Map<String, Set<String>> kinds = new HashMap<>();
    private final KeyKinds keys = new KeyKinds();
    private final KeyFinder finder = new KeyFinder();
    private long documents;
    private long bytes;

    /** Reads at most the first 10,000 documents of a collection. */
    public static DocumentFacts read(Path dump, String database, String collection)
            throws IOException, InterruptedException {
        DocumentFacts facts = new DocumentFacts();
        List<String> databases = database.isEmpty() ? List.of() : List.of(database);
        new DumpDocuments((found, document, chunk, number) -> {
                    if (found.collection().equals(collection)) {
                        facts.add(document, chunk, number);
                    }
                    return facts.documents < DOCUMENTS;
                })
                .read(dump, new DumpFilter(databases, List.of(collection), false));
        return facts;
    }

    private void add(Map<String, Object> document, Chunk chunk, int number) {
        documents++;
        bytes += chunk.size(number);
        finder.see(chunk.array(), chunk.start(number), chunk.size(number), keys);
        fields("", document, 0);
    }

    private void fields(String prefix, Map<String, Object> document, int depth) {
        if (depth < MAX_DEPTH && paths.size() < MAX_PATHS) {
            document.forEach((name, value) -> value(prefix + name, value, depth));
        }
    }

    private void value(String path, @Nullable Object value, int depth) {
        paths.add(path);
        kinds.computeIfAbsent(path, p -> new HashSet<>())
                .add(Dates.isText(value) ? DATE : BsonValues.kind(value) + "s");
        if (BsonValues.kind(value).equals("object")) {
            fields(path + ".", BsonValues.map(value), depth + 1);
        }
        for (Object element : BsonValues.list(value)) {
            arrays.add(path);
            if (BsonValues.kind(element).equals("object")) {
                fields(path + ".", BsonValues.map(element), depth + 1);
            }
        }
    }

    /** Number of documents that were read. */
    public long documents() {
        return documents;
    }

    /** Mean size of a document in bytes; 0 if there are none. */
    public long meanBytes() {
        return documents == 0 ? 0 : bytes / documents;
    }

    /** Whether a document has a value at this path, also in elements of arrays. */
    public boolean has(String path) {
        return paths.contains(path);
    }

    /** Whether a document has an array with elements at this path. */
    public boolean isArray(String path) {
        return arrays.contains(path);
    }

    /** Whether the values at a path are dates of the years 1970 to 9999, or null. */
    public boolean isDate(String path) {
        Set<String> found = kinds.getOrDefault(path, Set.of());
        return found.contains(DATE) && found.stream().allMatch(kind -> kind.equals(DATE) || kind.equals("nulls"));
    }

    /** The type of the column {@code _id} that an import chooses for these documents. */
    public KeyForm keyForm() {
        return keys.form();
    }

    /** Whether every {@code _id} is an ObjectId. */
    public boolean hasObjectIds() {
        return keys.kinds().equals(Set.of(KeyKind.OBJECT_ID));
    }
}
