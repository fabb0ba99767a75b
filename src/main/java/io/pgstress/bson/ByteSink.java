package io.pgstress.bson;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

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
    private static final int MAX_CAPACITY = Integer.MAX_VALUE - 16;

    /** Takes what a sink holds when it is full. */
    @FunctionalInterface
    public interface Spill {
        /** The next bytes, from the array's first on; they may be overwritten afterwards. */
        void take(byte[] bytes, int count);
    }

    /** What a sink that spills holds beyond what it was asked for, so that it does not spill in small pieces. */
    private static final int SLACK = 1 << 18;

    private byte[] bytes;
    private int length;
    private @Nullable Spill spill;

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

    /**
     * Passes on what it holds, all but the last byte, instead of growing, from now on; null: grows. What was passed on can no
     * longer be looked at, cut off or patched.
     */
    public void spillTo(@Nullable Spill to) {
        spill = to;
    }

    public boolean isSpilling() {
        return spill != null;
    }

    /** Makes room for {@code more} bytes behind {@link #length} and returns the array. */
    public byte[] ensure(int more) {
        return more <= bytes.length - length ? bytes : grow(more);
    }

    private byte[] grow(int more) {
        if (spill != null) {
            return spill(spill, more);
        }
        long needed = (long) length + more;
        if (needed > MAX_CAPACITY) {
            throw new IllegalStateException("a sink holds at most " + MAX_CAPACITY + " bytes, asked for " + needed);
        }
        long larger = Math.min(MAX_CAPACITY, bytes.length + (long) (bytes.length >> 1) + 64);
        bytes = Arrays.copyOf(bytes, (int) Math.max(needed, larger));
        return bytes;
    }

    private byte[] spill(Spill to, int more) {
        if (length > 1) {
            to.take(bytes, length - 1);
            bytes[0] = bytes[length - 1];
            length = 1;
        }
        if (more > bytes.length - length) {
            byte last = bytes[0];
            bytes = new byte[Math.addExact(more, SLACK)];
            bytes[0] = last;
        }
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
