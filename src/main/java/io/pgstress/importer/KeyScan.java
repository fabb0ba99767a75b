package io.pgstress.importer;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpVisitor;
import io.pgstress.bson.json.KeyFinder;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.bson.json.KeyKinds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads every {@code _id} of a dump to find the type that can hold them all. */
final class KeyScan implements DumpVisitor {
    static final int CHUNK = 1 << 20;

    private final Map<String, KeyTally> tallies = new HashMap<>();
    private final Set<String> settled;
    private final boolean generateIds;
    private final KeyFinder finder = new KeyFinder();
    private Chunk chunk = new Chunk(CHUNK);

    /**
     * @param settled namespaces to skip
     * @param generateIds whether documents without a key are given one
     */
    KeyScan(Set<String> settled, boolean generateIds) {
        this.settled = settled;
        this.generateIds = generateIds;
    }

    /** Frees the memory that a large document took. */
    void release() {
        chunk = new Chunk(0);
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
        return tallies.computeIfAbsent(namespace, n -> new KeyTally(generateIds));
    }

    private KeyTally tally(DumpCollection collection) {
        return tally(collection.namespace());
    }

    @Override
    public boolean begin(DumpCollection collection) {
        tallies.put(collection.namespace(), new KeyTally(generateIds));
        return !settled.contains(collection.namespace());
    }

    @Override
    public Chunk empty() {
        return chunk;
    }

    @Override
    public void chunk(DumpCollection collection, Chunk documents) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        KeyTally tally = tally(collection);
        for (int i = 0; i < documents.count(); i++) {
            tally.see(finder, documents, i);
        }
        chunk = documents;
    }

    @Override
    public void end(DumpCollection collection, long count) {}

    @Override
    public void failed(DumpCollection collection, long count, BsonException fault) {
        // reported after the documents before it are imported
    }

    @Override
    public void unreadable(DumpCollection collection, BsonException fault) {
        // reported when it is to be imported
    }

    @Override
    public void dumpFailed(List<DumpCollection> collections, BsonException fault) {
        // reported after the documents before it are imported
    }

    @Override
    public void refused(DumpCollection collection, Chunk buckets, int bucket, long ordinal, BsonException why) {
        // rejected when it is to be imported
    }

    @Override
    public void unused(Chunk unused) {
        chunk = unused;
    }
}
