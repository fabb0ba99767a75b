package io.pgstress.bson.json;

import io.pgstress.bson.ByteSink;

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
            int size = Utf8.size(source, at, to);
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

    /** Validates UTF-8 by table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF. */
    static final class Utf8 {
        private Utf8() {}

        /**
         * The number of bytes, 2 to 4, of the non-ASCII character at {@code at}; if it is ill-formed, minus the number of bytes, 1
         * to 3, of its maximal subpart, which one U+FFFD replaces.
         */
        static int size(byte[] bytes, int at, int to) {
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
    }
}
