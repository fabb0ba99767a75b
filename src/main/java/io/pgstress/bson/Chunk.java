package io.pgstress.bson;

import io.pgstress.bson.Fault.Reject;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive documents of the input: filled by a {@link DocumentSource}, converted by a worker, then reused. Has no object per
 * document of BSON. Used by one thread at a time.
 */
public final class Chunk {
    private byte[] bytes;
    private int length;
    private int[] starts;
    private int count;
    private long firstOrdinal;
    private long firstOffset;
    /** Of documents that were written as text, the offset and the line of each. */
    private long[] places = {};

    private boolean hasPlaces;
    /** Why documents that were written as text could not become BSON, by their index. */
    private final Map<Integer, Reject> rejects = new HashMap<>();

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
        return !hasPlaces ? firstOffset + starts[i] : places[2 * i];
    }

    /** The line of the input, from 1, at which document {@code i} starts if it was written as text; otherwise 0. */
    public long line(int i) {
        return !hasPlaces ? 0 : places[2 * i + 1];
    }

    /** Why document {@code i}, which was written as text, could not become BSON; null if it did. */
    public @Nullable Reject reject(int i) {
        return rejects.isEmpty() ? null : rejects.get(i);
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
        hasPlaces = false;
        rejects.clear();
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

    /**
     * Says where the last document, which was written as text, starts in the input, and whether it became BSON.
     *
     * @param reject why it did not; null if it did
     */
    public void place(long offset, long line, @Nullable Reject reject) {
        int last = count - 1;
        if (2 * last + 1 >= places.length) {
            places = Arrays.copyOf(places, 2 * starts.length);
        }
        hasPlaces = true;
        places[2 * last] = offset;
        places[2 * last + 1] = line;
        if (reject != null) {
            rejects.put(last, reject);
        }
    }

    /** Removes the last document. */
    void dropLast() {
        length = starts[--count];
    }
}
