package io.pgstress.bson;

import java.io.IOException;
import java.util.Locale;

/** Splits BSON into documents by their length fields, which are validated before use. Not thread-safe. */
public final class DocumentReader extends DocumentSource {
    private static final int TERMINATOR = -1;

    private final InputWindow in;
    private final boolean blocks;

    /** Reads documents up to the end of {@code in} into chunks of about {@code capacity} bytes. */
    public DocumentReader(InputWindow in, int capacity) {
        this(in, capacity, false);
    }

    /** With {@code blocks}, a length of -1 ends a block of an archive, and the input must not end before it. */
    public DocumentReader(InputWindow in, int capacity, boolean blocks) {
        super(in, capacity);
        this.in = in;
        this.blocks = blocks;
    }

    @Override
    protected End fill(Chunk chunk) throws IOException {
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
            if (exceeds(chunk, size)) {
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
