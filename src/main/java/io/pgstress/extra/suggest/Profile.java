package io.pgstress.extra.suggest;

import io.pgstress.bson.dump.DumpFilter;
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
public record Profile(Map<String, Load> loads, List<String> notes) {
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
        Map<String, Load> loads = new HashMap<>();
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

    private static void add(ProfileEntry entry, Map<String, Load> loads) {
        String collection = entry.namespace().substring(entry.namespace().indexOf('.') + 1);
        boolean isSystem = collection.startsWith("system.") || collection.startsWith("$") || collection.isEmpty();
        if (!isSystem && !entry.command().isEmpty() && !entry.application().equals(MONGODUMP)) {
            loads.computeIfAbsent(entry.namespace(), n -> new Load()).add(entry);
        }
    }

    /**
     * The operations that the indexes of a collection suggest: equality on each index's fields, and a range on its last one.
     *
     * @param metadata the text of its {@code .metadata.json}; empty: there is only the index on {@code _id}
     */
    public static Load guess(String metadata) {
        Load load = new Load();
        Map<String, Object> all = new TreeMap<>();
        try {
            all.putAll(metadata.isBlank() ? Map.of() : Json.readMap(metadata));
        } catch (TextException e) {
            load.lose(new Load.Lost("the metadata are not valid JSON", "indexes"));
        }
        IndexShapes.addId(load);
        BsonValues.list(all.get("indexes")).forEach(index -> IndexShapes.add(BsonValues.map(index), load));
        return load;
    }
}
