package io.pgstress.bson.dump;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Gzip decompressed, all members one behind the other, length and CRC checked; data that ends early or is damaged is a
 * {@link ZipException}. {@link java.util.zip.GZIPInputStream} asks {@code available()} whether another member follows, which a pipe
 * may deny, and takes a broken one for the end: both would lose documents without a word.
 */
final class GzipInput extends InputStream {
    private static final int BUFFER = 64 * 1024;
    private static final int CRC_FLAG = 2;
    private static final int EXTRA_FLAG = 4;
    private static final int NAME_FLAG = 8;
    private static final int COMMENT_FLAG = 16;
    private static final int RESERVED_FLAGS = 0xe0;

    private final InputStream in;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private final byte[] buffer = new byte[BUFFER];
    private int from;
    private int to;
    private boolean first = true;
    private boolean inMember;
    private boolean ended;

    GzipInput(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int at, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        while (!ended) {
            if (!inMember) {
                nextMember();
                continue;
            }
            int read = inflate(target, at, count);
            if (read > 0) {
                crc.update(target, at, read);
                return read;
            }
            if (inflater.finished()) {
                trailer();
            }
        }
        return -1;
    }

    private int inflate(byte[] target, int at, int count) throws IOException {
        try {
            int read = inflater.inflate(target, at, count);
            if (read == 0 && inflater.needsInput() && !inflater.finished()) {
                if (!fill()) {
                    throw early();
                }
                inflater.setInput(buffer, 0, to);
            }
            return read;
        } catch (DataFormatException e) {
            ZipException damaged = new ZipException("damaged deflate data: " + e.getMessage());
            damaged.initCause(e);
            throw damaged;
        }
    }

    /** Goes to the next member's data; zeros behind the last one are padding, anything else is not. */
    private void nextMember() throws IOException {
        int id = next();
        while (id == 0 && !first) {
            id = next();
        }
        if (id < 0) {
            if (first) {
                throw early();
            }
            ended = true;
            return;
        }
        if (id != 0x1f || next() != 0x8b || next() != 8) {
            throw new ZipException(first ? "no gzip header" : "garbage behind the gzip data");
        }
        header();
        inflater.reset();
        crc.reset();
        inflater.setInput(buffer, from, to - from);
        first = false;
        inMember = true;
    }

    private void header() throws IOException {
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

    private void trailer() throws IOException {
        from = to - inflater.getRemaining();
        long expectedCrc = word();
        long expectedLength = word();
        if (expectedCrc != crc.getValue()) {
            throw new ZipException("a wrong CRC of the gzip data");
        }
        if (expectedLength != (inflater.getBytesWritten() & 0xffffffffL)) {
            throw new ZipException("a wrong length of the gzip data");
        }
        inMember = false;
    }

    private long word() throws IOException {
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

    private int next() throws IOException {
        return from < to || fill() ? buffer[from++] & 0xff : -1;
    }

    private boolean fill() throws IOException {
        from = 0;
        to = Math.max(0, in.read(buffer, 0, buffer.length));
        return to > 0;
    }

    private static ZipException early() {
        return new ZipException("the gzip data ends early");
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}
