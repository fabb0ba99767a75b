package io.pgstress.bson;

import java.util.Arrays;

/**
 * Some documents in a row, as they lie in the input: filled by a {@link DocumentReader}, converted by a worker, then filled again. No
 * object per document. Belongs to one thread at a time.
 */
public final class Chunk {
    private byte[] bytes;
    private int length;
    private int[] starts;
    private int count;
    private long firstOrdinal;
    private long firstOffset;

    /** Starts with room for {@code capacity} bytes; it grows for a document that is larger. */
    public Chunk(int capacity) {
        bytes = new byte[capacity];
        starts = new int[Math.max(16, capacity / 256)];
    }

    /** The documents' bytes, one behind the other. */
    public byte[] array() {
        return bytes;
    }

    /** Documents in it. */
    public int count() {
        return count;
    }

    /** Bytes of all its documents. */
    public int length() {
        return length;
    }

    /** Where document {@code i} starts in {@link #array}. */
    public int start(int i) {
        return starts[i];
    }

    /** Bytes of document {@code i}. */
    public int size(int i) {
        return (i + 1 < count ? starts[i + 1] : length) - starts[i];
    }

    /** The number, from 0, of document {@code i} in its collection. */
    public long ordinal(int i) {
        return firstOrdinal + i;
    }

    /** The byte of the uncompressed input at which document {@code i} starts. */
    public long offset(int i) {
        return firstOffset + starts[i];
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Empties it for documents from here on; what an oversized document made it grow to is given back. */
    void restart(int capacity, long ordinal, long offset) {
        if (bytes.length < capacity || bytes.length > 2 * (long) capacity) {
            bytes = new byte[capacity];
        }
        if (starts.length > capacity) {
            starts = new int[Math.max(16, capacity / 256)];
        }
        length = 0;
        count = 0;
        firstOrdinal = ordinal;
        firstOffset = offset;
    }

    /** Room for a document of {@code size} bytes, whose bytes are to be put at the former {@link #length}. */
    byte[] add(int size) {
        if (size > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, length + size);
        }
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, count * 2);
        }
        starts[count++] = length;
        length += size;
        return bytes;
    }

    /** Takes the last document out again. */
    void dropLast() {
        length = starts[--count];
    }
}
