package io.pgstress.bson;

import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Splits an input into documents by their length fields, chunk by chunk. The same input and capacity always give the same
 * chunks. Length fields are validated before use. Not thread-safe.
 *
 * <p>Returns the documents before a fault first: the next {@link #fill} throws.
 */
public final class DocumentReader {
    /** What ended a {@link #fill}. */
    public enum End {
        /** The chunk is full; more may follow. */
        FULL,
        /** The input has ended. */
        INPUT,
        /** The terminator of an archive's block was read. */
        BLOCK
    }

    private static final int TERMINATOR = -1;

    private final InputWindow in;
    private final int capacity;
    private final boolean blocks;
    private @Nullable IOException pending;

    /** Reads documents up to the end of {@code in} into chunks of about {@code capacity} bytes. */
    public DocumentReader(InputWindow in, int capacity) {
        this(in, capacity, false);
    }

    /** With {@code blocks}, a length of -1 ends a block of an archive, and the input must not end before it. */
    public DocumentReader(InputWindow in, int capacity, boolean blocks) {
        this.in = in;
        this.capacity = capacity;
        this.blocks = blocks;
    }

    /**
     * Fills the chunk with whole documents; the first one has this number. The chunk is empty only at {@link End#INPUT} or
     * {@link End#BLOCK}.
     *
     * @throws BsonException if the input is malformed; documents before the fault are returned first
     */
    public End fill(Chunk chunk, long firstOrdinal) throws IOException {
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

    private End fill(Chunk chunk) throws IOException {
        while (true) {
            int available = in.available(4);
            if (available == 0 && !blocks) {
                return End.INPUT;
            }
            if (available < 4) {
                throw fault(in.position(), "a length of 4 bytes", "the end of the input after " + available);
            }
            int size = in.peekInt();
            if (blocks && size == TERMINATOR) {
                in.skip(4);
                return End.BLOCK;
            }
            if (size < BsonType.MIN_DOCUMENT || size > BsonType.MAX_DOCUMENT) {
                String foreign = ForeignData.at(in);
                throw fault(
                        in.position(),
                        "a document's length of 5 to " + BsonType.MAX_DOCUMENT,
                        foreign.isEmpty() ? Integer.toString(size) : foreign);
            }
            if (!chunk.isEmpty() && size > capacity - chunk.length()) {
                return End.FULL;
            }
            take(chunk, size);
        }
    }

    private void take(Chunk chunk, int size) throws IOException {
        long start = in.position();
        int at = chunk.length();
        byte[] bytes = chunk.add(size);
        int copied;
        try {
            copied = in.copy(bytes, at, size);
        } catch (IOException e) {
            chunk.dropLast();
            throw e;
        }
        if (copied < size) {
            chunk.dropLast();
            throw fault(start, "a document of " + size + " bytes", "the end of the input after " + copied);
        }
        if (bytes[at + size - 1] != 0) {
            chunk.dropLast();
            String found = String.format(Locale.ROOT, "0x%02x", bytes[at + size - 1]);
            throw fault(start + size - 1, "the zero byte that ends the document begun at byte " + start, found);
        }
    }

    private BsonException fault(long offset, String expected, String found) {
        return new BsonException(in.label(), offset, expected, found);
    }
}
