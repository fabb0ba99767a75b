package io.pgstress.extra.diff;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpVisitor;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Reads a dump with one chunk that is used again and again. Used by one thread; interrupting it ends the pass. */
abstract class DumpPass implements DumpVisitor {
    static final int CHUNK = 1 << 20;

    private final Map<String, Comparison> comparisons;
    private Chunk chunk = new Chunk(CHUNK);

    /** @param comparisons by namespace */
    DumpPass(Map<String, Comparison> comparisons) {
        this.comparisons = comparisons;
    }

    /** Takes documents of a collection that was begun. */
    abstract void take(Comparison comparison, Chunk documents) throws InterruptedException;

    final Comparison of(DumpCollection collection) {
        Comparison comparison = comparisons.get(collection.namespace());
        if (comparison == null) {
            throw new IllegalStateException(collection.namespace() + " was not announced by the dump");
        }
        return comparison;
    }

    @Override
    public final Chunk empty() {
        return chunk;
    }

    @Override
    public final void chunk(DumpCollection collection, Chunk documents) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        take(of(collection), documents);
        chunk = documents;
    }

    @Override
    public void end(DumpCollection collection, long count) throws IOException, InterruptedException {}

    @Override
    public void failed(DumpCollection collection, long count, BsonException fault)
            throws IOException, InterruptedException {}

    @Override
    public void unreadable(DumpCollection collection, BsonException fault) {}

    @Override
    public void dumpFailed(List<DumpCollection> collections, BsonException fault) {}

    @Override
    public void refused(DumpCollection collection, Chunk buckets, int bucket, long ordinal, BsonException why) {}

    @Override
    public final void unused(Chunk unused) {
        chunk = unused;
    }
}
