package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import java.io.IOException;

/**
 * Reads documents with one chunk that is used again and again: by default of all collections, up to the first fault. Used by one
 * thread; interrupting it ends the reading.
 */
public abstract class OneChunkVisitor implements DumpVisitor {
    /** The bytes to read at once. */
    public static final int CHUNK = 1 << 20;

    private Chunk chunk = new Chunk(CHUNK);

    /** Receives the next documents, at least one, whose chunk is used again afterwards. */
    protected abstract void documents(DumpCollection collection, Chunk documents)
            throws IOException, InterruptedException;

    @Override
    public boolean begin(DumpCollection collection) {
        return true;
    }

    @Override
    public final Chunk empty() {
        return chunk;
    }

    @Override
    public final void chunk(DumpCollection collection, Chunk documents) throws IOException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        documents(collection, documents);
        chunk = documents;
    }

    @Override
    public void end(DumpCollection collection, long count) throws IOException, InterruptedException {}

    @Override
    public void failed(DumpCollection collection, long count, BsonException fault)
            throws IOException, InterruptedException {
        throw fault;
    }

    @Override
    public final void unused(Chunk unused) {
        chunk = unused;
    }
}
