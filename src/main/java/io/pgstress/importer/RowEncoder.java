package io.pgstress.importer;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.Fault.Reject;
import io.pgstress.bson.copy.CopyRows;
import io.pgstress.bson.json.Alterations;
import io.pgstress.bson.json.DocumentConverter;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.KeyFinder;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.target.driver.CopyStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Encodes documents as rows in COPY's binary format: {@code (_id, data)}, or {@code (_seq, _id, data)} for a staging table,
 * where {@code _seq} is the document's number in the input. One per worker and table; not thread-safe.
 */
final class RowEncoder {
    /** Bytes of the number's length and value, which are inserted after the column count. */
    private static final int NUMBER = Integer.BYTES + Long.BYTES;

    private static final byte[] NONE = {};

    private final CopyRows rows;
    private final boolean numbered;
    private final RowHash hash = new RowHash();
    /** Bytes between the column count and the key. */
    private final int prefix;

    private final @Nullable GeneratedId generator;
    private long generated;
    private @Nullable Reject refused;
    private byte[] bytes = NONE;
    private int start;
    private int size;

    /**
     * @param generateIds whether documents without an {@code _id} are given one
     */
    RowEncoder(JsonOptions options, KeyForm form, boolean numbered, boolean generateIds) {
        this.prefix = numbered ? NUMBER : 0;
        this.rows = new CopyRows(form, options);
        this.numbered = numbered;
        this.generator = generateIds ? new GeneratedId() : null;
    }

    /** Whether rows begin with the number of their document. */
    boolean isNumbered() {
        return numbered;
    }

    /** Whether the document became no BSON. */
    private boolean isRefused(Chunk chunk, int document) {
        refused = chunk.reject(document);
        return refused != null;
    }

    /** Takes the document as it is, or a copy with an id; returns whether it is a copy. */
    private boolean take(Chunk chunk, int document) {
        boolean copied = generator != null && generator.isMissing(chunk, document);
        bytes = copied && generator != null ? generator.add(chunk, document) : chunk.array();
        start = copied ? 0 : chunk.start(document);
        size = copied ? bytes.length : chunk.size(document);
        return copied;
    }

    /** Appends a row; false if the document is rejected, in which case the sink is unchanged. */
    boolean row(Chunk chunk, int document, ByteSink out) {
        if (isRefused(chunk, document)) {
            return false;
        }
        int mark = out.length();
        boolean copied = take(chunk, document);
        begin(out);
        boolean done = rows.append(bytes, start, size, out);
        bytes = NONE;
        generated += copied && done ? 1 : 0;
        return end(done, mark, chunk, document, out);
    }

    /** Appends the row of a large document without its JSON, which {@link #body} appends. */
    boolean head(Chunk chunk, int document, ByteSink out, ByteSink scratch) {
        if (isRefused(chunk, document)) {
            return false;
        }
        int mark = out.length();
        boolean copied = take(chunk, document);
        begin(out);
        boolean done = rows.appendHead(bytes, start, size, out, scratch);
        bytes = done ? bytes : NONE;
        generated += copied && done ? 1 : 0;
        return end(done, mark, chunk, document, out);
    }

    /** The JSON of the document of the last {@link #head}; the sink may be flushed in between. */
    void body(ByteSink out) {
        rows.appendBody(bytes, start, size, out);
        bytes = NONE; // a large chunk's memory is freed
    }

    /** Appends the beginning of a row up to its key; false if the document has none that fits the column. */
    boolean key(Chunk chunk, int document, ByteSink out) {
        if (isRefused(chunk, document)) {
            return false;
        }
        take(chunk, document);
        boolean done = rows.appendKeyOnly(bytes, start, size, out);
        bytes = NONE;
        return done;
    }

    /** Appends the JSON alone, with the keys in the order of the document; false if the converter rejects it. */
    boolean json(Chunk chunk, int document, DocumentConverter converter, ByteSink out) {
        if (isRefused(chunk, document)) {
            return false;
        }
        take(chunk, document);
        boolean done = converter.convert(bytes, start, size, out);
        bytes = NONE;
        return done;
    }

    /** Leaves room for what is before the key. */
    private void begin(ByteSink out) {
        if (numbered) {
            out.ensure(NUMBER);
            out.length(out.length() + NUMBER);
        }
    }

    private boolean end(boolean done, int mark, Chunk chunk, int document, ByteSink out) {
        if (!done) {
            out.length(mark);
        } else if (numbered) {
            int end = out.length();
            out.length(mark);
            out.putShort(3);
            out.putInt(Long.BYTES);
            out.putLong(chunk.ordinal(document));
            out.length(end);
        }
        return done;
    }

