package io.pgstress.bson.dump;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/** The compressed bytes of a gzip input: its headers and trailers (RFC 1952) byte by byte, its deflate data in one piece. */
final class GzipBytes implements Closeable {
    private static final int BUFFER = 64 * 1024;
    private static final int CRC_FLAG = 2;
    private static final int EXTRA_FLAG = 4;
    private static final int NAME_FLAG = 8;
    private static final int COMMENT_FLAG = 16;
    private static final int RESERVED_FLAGS = 0xe0;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int from;
    private int to;

    GzipBytes(InputStream in) {
        this.in = in;
    }

    /** Passes what follows the magic number up to the data. */
    void passHeader() throws IOException {
        int flags = must();
        if ((flags & RESERVED_FLAGS) != 0) {
            throw new ZipException("no gzip header");
        }
        skip(6);
        if ((flags & EXTRA_FLAG) != 0) {
            skip(must() | must() << 8);
        }
        for (int flag : new int[] {NAME_FLAG, COMMENT_FLAG}) {
            while ((flags & flag) != 0 && must() != 0) {
                // The name and the comment say nothing.
            }
        }
        if ((flags & CRC_FLAG) != 0) {
            skip(2);
        }
    }

    /** Gives the inflater all bytes at hand, or the next. */
    void feed(Inflater inflater) throws IOException {
        if (from == to && !fill()) {
            throw early();
        }
        inflater.setInput(buffer, from, to - from);
        from = to;
    }

    /** Takes back what the inflater did not need of its last bytes. */
    void unread(int count) {
        from = to - count;
    }

    /** The next four bytes, the lowest first. */
    long word() throws IOException {
        return must() | must() << 8 | must() << 16 | (long) must() << 24;
    }

    private void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            must();
        }
    }

    private int must() throws IOException {
        int next = next();
        if (next < 0) {
            throw early();
        }
        return next;
    }

    int next() throws IOException {
        return from < to || fill() ? buffer[from++] & 0xff : -1;
    }

    private boolean fill() throws IOException {
        from = 0;
        to = Math.max(0, in.read(buffer, 0, buffer.length));
        return to > 0;
    }

    static ZipException early() {
        return new ZipException("the gzip data ends early");
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
