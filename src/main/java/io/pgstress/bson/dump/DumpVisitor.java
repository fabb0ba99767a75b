package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import java.io.IOException;

/**
 * Receives the contents of a dump while it is read, in the order of its bytes and on the reading thread: {@link #begin}, {@link #chunk}s,
 * {@link #end} or {@link #failed} for each collection; those of an archive may alternate. The reader holds one chunk at a time.
 */
public interface DumpVisitor {
    /** A collection begins; false if its documents are to be passed over. Nothing more of it is reported then. */
    boolean begin(DumpCollection collection) throws IOException, InterruptedException;

    /** A chunk to fill, which is the reader's until {@link #chunk} or {@link #unused}. May block: that is how memory is bounded. */
    Chunk empty() throws InterruptedException;

    /** The next documents, at least one; the chunk is the visitor's again. */
    void chunk(DumpCollection collection, Chunk documents) throws IOException, InterruptedException;

    /** All documents were given, {@code count} of them; an archive's CRC is right. */
    void end(DumpCollection collection, long count) throws IOException, InterruptedException;

    /**
     * The collection cannot be read on; {@code count} documents before the fault were given. Where the fault is in one file only, reading
     * goes on with the next.
     */
    void failed(DumpCollection collection, long count, BsonException fault) throws IOException, InterruptedException;

    /** All documents were given, {@code count} of them, but an archive's CRC is not theirs; reading goes on. */
    default void wrongChecksum(DumpCollection collection, long count, BsonException fault)
            throws IOException, InterruptedException {
        failed(collection, count, fault);
    }

    /** A chunk that was not needed, back. */
    void unused(Chunk chunk);
}
