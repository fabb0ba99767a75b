package io.pgstress.bson;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A reusable, growing byte buffer that allocates only when it grows. Not thread-safe. Throws {@link IllegalStateException}
 * above about 2 GiB.
 *
 * <p>Hot code gets the array once, {@code byte[] b = sink.ensure(n); int w = sink.length();}, writes at most {@code n} bytes
 * from {@code w} on, and ends with {@code sink.length(w)}.
 */
public final class ByteSink {
    private static final VarHandle BIG_SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle BIG_INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle BIG_LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int MAX_CAPACITY = Integer.MAX_VALUE - 16;

    /** Receives the contents of a full sink. */
    @FunctionalInterface
    public interface Spill {
        /** Receives the next {@code count} bytes of the array, which may be overwritten afterwards. */
        void take(byte[] bytes, int count);
    }

    /** Extra capacity of a sink that spills, so that it does not spill in small pieces. */
    private static final int SLACK = 1 << 18;

    private byte[] bytes;
    private int length;
    private @Nullable Spill spill;

    /** Creates a sink with room for {@code capacity} bytes. */
    public ByteSink(int capacity) {
        bytes = new byte[Math.max(16, capacity)];
    }

    /** The array, valid up to {@link #length}; a new array after the sink has grown. */
    public byte[] array() {
        return bytes;
    }

    public int length() {
        return length;
    }

    /** Sets the length, to truncate the contents or to add what was written into {@link #array}. */
    public void length(int newLength) {
        length = newLength;
    }

    public void clear() {
        length = 0;
    }

    /** The capacity in bytes. */
    public int capacity() {
        return bytes.length;
    }

    /** Reduces the capacity to at most {@code capacity} bytes. The contents are lost. */
    public void shrink(int capacity) {
        length = 0;
        if (bytes.length > capacity) {
            bytes = new byte[Math.max(16, capacity)];
        }
    }

    /**
     * From now on passes all but the last byte of its contents to {@code to} instead of growing; null to grow again. Bytes
     * passed on can no longer be read, truncated or patched.
     */
    public void spillTo(@Nullable Spill to) {
        spill = to;
    }

    public boolean isSpilling() {
        return spill != null;
    }

    /** Makes room for {@code more} bytes after {@link #length} and returns the array. */
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

    /** Appends two bytes, most significant first, as in the PostgreSQL protocol. */
    public void putShort(int value) {
        BIG_SHORT.set(ensure(2), length, (short) value);
        length += 2;
    }

    /** Appends four bytes, most significant first. */
    public void putInt(int value) {
        BIG_INT.set(ensure(4), length, value);
        length += 4;
    }

    /** Appends eight bytes, most significant first. */
    public void putLong(long value) {
        BIG_LONG.set(ensure(8), length, value);
        length += 8;
    }

    /** Overwrites four earlier bytes, most significant first, with a length that is known only now. */
    public void patchInt(int at, int value) {
        BIG_INT.set(bytes, at, value);
    }

    /** A copy of the contents. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }
}
