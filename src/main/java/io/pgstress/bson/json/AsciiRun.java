package io.pgstress.bson.json;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;

/** Copies text as long as it is ASCII that JSON need not escape, eight bytes at a time; allocates nothing. */
public final class AsciiRun {
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private AsciiRun() {}

    /** Copies up to the first other byte or the end; returns its index. */
    static int copy(byte[] source, int from, int to, ByteSink out) {
        byte[] target = out.ensure(to - from + Long.BYTES);
        int w = out.length();
        int at = from;
        for (; at + 8 <= to; at += 8, w += 8) {
            long word = Bytes.longAt(source, at);
            Bytes.putLong(target, w, word);
            long special = special(word);
            if (special != 0) {
                int run = Long.numberOfTrailingZeros(special) >>> 3;
                out.length(w + run);
                return at + run;
            }
        }
        if (at < to && at + 8 <= source.length) {
            // Bytes beyond the end are copied too, but lie beyond the sink's length.
            long word = Bytes.longAt(source, at);
            Bytes.putLong(target, w, word);
            int run = Math.min(to - at, Long.numberOfTrailingZeros(special(word)) >>> 3);
            out.length(w + run);
            return at + run;
        }
        return lastOfArray(source, at, to, target, w, out);
    }

    /**
     * Copies up to the first other byte, such as a NUL; returns its index, or -1 if there is none within {@code most} bytes or
     * the array. Overwrites up to eight more bytes of the target.
     */
    public static int copy(byte[] source, int from, byte[] target, int to, int max) {
        for (int done = 0; done <= max && from + done + 8 <= source.length; done += 8) {
            long word = Bytes.longAt(source, from + done);
            Bytes.putLong(target, to + done, word);
            long special = special(word);
            if (special != 0) {
                return from + done + (Long.numberOfTrailingZeros(special) >>> 3);
            }
        }
        return -1;
    }

    private static int lastOfArray(byte[] source, int from, int to, byte[] target, int start, ByteSink out) {
        int at = from;
        int w = start;
        for (; at < to; at++, w++) {
            byte b = source[at];
            if (b < ' ' || b == '"' || b == '\\') {
                break;
            }
            target[w] = b;
        }
        out.length(w);
        return at;
    }

    /**
     * Sets the high bit of each byte that is a control character, a quote, a backslash or not ASCII. For a byte below 128 the
     * subtraction sets it only if the byte was smaller. A borrow affects only bytes above one that is already set, and only the
     * lowest is used.
     */
    private static long special(long word) {
        long control = word - ONES * ' ';
        long quote = (word ^ (ONES * '"')) - ONES;
        long backslash = (word ^ (ONES * '\\')) - ONES;
        return (word | control | quote | backslash) & HIGHS;
    }
}
