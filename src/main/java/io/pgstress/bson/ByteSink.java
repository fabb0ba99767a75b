package io.pgstress.bson;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A growing byte buffer that is filled, read and reused: it allocates only when it grows. Not thread-safe. Growing past about 2 GiB
 * throws {@link IllegalStateException}: empty it before that.
 *
 * <p>Hot code takes the array once, {@code byte[] b = sink.ensure(n); int w = sink.length();}, writes at most {@code n} bytes from
 * {@code w} on, and ends with {@code sink.length(w)}.
 */
public final class ByteSink {
    private static final VarHandle BIG_SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle BIG_INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle BIG_LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int LARGEST = Integer.MAX_VALUE - 16;

    private byte[] bytes;
    private int length;

    /** Starts with room for {@code capacity} bytes. */
    public ByteSink(int capacity) {
        bytes = new byte[Math.max(16, capacity)];
    }

    /** The bytes; those from {@link #length} on mean nothing. Another array after it has grown. */
    public byte[] array() {
        return bytes;
    }

    public int length() {
        return length;
    }

    /** Cuts off what lies behind, or takes in what was written into {@link #array}. */
    public void length(int newLength) {
        length = newLength;
    }

    public void clear() {
        length = 0;
    }

    /** Bytes it holds room for. */
    public int capacity() {
        return bytes.length;
    }

    /** Gives memory back: what is larger than {@code capacity} is replaced by that much room. The content is lost. */
    public void shrink(int capacity) {
        length = 0;
        if (bytes.length > capacity) {
            bytes = new byte[Math.max(16, capacity)];
        }
    }

    /** Makes room for {@code more} bytes behind {@link #length} and returns the array. */
    public byte[] ensure(int more) {
        return more <= bytes.length - length ? bytes : grow(more);
    }

    private byte[] grow(int more) {
        long needed = (long) length + more;
        if (needed > LARGEST) {
            throw new IllegalStateException("a sink holds at most " + LARGEST + " bytes, asked for " + needed);
        }
        long larger = Math.min(LARGEST, bytes.length + (long) (bytes.length >> 1) + 64);
        bytes = Arrays.copyOf(bytes, (int) Math.max(needed, larger));
        return bytes;
    }

    public void put(int oneByte) {
        ensure(1)[length++] = (byte) oneByte;
    }

    public void put(byte[] token) {
        put(token, 0, token.length);
    }

    public void put(byte[] from, int offset, int count) {
        System.arraycopy(from, offset, ensure(count), length, count);
        length += count;
    }

    /** Two bytes, most significant first, as the PostgreSQL protocol has them. */
    public void putShort(int value) {
        BIG_SHORT.set(ensure(2), length, (short) value);
        length += 2;
    }

    /** Four bytes, most significant first. */
    public void putInt(int value) {
        BIG_INT.set(ensure(4), length, value);
        length += 4;
    }

    /** Eight bytes, most significant first. */
    public void putLong(long value) {
        BIG_LONG.set(ensure(8), length, value);
        length += 8;
    }

    /** Overwrites four bytes written before, most significant first: a length known only afterwards. */
    public void patchInt(int at, int value) {
        BIG_INT.set(bytes, at, value);
    }

    /** A copy of the content. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }
}
