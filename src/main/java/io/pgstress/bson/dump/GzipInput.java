package io.pgstress.bson.dump;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/**
 * Decompresses gzip data (RFC 1952): all members in sequence, with length and CRC checked. Throws {@link ZipException} for
 * damaged or truncated data, after returning everything before it. Not thread-safe.
 *
 * <p>{@link java.util.zip.GZIPInputStream} treats a damaged header of a later member as the end of the data, and so silently
 * loses documents. Commons Compress, on a fault, drops what it has decompressed since the last call. See ADR 8.
 */
final class GzipInput extends InflaterInputStream {
    private static final int BUFFER = 64 * 1024;
    private static final int CRC_FLAG = 2;
    private static final int EXTRA_FLAG = 4;
    private static final int NAME_FLAG = 8;
    private static final int COMMENT_FLAG = 16;
    private static final int RESERVED_FLAGS = 0xe0;

    private final CRC32 crc = new CRC32();
    /** Index of the next byte in the buffer, while reading headers and trailers. */
    private int next;

    private boolean first = true;
    private boolean inMember;
    private boolean ended;

    GzipInput(InputStream in) {
        super(in, new Inflater(true), BUFFER);
    }

    @Override
    public int read(byte[] target, int at, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        while (inMember || nextMember()) {
            int read = super.read(target, at, count);
            if (read > 0) {
                crc.update(target, at, read);
                return read;
            }
            trailer();
        }
        return -1;
    }

    @Override
    protected void fill() throws IOException {
        if (!refill()) {
            throw early();
        }
        inf.setInput(buf, 0, len);
    }

    private boolean refill() throws IOException {
        next = 0;
        len = Math.max(0, in.read(buf, 0, buf.length));
        return len > 0;
    }

    /** Skips to the next member's data; false at the end. Zeros after the last member are padding. */
    private boolean nextMember() throws IOException {
        if (ended) {
            return false;
        }
        int id = next();
        while (id == 0 && !first) {
            id = next();
        }
        if (id < 0) {
            if (first) {
                throw early();
            }
            ended = true;
            return false;
        }
        if (id != 0x1f || next() != 0x8b || next() != 8) {
            throw new ZipException(first ? "no gzip header" : "garbage after the gzip data");
        }
        skipHeader();
        inf.reset();
        inf.setInput(buf, next, len - next);
        crc.reset();
        first = false;
        inMember = true;
        return true;
    }

    /** Skips the rest of the header after the magic number. */
    private void skipHeader() throws IOException {
        int flags = must();
        if ((flags & RESERVED_FLAGS) != 0) {
            throw new ZipException("no gzip header");
        }
        pass(6);
        if ((flags & EXTRA_FLAG) != 0) {
            pass(must() | must() << 8);
        }
        for (int flag : new int[] {NAME_FLAG, COMMENT_FLAG}) {
            while ((flags & flag) != 0 && must() != 0) {
                // skip the name and the comment
            }
        }
        if ((flags & CRC_FLAG) != 0) {
            pass(2);
        }
    }

    private void trailer() throws IOException {
        next = len - inf.getRemaining();
        if (word() != crc.getValue()) {
            throw new ZipException("gzip data with a wrong CRC");
        }
        if (word() != (inf.getBytesWritten() & 0xffffffffL)) {
            throw new ZipException("gzip data with a wrong length");
        }
        inMember = false;
    }

    /** Reads the next four bytes, least significant first. */
    private long word() throws IOException {
        return must() | must() << 8 | must() << 16 | (long) must() << 24;
    }

    private void pass(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            must();
        }
    }

    private int must() throws IOException {
        int one = next();
        if (one < 0) {
            throw early();
        }
        return one;
    }

    private int next() throws IOException {
        return next < len || refill() ? buf[next++] & 0xff : -1;
    }

    private static ZipException early() {
        return new ZipException("truncated gzip data");
    }

    @Override
    public void close() throws IOException {
        inf.end();
        super.close();
    }
}
