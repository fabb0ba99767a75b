package io.pgstress.extra.suggest;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.extra.suggest.BsonValues.Dates;
import io.pgstress.extra.suggest.Filter.Condition;
import io.pgstress.extra.suggest.ObservedLoad.Lost;
import io.pgstress.extra.suggest.Shape.Projection;
import io.pgstress.extra.suggest.Shape.SortKey;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the profiler recorded, by collection.
 *
 * @param loads by namespace
 * @param notes what could not be read
 */
public record Profile(Map<String, ObservedLoad> loads, List<String> notes) {
    /** The collection that the profiler writes. */
    public static final String COLLECTION = "system.profile";

    private static final String MONGODUMP = "mongodump";

    public Profile {
        loads = Map.copyOf(loads);
        notes = List.copyOf(notes);
    }

    /**
     * Reads all {@code system.profile} collections of a dump. Entries of mongodump itself, and of system collections, are left
     * out.
     *
     * @param databases patterns; empty: all databases
     */
    public static Profile read(Path dump, List<String> databases) throws IOException, InterruptedException {
        Map<String, ObservedLoad> loads = new HashMap<>();
        DumpDocuments documents = new DumpDocuments((collection, document, chunk, number) -> {
            add(ProfileEntry.of(document), loads);
            return true;
        });
        documents.read(dump, new DumpFilter(databases, List.of(COLLECTION), false));
        List<String> notes = new ArrayList<>(documents.faults());
        if (documents.skipped() > 0) {
            notes.add(documents.skipped() + " entries of " + COLLECTION + " cannot be read");
        }
        return new Profile(loads, notes);
    }

    private static void add(ProfileEntry entry, Map<String, ObservedLoad> loads) {
        String collection = entry.namespace().substring(entry.namespace().indexOf('.') + 1);
        boolean isSystem = collection.startsWith("system.") || collection.startsWith("$") || collection.isEmpty();
        if (!isSystem && !entry.command().isEmpty() && !entry.application().equals(MONGODUMP)) {
            loads.computeIfAbsent(entry.namespace(), n -> new ObservedLoad()).add(entry);
        }
    }

    /**
     * The operations that the indexes of a collection suggest: equality on each index's fields, and a range on its last one.
     *
     * @param metadata the text of its {@code .metadata.json}; empty: there is only the index on {@code _id}
     */
    public static ObservedLoad guess(String metadata) {
        ObservedLoad load = new ObservedLoad();
        Map<String, Object> all = new TreeMap<>();
        try {
            all.putAll(metadata.isBlank() ? Map.of() : Json.readMap(metadata));
        } catch (TextException e) {
            load.lose(new ObservedLoad.Lost("the metadata are not valid JSON", "indexes"));
        }
        IndexShapes.addId(load);
        BsonValues.list(all.get("indexes")).forEach(index -> IndexShapes.add(BsonValues.map(index), load));
        return load;
    }

    /** The queries that an index is probably there for. */
    static final class IndexShapes {
        private static final String ID = "_id";
        /** Rows of a range that nobody counted. */
        private static final int ROWS = 20;

        private IndexShapes() {}

        static void addId(ObservedLoad load) {
            load.guess(find(List.of(equal(ID)), List.of(), 0));
        }

        /** Adds the queries of an index as {@code .metadata.json} describes it. */
        static void add(Map<String, Object> index, ObservedLoad load) {
            Map<String, Object> key = BsonValues.map(index.get("key"));
            if (key.isEmpty() || key.keySet().equals(Map.of(ID, 1).keySet())) {
                return;
            }
            String kind = "";
            for (Map.Entry<String, Object> field : key.entrySet()) {
                boolean isHashed = BsonValues.text(field.getValue()).equals("hashed");
                if (field.getKey().contains("$**")) {
                    kind = "a wildcard index";
                } else if (!BsonValues.kind(field.getValue()).equals("number") && !isHashed) {
                    kind = "an index of type " + BsonValues.text(field.getValue());
                }
            }
            if (!kind.isEmpty()) {
                load.lose(new Lost(
                        kind + " does not tell which queries it serves",
                        "index on " + String.join(", ", key.keySet())));
                return;
            }
            addPlain(key, load);
        }

        private static void addPlain(Map<String, Object> key, ObservedLoad load) {
            List<String> paths = List.copyOf(key.keySet());
            String last = paths.get(paths.size() - 1);
            List<Filter> before = paths.stream()
                    .limit(paths.size() - 1L)
                    .map(IndexShapes::equal)
                    .toList();
            List<Filter> all = new ArrayList<>(before);
            all.add(equal(last));
            load.guess(find(all, List.of(), 0));
            if (BsonValues.kind(key.get(last)).equals("number")) {
                boolean down = BsonValues.number(key.get(last)) < 0;
                List<Filter> range = new ArrayList<>(before);
                range.add(new Filter.Field(last, new Condition.Range(!down, down)));
                load.guess(find(range, List.of(new SortKey(last, down)), ROWS));
            }
        }

        private static Filter equal(String path) {
            return new Filter.Field(path, Condition.Plain.EQUAL);
        }

        private static Shape find(List<Filter> filters, List<SortKey> sort, int limit) {
            return new Shape.Find(Filter.all(filters), sort, limit, 0, Projection.WHOLE);
        }
    }

    /**
     * An operation that the profiler recorded.
     *
     * @param namespace {@code database.collection}
     * @param op its kind: query, update, remove, insert, command, getmore
     * @param command the command as it was sent
     * @param application the client's name of itself; empty if unknown
     * @param millis duration in milliseconds
     * @param rows documents that it returned, changed, deleted or inserted
     * @param examined documents that the server looked at
     * @param time when it ended, ISO 8601; empty if unknown
     */
    record ProfileEntry(
            String namespace,
            String op,
            Map<String, Object> command,
            String application,
            int millis,
            int rows,
            int examined,
            String time) {
        private static final String[] ROWS = {"nreturned", "nModified", "nMatched", "ndeleted", "ninserted"};

        static ProfileEntry of(Map<String, Object> document) {
            int rows = 0;
            for (String name : ROWS) {
                rows = Math.max(rows, BsonValues.whole(document.get(name)));
            }
            return new ProfileEntry(
                    BsonValues.text(document.get("ns")),
                    BsonValues.text(document.get("op")),
                    BsonValues.map(document.get("command")),
                    BsonValues.text(document.get("appName")),
                    BsonValues.whole(document.get("millis")),
                    rows,
                    BsonValues.whole(document.get("docsExamined")),
                    Dates.iso(document.get("ts")));
        }
    }
}
