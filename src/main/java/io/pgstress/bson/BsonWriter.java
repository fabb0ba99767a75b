package io.pgstress.bson;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes BSON documents to a sink: {@code document().int32("_id", 7).string("name", "x").end()}. Between
 * {@link #array} and its {@link #end}, numbers replace the names. Throws {@link
 * IllegalArgumentException} for a name with U+0000, and {@link IllegalStateException} for an end without a beginning or a value
 * outside a document. Not thread-safe.
 */
public final class BsonWriter {
    /** Never part of UTF-8. */
    private static final int NO_CHARACTER = 0xff;

    private static final int NOT_ARRAY = -1;

    private final ByteSink out;
    private int[] starts = new int[16];
    private int[] nextIndex = new int[16];
    private int depth;

    public BsonWriter(ByteSink out) {
        this.out = out;
    }

    /** Begins a top-level document. */
    public BsonWriter document() {
        if (depth != 0) {
            throw new IllegalStateException("a document in a document needs a name");
        }
        return open(NOT_ARRAY);
    }

    public BsonWriter document(String name) {
        element(BsonType.DOCUMENT, name);
        return open(NOT_ARRAY);
    }

    public BsonWriter array(String name) {
        element(BsonType.ARRAY, name);
        return open(0);
    }

    private BsonWriter open(int index) {
        if (depth == starts.length) {
            starts = Arrays.copyOf(starts, depth * 2);
            nextIndex = Arrays.copyOf(nextIndex, depth * 2);
        }
        starts[depth] = out.length();
        nextIndex[depth++] = index;
        int32(0);
        return this;
    }

    /** Ends the innermost document or array. */
    public BsonWriter end() {
        if (depth == 0) {
            throw new IllegalStateException("nothing is open");
        }
        out.put(0);
        int start = starts[--depth];
        Bytes.putInt(out.array(), start, out.length() - start);
        return this;
    }

    public BsonWriter int32(String name, int value) {
        element(BsonType.INT32, name);
        return int32(value);
    }

    public BsonWriter int64(String name, long value) {
        element(BsonType.INT64, name);
        return int64(value);
    }

    public BsonWriter float64(String name, double value) {
        element(BsonType.DOUBLE, name);
        return int64(Double.doubleToRawLongBits(value));
    }

    /** A decimal128 from its two words, as in {@code org.bson.types.Decimal128}. */
    public BsonWriter decimal128(String name, long low, long high) {
        element(BsonType.DECIMAL128, name);
        return int64(low).int64(high);
    }

    public BsonWriter bool(String name, boolean value) {
        element(BsonType.BOOLEAN, name);
        out.put(value ? 1 : 0);
        return this;
    }

    public BsonWriter nothing(String name) {
        element(BsonType.NULL, name);
        return this;
    }

    /** A date in milliseconds since 1970. */
    public BsonWriter date(String name, long millis) {
        element(BsonType.DATE, name);
        return int64(millis);
    }

    /** An ObjectId: four bytes of seconds, then eight, most significant first. */
    public BsonWriter objectId(String name, int seconds, long rest) {
        element(BsonType.OBJECT_ID, name);
        out.putInt(seconds);
        out.putLong(rest);
        return this;
    }

    public BsonWriter binary(String name, int subtype, byte[] value) {
        element(BsonType.BINARY, name);
        int32(value.length);
        out.put(subtype);
        out.put(value);
        return this;
    }

    public BsonWriter string(String name, CharSequence value) {
        element(BsonType.STRING, name);
        int at = out.length();
        int32(0);
        utf8(value.toString());
        out.put(0);
        Bytes.putInt(out.array(), at, out.length() - at - 4);
        return this;
    }

    /** Appends text as UTF-8. A surrogate without its counterpart is no character: it becomes a byte that decoders of UTF-8 refuse. */
    private void utf8(String text) {
        int from = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isSurrogatePair(c, at + 1 < text.length() ? text.charAt(at + 1) : c)) {
                at++;
                continue;
            }
            out.put(text.substring(from, at).getBytes(StandardCharsets.UTF_8));
            from = at + 1;
            out.put(NO_CHARACTER);
        }
        out.put((from == 0 ? text : text.substring(from)).getBytes(StandardCharsets.UTF_8));
    }

    private void element(int type, String name) {
        if (depth == 0) {
            throw new IllegalStateException("no document is open");
        }
        out.put(type);
        if (nextIndex[depth - 1] >= 0) {
            index(nextIndex[depth - 1]++);
        } else if (name.indexOf('\0') < 0) {
            utf8(name);
        } else {
            throw new IllegalArgumentException("a name with U+0000");
        }
        out.put(0);
    }

    private void index(int value) {
        if (value >= 10) {
            index(value / 10);
        }
        out.put('0' + value % 10);
    }

    private BsonWriter int32(int value) {
        Bytes.putInt(out.ensure(4), out.length(), value);
        out.length(out.length() + 4);
        return this;
    }

    private BsonWriter int64(long value) {
        Bytes.putLong(out.ensure(8), out.length(), value);
        out.length(out.length() + 8);
        return this;
    }
}
