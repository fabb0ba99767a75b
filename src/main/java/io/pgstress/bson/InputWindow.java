package io.pgstress.bson;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

/** A buffered input with a position, for peeking at bytes and copying out blocks. Not thread-safe. */
public final class InputWindow {
    private static final int SIZE = 256 * 1024;

    private final InputStream in;
    private final String label;
    private final byte[] buffer;
    private int from;
    private int to;
    private long base;

    /** Reads {@code in}, which it does not close; {@code label} names it in errors. */
    public InputWindow(InputStream in, String label) {
        this(in, label, SIZE);
    }

    /** Uses a buffer of {@code size} bytes, at least 4. */
    public InputWindow(InputStream in, String label, int size) {
        this.in = in;
        this.label = label;
        buffer = new byte[size];
    }

    /** The most bytes that can be peeked at. */
    public int capacity() {
        return buffer.length;
    }

    public String label() {
        return label;
    }

    /** The offset of the next byte, from 0. */
    public long position() {
        return base + from;
    }

    /**
     * The number of bytes that can be peeked at; at least {@code wanted}, which may be up to the buffer's size, unless the
     * input ends earlier.
     */
    public int available(int wanted) throws IOException {
        if (to - from < wanted) {
            fill(wanted);
        }
        return to - from;
    }

    private void fill(int wanted) throws IOException {
        System.arraycopy(buffer, from, buffer, 0, to - from);
        base += from;
        to -= from;
        from = 0;
        while (to < wanted) {
            int read = read(buffer, to, buffer.length - to);
            if (read < 0) {
                return;
            }
            to += read;
        }
    }

    /** The little-endian number in the next four bytes, which must be {@link #available}. */
    public int peekInt() {
        return Bytes.intAt(buffer, from);
    }

    /** The byte at this distance from the next one, which must be {@link #available}. */
    public int peek(int ahead) {
        return buffer[from + ahead];
    }

    /** Skips bytes, which must be {@link #available}. */
    public void skip(int count) {
        from += count;
    }

    /** Skips up to {@code max} bytes or somewhat more; returns whether the input ended. */
    public boolean skipToEnd(long max) throws IOException {
        for (long last = position() + max; position() < last; ) {
            int skipped = available(1);
            if (skipped == 0) {
                return true;
            }
            skip(skipped);
        }
        return false;
    }

    /** Copies the next {@code count} bytes, or fewer at the end of the input; returns their number. */
    public int copy(byte[] target, int at, int count) throws IOException {
        int done = Math.min(count, to - from);
        System.arraycopy(buffer, from, target, at, done);
        from += done;
        while (done < count) {
            int read = read(target, at + done, count - done);
            if (read < 0) {
                break;
            }
            done += read;
            base += read;
        }
        return done;
    }

    private int read(byte[] target, int at, int count) throws IOException {
        try {
            return in.read(target, at, count);
        } catch (ZipException e) {
            throw fault(valid("gzip"), e);
        } catch (CompressionException e) {
            throw fault(valid(e.format()), e);
        } catch (BsonException e) {
            throw e;
        } catch (IOException e) {
            throw fault("readable input", e);
        }
    }

    private static String valid(String format) {
        return "valid " + format + " data (offsets refer to the uncompressed bytes)";
    }

    private BsonException fault(String expected, IOException e) {
        String found = e.getMessage() == null ? e.toString() : e.getMessage();
        return new BsonException(label, base + to, expected, found, e);
    }
}
