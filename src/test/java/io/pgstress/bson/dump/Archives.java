package io.pgstress.bson.dump;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Documents;

/** Archives written for tests, piece by piece, with a CRC computed bit by bit. */
public final class Archives {
    static final byte[] TERMINATOR = Documents.int32(-1);

    private Archives() {}

    public static byte[] prelude(byte[]... collections) {
        ByteSink header = new ByteSink(100);
        new BsonWriter(header)
                .document()
                .int32("concurrent_collections", 4)
                .string("version", "0.1")
                .string("server_version", "7.0.1")
                .string("tool_version", "100.9.0")
                .end();
        return Documents.concat(
                Documents.int32(DumpInput.ARCHIVE_MAGIC),
                header.toByteArray(),
                Documents.concat(collections),
                TERMINATOR);
    }

    public static byte[] metadata(String db, String collection, String json, String type) {
        ByteSink out = new ByteSink(100);
        new BsonWriter(out)
                .document()
                .string("db", db)
                .string("collection", collection)
                .string("metadata", json)
                .int32("size", 0)
                .string("type", type)
                .end();
        return out.toByteArray();
    }

    public static byte[] block(String db, String collection, byte[]... documents) {
        return Documents.concat(header(db, collection, false, 0), Documents.concat(documents), TERMINATOR);
    }

    public static byte[] end(String db, String collection, byte[]... documents) {
        return Documents.concat(header(db, collection, true, crc(Documents.concat(documents))), TERMINATOR);
    }

    static byte[] header(String db, String collection, boolean eof, long crc) {
        ByteSink out = new ByteSink(100);
        new BsonWriter(out)
                .document()
                .string("db", db)
                .string("collection", collection)
                .bool("EOF", eof)
                .int64("CRC", crc)
                .end();
        return out.toByteArray();
    }

    static long crc(byte[] bytes) {
        long crc = -1;
        for (byte b : bytes) {
            crc ^= b & 0xff;
            for (int bit = 0; bit < 8; bit++) {
                crc = crc >>> 1 ^ ((crc & 1) == 0 ? 0 : 0xC96C5795D7870F42L);
            }
        }
        return ~crc;
    }
}
