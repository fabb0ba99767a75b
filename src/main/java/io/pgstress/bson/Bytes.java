package io.pgstress.bson;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** BSON's little-endian numbers and zero-terminated strings in a byte array; allocates nothing. */
public final class Bytes {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private Bytes() {}

    public static int intAt(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    public static long longAt(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    public static void putInt(byte[] bytes, int at, int value) {
        INT.set(bytes, at, value);
    }

    public static void putLong(byte[] bytes, int at, long value) {
        LONG.set(bytes, at, value);
    }

    /**
     * The index of the first NUL from {@code from} to before {@code limit}; -1 if there is none. Checks eight bytes at a time.
     */
    public static int nulAt(byte[] bytes, int from, int limit) {
        int at = from;
        for (; at + 8 <= limit; at += 8) {
            long word = (long) LONG.get(bytes, at);
            long zeros = (word - ONES) & ~word & HIGHS;
            if (zeros != 0) {
                return at + (Long.numberOfTrailingZeros(zeros) >>> 3);
            }
        }
        if (at < limit && at + 8 <= bytes.length) {
            // A NUL beyond the limit does not count.
            long word = (long) LONG.get(bytes, at);
            int nul = at + (Long.numberOfTrailingZeros((word - ONES) & ~word & HIGHS) >>> 3);
            return nul < limit ? nul : -1;
        }
        for (; at < limit; at++) {
            if (bytes[at] == 0) {
                return at;
            }
        }
        return -1;
    }
}
