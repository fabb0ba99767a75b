package io.pgstress.bson;

import java.util.Arrays;

/**
 * Consecutive documents of the input: filled by a {@link DocumentReader}, converted by a worker, then reused. Has no object per
 * document. Used by one thread at a time.
 */
public final class Chunk {
    private byte[] bytes;
    private int length;
    private int[] starts;
    private int count;
    private long firstOrdinal;
    private long firstOffset;

    /** Creates a chunk with room for {@code capacity} bytes; it grows for a larger document. */
    public Chunk(int capacity) {
        bytes = new byte[capacity];
        starts = new int[Math.max(16, capacity / 256)];
    }

    /** The bytes of the documents, one after the other. */
    public byte[] array() {
        return bytes;
    }

    /** The number of documents. */
    public int count() {
        return count;
    }

    /** The size of all documents in bytes. */
    public int length() {
        return length;
    }

    /** The index in {@link #array} at which document {@code i} starts. */
    public int start(int i) {
        return starts[i];
    }

    /** The size of document {@code i} in bytes. */
    public int size(int i) {
        return (i + 1 < count ? starts[i + 1] : length) - starts[i];
    }

    /** The number, from 0, of document {@code i} in its collection. */
    public long ordinal(int i) {
        return firstOrdinal + i;
    }

    /** The offset in the uncompressed input at which document {@code i} starts. */
    public long offset(int i) {
        return firstOffset + starts[i];
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Empties it for documents from this position, and frees the memory that an oversized document took. */
    public void restart(int capacity, long ordinal, long offset) {
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

    /** Makes room for a document of {@code size} bytes, which the caller puts at the former {@link #length}. */
    public byte[] add(int size) {
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

    /** Removes the last document. */
    void dropLast() {
        length = starts[--count];
    }
}
