package io.pgstress.importer;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.copy.CopyFormat;
import io.pgstress.bson.copy.CopyRows;
import io.pgstress.bson.json.Alterations;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.bson.json.Reject;
import io.pgstress.importer.table.ColumnReader;
import io.pgstress.importer.verify.RowHash;
import org.jspecify.annotations.Nullable;

/**
 * Encodes documents as rows in COPY's binary format: {@code (_id, data)}, or {@code (_seq, _id, data)} for a staging table,
 * where {@code _seq} is the document's number in the input. One per worker and table; not thread-safe.
 */
final class RowEncoder {
    static final CopyFormat FORMAT = CopyFormat.BINARY;
    /** Bytes of the number's length and value, which are inserted after the column count. */
    private static final int NUMBER = Integer.BYTES + Long.BYTES;

    private static final byte[] NONE = {};

    private final CopyRows rows;
    private final boolean numbered;
    private final RowHash hash = new RowHash();
    private final @Nullable ColumnReader columns;
    /** Bytes between the column count and the key. */
    private final int prefix;

    private final @Nullable GeneratedId generator;
    private long generated;
    private byte[] bytes = NONE;
    private int start;
    private int size;

    /**
     * @param generateIds whether documents without an {@code _id} are given one
     * @param columns reads the values of typed columns; null if there are none
     */
    RowEncoder(
            JsonOptions options, KeyForm form, boolean numbered, boolean generateIds, @Nullable ColumnReader columns) {
        this.columns = columns;
        this.prefix = numbered ? NUMBER : 0;
        this.rows = new CopyRows(FORMAT, form, options);
        this.numbered = numbered;
        this.generator = generateIds ? new GeneratedId() : null;
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
        int mark = out.length();
        boolean copied = take(chunk, document);
        boolean done = begin(out) && rows.append(bytes, start, size, out);
        bytes = NONE;
        generated += copied && done ? 1 : 0;
        return end(done, mark, chunk, document, out);
    }

    /** Appends the row of a large document without its JSON, which {@link #body} appends. */
    boolean head(Chunk chunk, int document, ByteSink out, ByteSink scratch) {
        int mark = out.length();
        boolean copied = take(chunk, document);
        boolean done = begin(out) && rows.appendHead(bytes, start, size, out, scratch);
        bytes = done ? bytes : NONE;
        generated += copied && done ? 1 : 0;
        return end(done, mark, chunk, document, out);
    }

    /** The JSON of the document of the last {@link #head}; the sink may be flushed in between. */
    void body(ByteSink out) {
        rows.appendBody(bytes, start, size, out);
        bytes = NONE; // a large chunk's memory is freed
    }

    /** Leaves room for what is before the key; false if a typed column rejects the document. */
    private boolean begin(ByteSink out) {
        if (columns != null && !columns.read(bytes, start, size)) {
            return false;
        }
        if (numbered) {
            out.ensure(NUMBER);
            out.length(out.length() + NUMBER);
        }
        return true;
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
        if (done && columns != null) {
            columns.count();
        }
        return done;
    }

    /** What reads the values of typed columns; null if there are none. */
    @Nullable
    ColumnReader columns() {
        return columns;
    }

    /** Begins to count the values of typed columns anew. */
    void clearColumns() {
        if (columns != null) {
            columns.clear();
        }
    }

    /** Why the last document was rejected. */
    Reject reject() {
        Reject ofColumn = columns == null ? null : columns.reject();
        Reject reject = ofColumn == null ? rows.reject() : ofColumn;
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
}
