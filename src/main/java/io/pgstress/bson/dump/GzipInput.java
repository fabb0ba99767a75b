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

    private final GzipBytes in;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private boolean first = true;
    private boolean inMember;
    private boolean ended;

    GzipInput(InputStream in) {
        this.in = new GzipBytes(in);
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
                in.feed(inflater);
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
        int id = in.next();
        while (id == 0 && !first) {
            id = in.next();
        }
        if (id < 0) {
            if (first) {
                throw GzipBytes.early();
            }
            ended = true;
            return;
        }
        if (id != 0x1f || in.next() != 0x8b || in.next() != 8) {
            throw new ZipException(first ? "no gzip header" : "garbage behind the gzip data");
        }
        in.passHeader();
        inflater.reset();
        crc.reset();
        in.feed(inflater);
        first = false;
        inMember = true;
    }

    private void trailer() throws IOException {
        in.unread(inflater.getRemaining());
        long expectedCrc = in.word();
        long expectedLength = in.word();
        if (expectedCrc != crc.getValue()) {
            throw new ZipException("a wrong CRC of the gzip data");
        }
        if (expectedLength != (inflater.getBytesWritten() & 0xffffffffL)) {
            throw new ZipException("a wrong length of the gzip data");
        }
        inMember = false;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}
