package io.pgstress.bson;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Splits an input into documents, chunk by chunk. The same input and capacity always give the same chunks. Returns the documents
 * before a fault first: the next {@link #fill} throws. Not thread-safe.
 */
public abstract class DocumentSource {
    /** What ended a {@link #fill}. */
    public enum End {
        /** The chunk is full; more may follow. */
        FULL,
        /** The input has ended. */
        INPUT,
        /** The terminator of an archive's block was read. */
        BLOCK
    }

    private final InputWindow in;
    private final int capacity;
    private @Nullable IOException pending;

    /** @param capacity bytes of a chunk; only a single document may be larger */
    protected DocumentSource(InputWindow in, int capacity) {
        this.in = in;
        this.capacity = capacity;
    }

    /**
     * Fills the chunk with whole documents; the first one has this number. The chunk is empty only at {@link End#INPUT} or
     * {@link End#BLOCK}.
     *
     * @throws BsonException if the input is malformed; documents before the fault are returned first
     */
    public final End fill(Chunk chunk, long firstOrdinal) throws IOException {
        if (pending != null) {
            throw pending;
        }
        chunk.restart(capacity, firstOrdinal, in.position());
        try {
            return fill(chunk);
        } catch (IOException e) {
            if (chunk.isEmpty()) {
                throw e;
            }
            pending = e;
            return End.FULL;
        }
    }

    /** Adds documents to the chunk, which is empty. */
    protected abstract End fill(Chunk chunk) throws IOException;

    /** Whether a document of this size is one too many for the chunk. */
    protected final boolean exceeds(Chunk chunk, int size) {
        return !chunk.isEmpty() && size > capacity - chunk.length();
    }
}
