package io.pgstress.extra.oplog;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.json.Alterations;
import io.pgstress.bson.json.DocumentConverter;
import io.pgstress.bson.json.Fault.Reject;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.extra.oplog.BsonFields.Field;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Converts the documents and values of an oplog to JSON, as the import converts documents: what the import rejects, this
 * rejects too. Not thread-safe.
 */
public final class ValueJson {
    private static final int KEPT = 1 << 20;

    private final JsonOptions options;
    private final Map<Integer, DocumentConverter> converters = new HashMap<>();
    private final ByteSink sink = new ByteSink(1 << 12);

    public ValueJson(JsonOptions options) {
        this.options = options;
    }

    /**
     * The JSON of a document.
     *
     * @throws EntryException if the import would reject it
     */
    public String document(BsonFields document) {
        DocumentConverter converter = converter(0);
        boolean done = converter.convert(document.bytes(), document.start(), document.size(), sink);
        return taken(done, converter);
    }

    /** The JSON of a value inside {@code depth} documents and arrays. */
    JsonValue value(Field field, int depth) {
        DocumentConverter converter = converter(depth);
        boolean done = converter.value(field.type(), field.bytes(), field.at(), field.at(), field.end(), sink);
        return JsonValue.of(taken(done, converter));
    }

    private String taken(boolean done, DocumentConverter converter) {
        String json = new String(sink.array(), 0, sink.length(), StandardCharsets.UTF_8);
        sink.shrink(KEPT);
        Reject reject = done ? null : converter.reject();
        if (reject != null) {
            String what = reject.detail().isEmpty() ? "" : reject.detail() + ", ";
            throw new EntryException(reject.fault().text(), what + "at byte " + reject.offset() + " of the value");
        }
        return json;
    }

    private DocumentConverter converter(int depth) {
        if (depth >= options.maxDepth()) {
            throw new EntryException("nesting deeper than the limit", "--max-depth " + options.maxDepth());
        }
        return converters.computeIfAbsent(
                depth,
                d -> new DocumentConverter(new JsonOptions(
                        options.mode(),
                        options.nul(),
                        options.utf8(),
                        options.duplicateKeys(),
                        options.maxDepth() - d)));
    }

    /** What was altered, as the options allow. */
    public Alterations altered() {
        return converters.values().stream().map(DocumentConverter::tally).reduce(Alterations.NONE, Alterations::plus);
    }
}
