package io.pgstress.bson;

import io.pgstress.bson.Fault.Reject;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive documents of the input: filled by a {@link DocumentSource}, converted by a worker, then reused. Documents that are
 * written as text are parsed after the chunk is full, so that several threads share this work. Has no object per document of BSON. Used
 * by one thread at a time.
 */
public final class Chunk {
    /** Makes BSON of documents that are written as text. */
    public interface Parser {
        /** Begins a text that has documents up to before {@code length}. */
        void begin(byte[] text, int length);

        /**
         * Appends the document from {@code from} to before {@code to} to the sink.
         *
         * @param onlyId whether to leave out all fields but {@code _id}
         * @return why it cannot become BSON, in which case the sink is unchanged; null if it did
         */
        @Nullable
        Reject parse(int from, int to, boolean onlyId, ByteSink sink);

        /** Ends the text. */
        void end();
    }

    /** Stands for a document that could not become BSON. */
    private static final byte[] EMPTY_DOCUMENT = {BsonType.MIN_DOCUMENT, 0, 0, 0, 0};

    private byte[] bytes;
    private int length;
    private int[] starts;
    private int count;
    private long firstOrdinal;
    private long firstOffset;
    /** Of documents that are written as text, the offset and the line of each. */
    private long[] places = {};

    /** Makes BSON of the documents; null if they were read as BSON. */
    private @Nullable Parser parser;

    /** What the documents were parsed from; null before that, and of documents that were read as BSON. */
    private @Nullable Unparsed text;
    /** Why documents could not become BSON, by their index. */
    private final Map<Integer, Reject> rejects = new HashMap<>();

    /** The bytes of documents as they were read, and where each begins. */
    private static final class Unparsed {
        final byte[] bytes;
        final int[] starts;
        final int length;

        Unparsed(byte[] bytes, int[] starts, int length) {
            this.bytes = bytes;
            this.starts = starts;
            this.length = length;
        }

        int end(int document, int count) {
            return document + 1 < count ? starts[document + 1] : length;
        }
    }

    /** Creates a chunk with room for {@code capacity} bytes; it grows for a larger document. */
    public Chunk(int capacity) {
        bytes = new byte[capacity];
        starts = new int[Math.max(16, capacity / 256)];
    }

    /** The bytes of the documents, one after the other; before {@link #parse}, as they were read. */
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
        return parser == null ? firstOffset + starts[i] : places[2 * i];
    }

    /** The line of the input, from 1, at which document {@code i} starts if it is written as text; otherwise 0. */
    public long line(int i) {
        return parser == null ? 0 : places[2 * i + 1];
    }

    /**
     * Why document {@code i}, which is written as text, could not become BSON; null if it did. After {@link #parse}, an empty document
     * stands for one that could not.
     */
    public @Nullable Reject reject(int i) {
        return rejects.isEmpty() ? null : rejects.get(i);
    }

    /** The text of document {@code i} as it was read; null if that was BSON. */
    public byte @Nullable [] text(int i) {
        Unparsed read = text;
        return read == null ? null : Arrays.copyOfRange(read.bytes, read.starts[i], read.end(i, count));
    }

    /** A checksum of the documents from {@code from} to before {@code to} as they were read. */
    public long checksum(int from, int to) {
        Unparsed read = text == null ? new Unparsed(bytes, starts, length) : text;
        CRC32C sum = new CRC32C();
        sum.update(read.bytes, read.starts[from], read.end(to - 1, count) - read.starts[from]);
        return sum.getValue();
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Whether the documents are written as text. */
    public boolean isText() {
        return parser != null;
    }

    /** Empties it for documents from this position, and frees the memory that an oversized document took. */
    public void restart(int capacity, long ordinal, long offset) {
        discard();
        if (bytes.length < capacity || bytes.length > 2 * (long) capacity) {
            bytes = new byte[capacity];
        }
        if (starts.length > capacity) {
            starts = new int[Math.max(16, capacity / 256)];
        }
        firstOrdinal = ordinal;
        firstOffset = offset;
    }

    /** Forgets the documents, and frees the memory of those that were made of text. */
    public void discard() {
        if (text != null) {
            bytes = text.bytes;
            starts = text.starts;
        }
        text = null;
        parser = null;
        length = 0;
        count = 0;
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
     * Adds a document that is written as text.
     *
     * @param offset where it starts in the uncompressed input
     * @param line the same as a line, from 1
     * @param by makes BSON of it, as of the others of this chunk
     */
    public void addText(byte[] from, int size, long offset, long line, Parser by) {
        int at = length;
        System.arraycopy(from, 0, add(size), at, size);
        parser = by;
        int last = count - 1;
        if (2 * last + 1 >= places.length) {
            places = Arrays.copyOf(places, 2 * starts.length);
        }
        places[2 * last] = offset;
        places[2 * last + 1] = line;
    }

    /** Makes BSON of documents that are written as text; does nothing for others, or if it was done. */
    public void parse() {
        parse(false);
    }

    /** Makes BSON of the ids of documents that are written as text, which takes less time; does nothing for others. */
    public void parseIds() {
        parse(true);
    }

    private void parse(boolean onlyId) {
        Parser by = parser;
        if (by == null || text != null) {
            return;
        }
        Unparsed read = new Unparsed(bytes, starts, length);
        ByteSink bson = new ByteSink(length);
        int[] startsOfBson = new int[starts.length];
        by.begin(read.bytes, read.length);
        for (int i = 0; i < count; i++) {
            startsOfBson[i] = bson.length();
            Reject reject = by.parse(read.starts[i], read.end(i, count), onlyId, bson);
            if (reject != null) {
                rejects.put(i, reject);
                bson.put(EMPTY_DOCUMENT);
            }
        }
        by.end();
        text = read;
        bytes = bson.array();
        starts = startsOfBson;
        length = bson.length();
    }

    /** Removes the last document. */
    void dropLast() {
        length = starts[--count];
    }
}
