package io.pgstress.extra.suggest;

import io.pgstress.extra.BsonValues;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.extra.suggest.Filter.Condition;
import io.pgstress.extra.suggest.ObservedLoad.Lost;
import io.pgstress.extra.suggest.Shape.Projection;
import io.pgstress.extra.suggest.Shape.SortKey;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the profiler recorded, by collection.
 *
 * @param loads by namespace
 * @param notes what could not be read
 */
record Profile(Map<String, ObservedLoad> loads, List<String> notes) {
    /** The collection that the profiler writes. */
    static final String COLLECTION = "system.profile";

    private static final String MONGODUMP = "mongodump";
    private static final String ID = "_id";
    /** Rows of a range that nobody counted. */
    private static final int ROWS = 20;

    Profile {
        loads = Map.copyOf(loads);
        notes = List.copyOf(notes);
    }

    /**
     * Reads all {@code system.profile} collections of a dump. Entries of mongodump itself, and of system collections, are left
     * out.
     *
     * @param databases patterns; empty: all databases
     */
    static Profile read(Path dump, List<String> databases) throws IOException, InterruptedException {
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
    static ObservedLoad guess(String metadata) {
        ObservedLoad load = new ObservedLoad();
        Map<String, Object> all = new TreeMap<>();
        try {
            all.putAll(metadata.isBlank() ? Map.of() : Json.readMap(metadata));
        } catch (TextException e) {
            load.lose(new ObservedLoad.Lost("the metadata are not valid JSON", "indexes"));
        }
        load.guess(find(List.of(equal(ID)), List.of(), 0));
        BsonValues.list(all.get("indexes")).forEach(index -> guess(BsonValues.map(index), load));
        return load;
    }

    /** Adds the queries that an index, as {@code .metadata.json} describes it, is probably there for. */
    private static void guess(Map<String, Object> index, ObservedLoad load) {
        Map<String, Object> key = BsonValues.map(index.get("key"));
        if (key.isEmpty() || key.keySet().equals(Set.of(ID))) {
            return;
        }
        String kind = "";
        for (Map.Entry<String, Object> field : key.entrySet()) {
            String type = BsonValues.text(field.getValue());
            if (field.getKey().contains("$**")) {
                kind = "a wildcard index";
            } else if (BsonValues.number(field.getValue()) == null && !type.equals("hashed")) {
                kind = "an index of type " + type;
            }
        }
        if (!kind.isEmpty()) {
            load.lose(new Lost(
                    kind + " does not tell which queries it serves", "index on " + String.join(", ", key.keySet())));
            return;
        }
        List<String> paths = List.copyOf(key.keySet());
        String last = paths.get(paths.size() - 1);
        load.guess(find(paths.stream().map(Profile::equal).toList(), List.of(), 0));
        if (BsonValues.number(key.get(last)) != null) {
            boolean down = BsonValues.isNegative(key.get(last));
            List<Filter> range = new ArrayList<>();
            paths.subList(0, paths.size() - 1).forEach(path -> range.add(equal(path)));
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
                    iso(BsonValues.millis(document.get("ts"))));
        }

        /** The time in seconds as ISO 8601; empty if it is unknown. */
        private static String iso(@Nullable Long millis) {
            return millis == null
                    ? ""
                    : Instant.ofEpochMilli(millis)
                            .truncatedTo(ChronoUnit.SECONDS)
                            .toString();
        }
    }
}
