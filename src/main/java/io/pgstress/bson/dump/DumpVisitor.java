package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import java.io.IOException;
import java.util.List;

/**
 * Receives the contents of a dump in input order, on the reading thread: {@link #begin}, {@link #chunk}s, then {@link #end} or
 * {@link #failed} for each collection. The collections of an archive may be interleaved. The reader holds one chunk at a time.
 */
public interface DumpVisitor {
    /** Begins a collection; false to skip it, in which case no further calls follow for it. */
    boolean begin(DumpCollection collection) throws IOException, InterruptedException;

    /**
     * Provides an empty chunk, which the reader owns until {@link #chunk} or {@link #unused}. May block, which bounds memory.
     */
    Chunk empty() throws InterruptedException;

    /** Receives the next documents, at least one, which are not {@link Chunk#parse parsed}. The visitor owns the chunk again. */
    void chunk(DumpCollection collection, Chunk documents) throws IOException, InterruptedException;

    /** Ends a collection after {@code count} documents; an archive's CRC was correct. */
    default void end(DumpCollection collection, long count) throws IOException, InterruptedException {}

    /**
     * Ends a collection early, after the {@code count} documents before a fault. If only one file is faulty, reading continues
     * with the next.
     */
    void failed(DumpCollection collection, long count, BsonException fault) throws IOException, InterruptedException;

    /**
     * Passes over a collection whose file is missing or is not BSON; no other call is made for it. Unless this throws, as it does
     * by default, reading continues.
     */
    default void unreadable(DumpCollection collection, BsonException fault) throws IOException {
        throw fault;
    }

    /** Ends a collection after {@code count} documents whose CRC differs from the archive's; reading continues. */
    default void wrongChecksum(DumpCollection collection, long count, BsonException fault)
            throws IOException, InterruptedException {
        failed(collection, count, fault);
    }

    /**
     * Ends one of several dumps when nothing more can be read from it. Unless this throws, as it does by default, reading continues
     * with the next dump.
     *
     * @param collections those of the dump
     */
    default void dumpFailed(List<DumpCollection> collections, BsonException fault) throws IOException {
        throw fault;
    }

    /** Returns a chunk that was not needed. */
    void unused(Chunk chunk);
}
