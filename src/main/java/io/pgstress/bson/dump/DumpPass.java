package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import java.io.IOException;
import java.util.List;

/** Reads a dump with one chunk that is used again and again. Used by one thread; interrupting it ends the pass. */
public abstract class DumpPass implements DumpVisitor {
    /** Size of the chunks to read. */
    public static final int CHUNK = 1 << 20;

    private Chunk chunk = new Chunk(0); // the reader allocates it

    /** Receives the next documents of a collection, at least one; the chunk is used again afterwards. */
    protected abstract void documents(DumpCollection collection, Chunk documents)
            throws IOException, InterruptedException;

    /** Makes BSON of documents that are written as text, as far as the pass needs them. */
    protected void parse(Chunk documents) {
        documents.parse();
    }

    /** Receives whatever cannot be read. Unless this throws, as it does by default, reading continues. */
    protected void fault(BsonException fault) throws IOException {
        throw fault;
    }

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
        parse(documents);
        documents(collection, documents);
        chunk = documents;
    }

    @Override
    public void failed(DumpCollection collection, long count, BsonException fault)
            throws IOException, InterruptedException {
        fault(fault);
    }

    @Override
    public void unreadable(DumpCollection collection, BsonException fault) throws IOException {
        fault(fault);
    }

    @Override
    public void dumpFailed(List<DumpCollection> collections, BsonException fault) throws IOException {
        fault(fault);
    }

    @Override
    public final void unused(Chunk unused) {
        chunk = unused;
    }

    /** Frees the memory that a large document took. */
    public final void release() {
        chunk = new Chunk(0);
    }
}