    /** Why the last document was rejected. */
    Reject reject() {
        Reject reject = refused == null ? rows.reject() : refused;
        if (reject == null) {
            throw new IllegalStateException("no document was rejected");
        }
        return reject;
    }

    /** The hash of the last row, which begins at {@code mark}. */
    long hash(ByteSink out, int mark) {
        return hash.of(out.array(), keyAt(mark), rows.hasRepeatedKeys());
    }

    /** Begins the hash of the row whose {@link #head} is at {@code mark}; its JSON is added in pieces. */
    RowHash hashOfHead(ByteSink out, int mark) {
        hash.begin(out.array(), keyAt(mark), rows.hasRepeatedKeys());
        return hash;
    }

    private int keyAt(int mark) {
        return mark + Short.BYTES + prefix;
    }

    /** The alterations so far. */
    Alterations tally() {
        return generator == null ? rows.tally() : rows.tally().plus(Alterations.generated(generated));
    }

    /**
     * Adds an ObjectId to a document without {@code _id}, as its first element, where a MongoDB server would put it. The id is made
     * of the document's number, so that ids ascend, and of a hash of the document. It is thus the same when the import is resumed or
     * verified. Not thread-safe.
     */
    static final class GeneratedId {
        private static final byte[] NAME = {BsonType.OBJECT_ID, '_', 'i', 'd', 0};
        private static final int LENGTH = 12;
        private static final int HASHED = 7;
        private static final int ADDED = NAME.length + LENGTH;

        private final KeyFinder finder = new KeyFinder();
        private final MessageDigest sha;

        GeneratedId() {
            try {
                sha = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }

        /** Whether the document needs an id. */
        boolean isMissing(Chunk chunk, int document) {
            int size = chunk.size(document);
            return size <= BsonType.MAX_DOCUMENT - ADDED && !finder.find(chunk.array(), chunk.start(document), size);
        }

        /** A copy of the document with an id. */
        byte[] add(Chunk chunk, int document) {
            byte[] bytes = chunk.array();
            int start = chunk.start(document);
            int size = chunk.size(document);
            byte[] copy = new byte[size + ADDED];
            Bytes.putInt(copy, 0, copy.length);
            System.arraycopy(NAME, 0, copy, Integer.BYTES, NAME.length);
            int id = Integer.BYTES + NAME.length;
            long ordinal = chunk.ordinal(document);
            for (int i = 0; i < LENGTH - HASHED; i++) {
                copy[id + i] = (byte) (ordinal >>> (8 * (LENGTH - HASHED - 1 - i)));
            }
            sha.update(bytes, start, size);
            System.arraycopy(sha.digest(), 0, copy, id + LENGTH - HASHED, HASHED);
            System.arraycopy(bytes, start + Integer.BYTES, copy, Integer.BYTES + ADDED, size - Integer.BYTES);
            return copy;
        }
    }

    /** Sends and hashes the row of a large document in pieces, so that it is never held in memory as a whole. */
    static final class LargeRow {
        /** Carries a server error through the converter. */
        private static final class Unsent extends RuntimeException {
            private static final long serialVersionUID = 1L;

            private final transient SQLException why;

            Unsent(SQLException why) {
                super(why);
                this.why = why;
            }
        }

        private final @Nullable CopyStream copy;
        private final @Nullable RowHash hash;
        private long waitNanos;

        /**
         * @param copy null if the row is only hashed
         * @param hash the hash, which already covers the row's head; null if not needed
         */
        LargeRow(@Nullable CopyStream copy, @Nullable RowHash hash) {
            this.copy = copy;
            this.hash = hash;
        }

        /** Sends the head in the sink and then the document, and empties the sink; returns the row's hash, or 0 without one. */
        long send(RowEncoder encoder, ByteSink sink) throws SQLException {
            try {
                write(sink.array(), sink.length());
                sink.clear();
                sink.spillTo(this::piece);
                encoder.body(sink);
                write(sink.array(), sink.length());
                return hash == null ? 0 : hash.end(sink.array(), 0, sink.length());
            } catch (Unsent e) {
                throw e.why;
            } finally {
                sink.spillTo(null);
                sink.clear();
            }
        }

        private void piece(byte[] bytes, int count) {
            if (hash != null) {
                hash.more(bytes, 0, count);
            }
            try {
                write(bytes, count);
            } catch (SQLException e) {
                throw new Unsent(e);
            }
        }

        private void write(byte[] bytes, int count) throws SQLException {
            if (copy != null) {
                long start = System.nanoTime();
                copy.write(bytes, 0, count);
                waitNanos += System.nanoTime() - start;
            }
        }

        /** Nanoseconds spent waiting for the server. */
        long waitNanos() {
            return waitNanos;
        }
    }
}
