package io.pgstress.extra.oplog;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.json.Alterations;
import io.pgstress.bson.json.DocumentConverter;
import io.pgstress.bson.json.Fault.Reject;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.extra.oplog.BsonFields.Field;
import java.nio.charset.StandardCharsets;

/**
 * Converts the documents and values of an oplog to JSON, as the import converts documents: what the import rejects, this
 * rejects too. Not thread-safe.
 */
final class ValueJson {
    private static final int KEPT = 1 << 20;

    private final int maxDepth;
    private final DocumentConverter converter;
    private final ByteSink sink = new ByteSink(1 << 12);

    ValueJson(JsonOptions options) {
        this.maxDepth = options.maxDepth();
        this.converter = new DocumentConverter(options);
    }

    /**
     * The JSON of a document.
     *
     * @throws EntryException if the import would reject it
     */
    String document(BsonFields document) {
        return taken(converter.convert(document.bytes(), document.start(), document.size(), sink));
    }

    /** The JSON of any value. */
    String value(Field field) {
        return taken(converter.value(field.type(), field.bytes(), field.at(), field.at(), field.end(), sink));
    }

    private String taken(boolean done) {
        String json = new String(sink.array(), 0, sink.length(), StandardCharsets.UTF_8);
        sink.shrink(KEPT);
        Reject reject = done ? null : converter.reject();
        if (reject != null) {
            String what = reject.detail().isEmpty() ? "" : reject.detail() + ", ";
            throw new EntryException(reject.fault().text(), what + "at byte " + reject.offset() + " of the value");
        }
        return json;
    }

    /** The levels of nesting that the import accepts. */
    int maxDepth() {
        return maxDepth;
    }

    /** What was altered, as the options allow. */
    Alterations altered() {
        return converter.tally();
    }
}
