package io.pgstress.bson.dump;

import io.pgstress.bson.Bytes;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;

/** An opened input whose form was found by its first bytes, not its name: gunzipped if it is gzip, and known for an archive if it is. */
final class DumpInput implements Closeable {
    /** The bytes 6d e2 99 81 that begin an archive; as a document's length they would be negative. */
    static final int ARCHIVE_MAGIC = 0x8199e26d;

    private static final int GZIP_HEADER = 10;
    private static final int GZIP_MAGIC = 0x088b1f;
    private static final int LARGEST_GZIP_SYSTEM = 13;

    private final CountingInput counted;
    private final InputStream plain;
    private final boolean archive;

    DumpInput(InputStream in) throws IOException {
        counted = new CountingInput(in);
        PushbackInputStream raw = new PushbackInputStream(counted, GZIP_HEADER);
        PushbackInputStream data = raw;
        if (isGzip(head(raw, GZIP_HEADER))) {
            data = new PushbackInputStream(new GzipInput(raw), Integer.BYTES);
        }
        byte[] magic = head(data, Integer.BYTES);
        archive = magic.length == Integer.BYTES && Bytes.intAt(magic, 0) == ARCHIVE_MAGIC;
        plain = data;
    }

    private static byte[] head(PushbackInputStream in, int count) throws IOException {
        byte[] head = in.readNBytes(count);
        in.unread(head);
        return head;
    }

    /**
     * A document of 559,903 bytes begins with the same four bytes as a gzip header. What follows tells them apart: the key {@code _id},
     * which gzip would have to have as its time, or no sound flags of a compressor and its system.
     */
    private static boolean isGzip(byte[] head) {
        if (head.length < GZIP_HEADER) {
            return head.length >= 2 && (head[0] & 0xff) == 0x1f && (head[1] & 0xff) == 0x8b;
        }
        if (head[5] == '_' && head[6] == 'i' && head[7] == 'd' && head[8] == 0) {
            return false;
        }
        int extra = head[8];
        int system = head[9] & 0xff;
        return (Bytes.intAt(head, 0) & 0xffffff) == GZIP_MAGIC
                && (extra == 0 || extra == 2 || extra == 4)
                && (system <= LARGEST_GZIP_SYSTEM || system == 255);
    }

    /** The uncompressed bytes from the first on. */
    InputStream plain() {
        return plain;
    }

    boolean isArchive() {
        return archive;
    }

    /** Bytes read so far, before decompression. */
    long bytesRead() {
        return counted.count();
    }

    @Override
    public void close() throws IOException {
        plain.close();
    }
}
