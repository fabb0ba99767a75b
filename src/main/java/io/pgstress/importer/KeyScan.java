package io.pgstress.importer;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.BsonType;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpPass;
import io.pgstress.bson.json.IdJson;
import io.pgstress.bson.json.KeyFinder;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.bson.json.KeyKinds;
import io.pgstress.bson.json.KeyKinds.KeyKind;
import io.pgstress.bson.json.LegacyUuids;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads every {@code _id} of a dump to find the type that can hold them all. */
final class KeyScan extends DumpPass {
    private final Map<String, KeyTally> tallies = new HashMap<>();
    private final Set<String> settled;
    private final boolean generateIds;
    private final LegacyUuids uuids;
    private final KeyFinder finder = new KeyFinder();

    /**
     * @param settled namespaces to skip
     * @param generateIds whether documents without a key are given one
     * @param uuids what old UUIDs become
     */
    KeyScan(Set<String> settled, boolean generateIds, LegacyUuids uuids) {
        this.settled = settled;
        this.generateIds = generateIds;
        this.uuids = uuids;
    }

    /** The narrowest form that holds all keys of the collection. */
    KeyForm form(DumpCollection collection) {
        return tally(collection).form();
    }

    /** Why the keys of the collection become JSON, with numbers and examples; empty if they do not. */
    String note(DumpCollection collection) {
        return tally(collection).note();
    }

    /** Adds kinds of keys that are not in the dump but will be added to the collection. */
    void add(String namespace, KeyKinds kinds) {
        kinds.kinds().forEach(tally(namespace)::add);
    }

    private KeyTally tally(String namespace) {
        return tallies.computeIfAbsent(namespace, n -> new KeyTally(generateIds, uuids));
    }

    private KeyTally tally(DumpCollection collection) {
        return tally(collection.namespace());
    }

    @Override
    public boolean begin(DumpCollection collection) {
        tallies.put(collection.namespace(), new KeyTally(generateIds, uuids));
        return !settled.contains(collection.namespace());
    }

    @Override
    protected void parse(Chunk documents) {
        documents.parseIds();
    }

    @Override
    protected void documents(DumpCollection collection, Chunk documents) {
        KeyTally tally = tally(collection);
        for (int i = 0; i < documents.count(); i++) {
            tally.see(finder, documents, i);
        }
    }

    @Override
    protected void fault(BsonException fault) {
        // reported after the documents before it are imported
    }

    /** Counts the kinds of a collection's keys, and keeps the first key of each kind as an example. Not thread-safe. */
    static final class KeyTally {
        private static final KeyKind[] KINDS = KeyKind.values();
        private static final int MAX_EXAMPLE = 80;

        private final boolean generateIds;
        private final LegacyUuids uuids;
        private final KeyKinds seen = new KeyKinds();
        private final long[] counts = new long[KINDS.length];
        private final String[] examples = new String[KINDS.length];
        private final IdJson ids = new IdJson();

        /**
         * @param generateIds whether documents without a key are given an ObjectId
         * @param uuids what old UUIDs become
         */
        KeyTally(boolean generateIds, LegacyUuids uuids) {
            this.generateIds = generateIds;
            this.uuids = uuids;
        }

        /** Adds a document's key, if it has one; the last if there are several, as jsonb keeps that one. */
        void see(KeyFinder finder, Chunk chunk, int document) {
            byte[] bytes = chunk.array();
            int start = chunk.start(document);
            int size = chunk.size(document);
            if (size < BsonType.MIN_DOCUMENT || chunk.reject(document) != null) {
                return;
            }
            if (finder.findLast(bytes, start, size)) {
                boolean becomesUuid = uuids.converts(finder.type(), bytes, finder.at());
                KeyKind kind = becomesUuid ? KeyKind.UUID : finder.kind(bytes);
                if (counts[kind.ordinal()] == 0) {
                    examples[kind.ordinal()] = ids.of(bytes, start, size);
                }
                add(kind);
            } else if (generateIds) {
                add(KeyKind.OBJECT_ID);
            }
        }

        /** Adds a key of this kind. */
        void add(KeyKind kind) {
            if (counts[kind.ordinal()]++ == 0) {
                seen.add(kind);
            }
        }

        /** The narrowest form that holds all keys. */
        KeyForm form() {
            return seen.form();
        }

        /** Why the keys become JSON: their kinds, the most frequent first, with number and example. Empty if they do not. */
        String note() {
            if (form() != KeyForm.TEXT_OF_JSON) {
                return "";
            }
            List<KeyKind> kinds = new ArrayList<>(seen.kinds());
            kinds.sort(Comparator.comparingLong((KeyKind kind) -> counts[kind.ordinal()])
                    .reversed());
            List<String> parts = kinds.stream().map(this::part).toList();
            return "every _id is stored as JSON text, because no type holds all of them: " + String.join(", ", parts);
        }

        private String part(KeyKind kind) {
            String example = examples[kind.ordinal()] == null ? "" : examples[kind.ordinal()];
            String shown = example.isEmpty() || example.length() > MAX_EXAMPLE ? "" : " (such as " + example + ")";
            return String.format(
                    Locale.ROOT, "%,d %s%s", counts[kind.ordinal()], name(kind, counts[kind.ordinal()]), shown);
        }

        private static String name(KeyKind kind, long count) {
            boolean plural = kind != KeyKind.OTHER && count != 1;
            return kind.phrase().replaceFirst("^an? ", "") + (plural ? "s" : "");
        }
    }
}
