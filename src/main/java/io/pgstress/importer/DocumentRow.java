package io.pgstress.importer;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.Fault.Reject;
import io.pgstress.bson.copy.CopyKeyText;
import io.pgstress.bson.json.DocumentConverter;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.importer.RowEncoder.LargeRow;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A document as the row that an import would make of it, without sending it: its hashes, and its texts. The methods replace the
 * results of earlier calls. Not thread-safe.
 */
public final class DocumentRow {
    private static final int LARGE = 1 << 20;
    private static final int MAX_KEPT_BYTES = 1 << 20;
    private static final int KEY_AT = Short.BYTES;

    private final RowEncoder encoder;
    private final DocumentConverter converter;
    private final KeyForm form;
    private final RowHash keyHash = new RowHash();
    private final ByteSink sink = new ByteSink(1 << 16);
    private final ByteSink scratch = new ByteSink(1 << 16);
    private long key;
    private long row;

    /**
     * Creates the conversion.
     *
     * @param form the form of the table's keys
     * @param generateIds whether documents without an {@code _id} are given one
     */
    public DocumentRow(JsonOptions options, KeyForm form, boolean generateIds) {
        encoder = new RowEncoder(options, form, false, generateIds);
        converter = new DocumentConverter(options);
        this.form = form;
    }

    /** Hashes the document's row; false if an import would reject it, see {@link #reject}. */
    public boolean hash(Chunk chunk, int document) {
        sink.clear();
        boolean large = chunk.size(document) > LARGE;
        boolean done = large ? encoder.head(chunk, document, sink, scratch) : encoder.row(chunk, document, sink);
        if (done) {
            key = keyHash.ofKey(sink.array(), KEY_AT);
            row = large ? ofLarge() : encoder.hash(sink, 0);
        }
        sink.shrink(MAX_KEPT_BYTES);
        scratch.shrink(MAX_KEPT_BYTES);
        return done;
    }

    private long ofLarge() {
        try {
            return new LargeRow(null, encoder.hashOfHead(sink, 0)).send(encoder, sink);
        } catch (SQLException e) {
            throw new IllegalStateException("nothing is sent to a server", e);
        }
    }

    /** Hashes the document's key alone; false if it has none that fits the column. */
    public boolean hashKey(Chunk chunk, int document) {
        sink.clear();
        boolean done = encoder.key(chunk, document, sink);
        key = done ? keyHash.ofKey(sink.array(), KEY_AT) : 0;
        return done;
    }

    /** The key in COPY's binary format after {@link #hashKey}: from the index 6 to before the length. */
    public ByteSink key() {
        return sink;
    }

    /** The key as text after {@link #hashKey}. */
    public String keyText() {
        return CopyKeyText.of(form, sink.array(), KEY_AT);
    }

    /** The JSON of the document; null if an import would reject the document. Takes several times its size in memory. */
    public @Nullable String json(Chunk chunk, int document) {
        sink.clear();
        boolean done = encoder.json(chunk, document, converter, sink);
        String json = done ? new String(sink.array(), 0, sink.length(), StandardCharsets.UTF_8) : null;
        sink.shrink(MAX_KEPT_BYTES);
        return json;
    }

    /** The hash of the last document's key, see {@link RowHash#ofKey()}. */
    public long keyHash() {
        return key;
    }

    /** The hash of the last document's row, see {@link RowHash#of}. */
    public long rowHash() {
        return row;
    }

    /** Why the last document was rejected by {@link #hash}. */
    public Reject reject() {
        return encoder.reject();
    }
}
