package io.pgstress.bson.json;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.json.JsonOptions.DuplicateKeyPolicy;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.JsonOptions.NulPolicy;
import io.pgstress.bson.json.JsonOptions.Utf8Policy;
import java.nio.charset.StandardCharsets;

/** Shows the {@code _id} and other values of documents in messages, as canonical Extended JSON. Not thread-safe. */
public final class IdJson {
    /** Maximum length in bytes; a longer {@code _id} is not shown. */
    private static final int MAX_LENGTH = 4 << 10;

    private static final int MAX_DEPTH = 100;

    private final KeyFinder finder = new KeyFinder();
    private final ByteSink sink = new ByteSink(1 << 8);
    private final DocumentConverter converter = new DocumentConverter(new JsonOptions(
            ExtendedJson.CANONICAL, NulPolicy.REPLACE, Utf8Policy.REPLACE, DuplicateKeyPolicy.KEEP_LAST, MAX_DEPTH));

    /**
     * The JSON of the last {@code _id} of the document of {@code size} bytes at {@code from}; empty if it has none, or one that
     * is malformed, longer than 4 KiB or nested deeply.
     */
    public String of(byte[] bytes, int from, int size) {
        if (size < BsonType.MIN_DOCUMENT || !finder.findLast(bytes, from, size)) {
            return "";
        }
        return of(finder.type(), bytes, from, finder.at(), from + size - 1);
    }

    /**
     * The JSON of the value of this type at {@code at} of the document at {@code from}; empty if it is malformed, longer than 4
     * KiB or nested deeply.
     */
    public String of(int type, byte[] bytes, int from, int at, int limit) {
        sink.clear();
        if (!converter.value(type, bytes, from, at, limit, sink)) {
            return "";
        }
        String json = new String(sink.array(), 0, sink.length(), StandardCharsets.UTF_8);
        boolean fits = sink.length() <= MAX_LENGTH;
        sink.shrink(MAX_LENGTH);
        return fits ? json : "";
    }
}
