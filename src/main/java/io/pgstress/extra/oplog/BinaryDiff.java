package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

/**
 * Applies the change {@code {o: offset, d: data}} of a diff's section {@code b}: the data replace everything from the offset on.
 * MongoDB 8.0 writes it for the buckets of time series.
 */
final class BinaryDiff {
    private static final String KIND = "a malformed $v: 2 diff";
    private static final int HEADER = 5;

    private BinaryDiff() {}

    /** The changed value; null if the old one is no binary data of at least this length. */
    static JsonValue apply(JsonValue old, Fields change) {
        Field data = change.get("d");
        long offset = change.get("o").number();
        if (data.type() != BsonType.BINARY || offset < 0) {
            throw new EntryException(KIND, "the change of a binary value has no offset or data");
        }
        JsonValue binary = child(old, "$binary");
        JsonValue base64 = child(binary, "base64");
        String text = base64.toString();
        if (!text.startsWith("\"")) {
            return JsonValue.nothing();
        }
        byte[] before = Base64.getDecoder().decode(text.substring(1, text.length() - 1));
        if (offset > before.length) {
            return JsonValue.nothing();
        }
        int added = Bytes.intAt(data.bytes(), data.at());
        byte[] after = Arrays.copyOf(before, (int) offset + added);
        System.arraycopy(data.bytes(), data.at() + HEADER, after, (int) offset, added);
        Map<String, JsonValue> fields = binary.fields();
        fields.put("base64", JsonValue.of('"' + Base64.getEncoder().encodeToString(after) + '"'));
        return old;
    }

    private static JsonValue child(JsonValue of, String name) {
        JsonValue found = of.isObject() ? of.fields().get(name) : null;
        return found == null ? JsonValue.nothing() : found;
    }
}
