package io.pgstress.bson.json;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.json.JsonOptions.NulPolicy;
import io.pgstress.bson.json.JsonOptions.Utf8Policy;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Copies UTF-8 text to a sink, with validation and escapes: runs of plain ASCII eight bytes at a time, the rest character by
 * character. One per converter; allocates nothing.
 */
public final class Text {
    private static final byte[] REPLACEMENT = {(byte) 0xef, (byte) 0xbf, (byte) 0xbd};

    private final Escapes escapes;
    private final NulPolicy nul;
    private final Utf8Policy utf8;
    private boolean nulSeen;
    private boolean invalidSeen;
    private int faultAt;

    public Text(Escapes escapes, NulPolicy nul, Utf8Policy utf8) {
        this.escapes = escapes;
        this.nul = nul;
        this.utf8 = utf8;
    }

    /** Begins a new document. */
    public void reset() {
        nulSeen = false;
        invalidSeen = false;
    }

    /** Whether U+0000 was found since {@link #reset}. */
    public boolean nulSeen() {
        return nulSeen;
    }

    /** Whether invalid UTF-8 was found since {@link #reset}. */
    public boolean invalidSeen() {
        return invalidSeen;
    }

    /** The index of the byte that {@link #write} refused. */
    public int faultAt() {
        return faultAt;
    }

    /** Appends the text between {@code from} and {@code to}; false if a policy forbids one of its characters. */
    public boolean write(byte[] source, int from, int to, ByteSink out) {
        int at = from;
        while (true) {
            at = AsciiRun.copy(source, at, to, out);
            if (at == to) {
                return true;
            }
            if (source[at] < 0) {
                at = beyondAscii(source, at, to, out);
                if (at < 0) {
                    return false;
                }
            } else if (ascii(source[at], out)) {
                at++;
            } else {
                faultAt = at;
                return false;
            }
        }
    }

    private boolean ascii(byte b, ByteSink out) {
        if (b == 0) {
            return nul(out);
        }
        byte[] escape = escapes.of(b);
        if (escape == null) {
            out.put(b);
        } else {
            out.put(escape);
        }
        return true;
    }

    private boolean nul(ByteSink out) {
        nulSeen = true;
        if (nul == NulPolicy.REPLACE) {
            out.put(REPLACEMENT);
        }
        return nul != NulPolicy.REJECT;
    }

    /** Copies non-ASCII characters; returns the index after them, or -1 if it refuses one. */
    private int beyondAscii(byte[] source, int from, int to, ByteSink out) {
        byte[] target = out.ensure(to - from);
        int w = out.length();
        int at = from;
        while (at < to && source[at] < 0) {
            int size = sizeOf(source, at, to);
            if (size < 0) {
                out.length(w);
                return utf8 == Utf8Policy.REJECT ? refuse(at) : replace(at - size, out);
            }
            for (int i = 0; i < size; i++) {
                target[w++] = source[at++];
            }
        }
        out.length(w);
        return at;
    }

    private int refuse(int at) {
        faultAt = at;
        return -1;
    }

    private int replace(int next, ByteSink out) {
        invalidSeen = true;
        out.put(REPLACEMENT);
        return next;
    }

    /** Whether all bytes from {@code from} to before {@code to} are UTF-8. */
    static boolean isValid(byte[] bytes, int from, int to) {
        for (int at = from; at < to; ) {
            int size = bytes[at] >= 0 ? 1 : sizeOf(bytes, at, to);
            if (size < 0) {
                return false;
            }
            at += size;
        }
        return true;
    }

    /**
     * The number of bytes, 2 to 4, of the non-ASCII character at {@code at}; if it is ill-formed, minus the number of bytes, 1
     * to 3, of its maximal subpart, which one U+FFFD replaces. Table 3-7 of the Unicode standard: no overlong forms, no surrogates,
     * nothing above U+10FFFF.
     */
    private static int sizeOf(byte[] bytes, int at, int to) {
        int lead = bytes[at] & 0xff;
        if (lead < 0xc2 || lead > 0xf4) {
            return -1;
        }
        if (at + 1 == to || !secondFits(lead, bytes[at + 1] & 0xff)) {
            return -1;
        }
        int size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        for (int i = 2; i < size; i++) {
            if (at + i == to || (bytes[at + i] & 0xc0) != 0x80) {
                return -i;
            }
        }
        return size;
    }

    private static boolean secondFits(int lead, int second) {
        int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        return second >= lowest && second <= highest;
    }

    /** The escapes for characters that a text format cannot contain literally, by character code below 128. */
    public static final class Escapes {
        /** No escapes: a text field of COPY's binary format. */
        public static final Escapes NONE = new Escapes();
        /** JSON. */
        public static final Escapes JSON = new Escapes();

        private final byte[][] byCharacter = new byte[128][];

        static {
            for (int c = 0; c < ' '; c++) {
                JSON.set(c, String.format(Locale.ROOT, "\\u%04x", c));
            }
            String names = "\\\"bfnrt";
            for (int i = 0; i < names.length(); i++) {
                JSON.set("\\\"\b\f\n\r\t".charAt(i), "\\" + names.charAt(i));
            }
        }

        private void set(int character, String escape) {
            byCharacter[character] = escape.getBytes(StandardCharsets.US_ASCII);
        }

        /** The escape for this character, which is below 128; null if it needs none. */
        byte @Nullable [] of(int character) {
            return byCharacter[character];
        }
    }

    /** Copies text as long as it is ASCII that JSON need not escape, eight bytes at a time; allocates nothing. */
    public static final class AsciiRun {
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
}
