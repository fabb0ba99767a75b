package io.pgstress.importer;

import io.pgstress.bson.Bytes;
import io.pgstress.importer.JsonHash.NestHash;

/** Hashes rows {@code (_id, data)} in COPY's binary format, as sent and as read back. Not thread-safe. */
public final class RowHash {
    /** Bytes before the first row: signature, flags and length of the extension. */
    private static final int HEADER = 19;

    private static final int TRAILER = -1;
    private static final int NONE = -1;
    private static final long FNV_PRIME = 0x100000001B3L;

    private final JsonHash json = new JsonHash();
    private long key;

    /**
     * The hash of a row.
     *
     * @param keyAt index of the length of {@code _id}; its bytes follow, then the length and bytes of {@code data}
     * @param mayRepeat whether an object of {@code data} may repeat a key; the last one counts
     */
    public long of(byte[] bytes, int keyAt, boolean mayRepeat) {
        int to = key(bytes, keyAt);
        int data = to + Integer.BYTES;
        int size = length(bytes, to);
        // a byte for jsonb's version, then its text
        return NestHash.mix(NestHash.mix(key, 29), size < 0 ? 0 : json.of(bytes, data + 1, data + size, mayRepeat));
    }

    /** Begins a row with its {@code _id}, laid out as for {@link #of}; the text of {@code data} follows with {@link #more}. */
    public void begin(byte[] bytes, int keyAt, boolean mayRepeat) {
        key(bytes, keyAt);
        json.begin(mayRepeat);
    }

    /** Adds the next bytes. */
    public void more(byte[] bytes, int from, int to) {
        json.more(bytes, from, to, false);
    }

    /** Adds the last bytes and returns the hash of the row. */
    public long end(byte[] bytes, int from, int to) {
        json.more(bytes, from, to, true);
        return NestHash.mix(NestHash.mix(key, 29), json.end());
    }

    /** The hash of the last row's key: different keys have different ones with a probability of about 1 - 2^-64. */
    public long ofKey() {
        return NestHash.mix(key, 31);
    }

    /** The hash of a key alone, whose length is at {@code keyAt}. */
    public long ofKey(byte[] bytes, int keyAt) {
        key(bytes, keyAt);
        return ofKey();
    }

    /** Index after the field whose length is at {@code at}. */
    public static int endOf(byte[] bytes, int at) {
        return at + Integer.BYTES + Math.max(0, length(bytes, at));
    }

    /** Hashes the key; returns the index after it. */
    private int key(byte[] bytes, int keyAt) {
        int from = keyAt + Integer.BYTES;
        int to = endOf(bytes, keyAt);
        key = 23;
        for (int i = from; i < to; i++) {
            key = (key ^ (bytes[i] & 0xff)) * FNV_PRIME;
        }
        return to;
    }

    /** Index of the key in a message of the server; -1 if it has no row: the header alone, or the trailer. */
    public static int keyOf(byte[] message, int columnsWanted) {
        int at = message.length >= HEADER && message[0] == 'P' ? HEADER : 0;
        if (message.length < at + Short.BYTES) {
            return NONE;
        }
        int columns = (short) (((message[at] & 0xff) << 8) | (message[at + 1] & 0xff));
        if (columns == TRAILER) {
            return NONE;
        }
        if (columns != columnsWanted) {
            throw new IllegalStateException(
                    "the server's COPY sent " + columns + " columns in a row of " + columnsWanted);
        }
        return at + Short.BYTES;
    }

    /** The length of the field at {@code at}; -1 if it is null. */
    public static int length(byte[] bytes, int at) {
        return Integer.reverseBytes(Bytes.intAt(bytes, at));
    }
}
