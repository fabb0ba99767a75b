package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Chunk;
import io.pgstress.extra.oplog.BsonFields.Field;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An entry of an oplog, with its place in the input. Immutable. */
public final class OplogEntry {
    private final byte[] bytes;
    private final long offset;

    private OplogEntry(byte[] bytes, long offset) {
        this.bytes = bytes;
        this.offset = offset;
    }

    /** Copies a document of a chunk, which may be reused. */
    static OplogEntry of(Chunk chunk, int document) {
        int start = chunk.start(document);
        byte[] copy = Arrays.copyOfRange(chunk.array(), start, start + chunk.size(document));
        return new OplogEntry(copy, chunk.offset(document));
    }

    /** The entry as BSON. Callers must not modify it. */
    public byte[] bytes() {
        return bytes;
    }

    /** Its offset in the uncompressed input. */
    public long offset() {
        return offset;
    }

    BsonFields fields() {
        return BsonFields.of(bytes, 0, bytes.length);
    }

    /** The time as an unsigned number: seconds since 1970 in the upper half, a counter in the lower; 0 if it has none. */
    public static long time(BsonFields fields) {
        Field ts = fields.find("ts");
        return ts == null || ts.type() != BsonType.TIMESTAMP ? 0 : ts.number();
    }

    /** A time as mongorestore's {@code --oplogLimit} writes it: {@code seconds:counter}. */
    public static String text(long time) {
        return String.format(Locale.ROOT, "%d:%d", time >>> Integer.SIZE, time & 0xffff_ffffL);
    }

    /** The entry's time as text; empty if it cannot be read. */
    public String time() {
        try {
            return text(time(fields()));
        } catch (EntryException e) {
            return "";
        }
    }

    /** The session and number of the entry's transaction; null if it belongs to none. */
    static @Nullable String transaction(BsonFields fields) {
        Field session = fields.find("lsid");
        Field number = fields.find("txnNumber");
        if (session == null || number == null) {
            return null;
        }
        return HexFormat.of().formatHex(session.bytes(), session.at(), session.end()) + "-" + number.number();
    }
}
