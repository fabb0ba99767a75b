package io.pgstress.bson;

import java.io.IOException;

/** Gives documents chunk by chunk. */
public interface DocumentSource {
    /**
     * Fills the chunk with whole documents; the first one has this number.
     *
     * @throws BsonException if the input is malformed; documents before the fault are returned first
     */
    DocumentReader.End fill(Chunk chunk, long firstOrdinal) throws IOException;
}
