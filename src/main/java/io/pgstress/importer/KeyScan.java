package io.pgstress.importer;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpVisitor;
import io.pgstress.bson.key.KeyFinder;
import io.pgstress.bson.key.KeyForm;
import io.pgstress.bson.key.KeyKinds;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Reads every {@code _id} of a dump to find the type that can hold them all. */
final class KeyScan implements DumpVisitor {
    static final int CHUNK = 1 << 20;

    private final Map<String, KeyKinds> kinds = new HashMap<>();
    private final Set<String> settled;
    private final KeyFinder finder = new KeyFinder();
    private Chunk chunk = new Chunk(CHUNK);

    /** @param settled namespaces to skip */
    KeyScan(Set<String> settled) {
        this.settled = settled;
    }

    /** Frees the memory that a large document took. */
    void release() {
        chunk = new Chunk(0);
    }

    /** The narrowest form that holds all keys of the collection. */
    KeyForm form(DumpCollection collection) {
        return kinds.getOrDefault(collection.namespace(), new KeyKinds()).form();
    }

    @Override
    public boolean begin(DumpCollection collection) {
        kinds.put(collection.namespace(), new KeyKinds());
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
        KeyKinds of = kinds.computeIfAbsent(collection.namespace(), n -> new KeyKinds());
        for (int i = 0; i < documents.count(); i++) {
            finder.see(documents.array(), documents.start(i), documents.size(i), of);
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
    public void unused(Chunk unused) {
        chunk = unused;
    }
}
