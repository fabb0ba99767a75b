package io.pgstress.importer.verify;

import java.util.Arrays;

/**
 * A 64-bit hash of a JSON text by its value as jsonb: white space, the order of keys, escapes and the notation of numbers make
 * no difference, and the last of repeated keys counts. The text must be valid JSON in UTF-8, with hexadecimal escapes for
 * control characters only, as the converter and PostgreSQL write it. Allocates only to grow; does not recurse; not thread-safe.
 */
final class JsonHash {
    private static final long FNV_PRIME = 0x100000001B3L;

    /** Maximum length of a token cut off by the end of a piece; no number is longer. */
    private static final int MAX_TOKEN = 1 << 17;

    private static final byte[] NONE = {};

    private final NestHash nest = new NestHash();
    private byte[] text = NONE;
    private int at;
    private int end;
    private boolean last;
    /** The beginning of a token that was cut off by the end of a piece. */
    private byte[] carried = NONE;

    private boolean inString;
    private long string;

    /**
     * Hashes the text from {@code from} to before {@code to}.
     *
     * @param mayRepeat whether an object may repeat a key; memory then grows with the number of members
     */
    long of(byte[] bytes, int from, int to, boolean mayRepeat) {
        begin(mayRepeat);
        more(bytes, from, to, true);
        return end();
    }

    /** Begins a text given in pieces. */
    void begin(boolean mayRepeat) {
        nest.begin(mayRepeat);
        carried = NONE;
        inString = false;
    }

    /** Hashes the next piece of the text; call {@link #end} after the last. */
    void more(byte[] bytes, int from, int to, boolean isLast) {
        int next = carried.length == 0 ? from : join(bytes, from, to, isLast);
        if (next < to) {
            int cut = scan(bytes, next, to, isLast);
            carried = cut < to ? Arrays.copyOfRange(bytes, cut, to) : NONE;
        }
    }

    /** Hashes the token that was cut off; returns the index after it in this piece. */
    private int join(byte[] bytes, int from, int to, boolean isLast) {
        int before = carried.length;
        int taken = Math.min(to - from, MAX_TOKEN);
        byte[] both = Arrays.copyOf(carried, before + taken);
        System.arraycopy(bytes, from, both, before, taken);
        int cut = scan(both, 0, both.length, isLast && taken == to - from);
        if (cut < before) {
            carried = both;
            return to;
        }
        carried = NONE;
        return from + cut - before;
    }

    /** The hash of the text. */
    long end() {
        return nest.end();
    }

    /** Hashes tokens; returns the index of one that is cut off, if this is not the last piece, otherwise {@code to}. */
    private int scan(byte[] bytes, int from, int to, boolean isLast) {
        text = bytes;
        at = from;
        end = to;
        last = isLast;
        while (at < end && step()) {
            // continue with the next token
        }
        text = NONE;
        return at;
    }

    /** Hashes a token, or the available part of a string; false if it is cut off. */
    private boolean step() {
        if (inString) {
            return string();
        }
        switch (text[at]) {
            case ' ', ',', ':', '\n', '\t', '\r' -> at++;
            case '{' -> bracket(true);
            case '[' -> bracket(false);
            case '}', ']' -> {
                at++;
                nest.close();
            }
            case '"' -> {
                at++;
                inString = true;
                string = 17;
            }
            case 't', 'n' -> {
                return literal(4);
            }
            case 'f' -> {
                return literal(5);
            }
            default -> {
                return number();
            }
        }
        return true;
    }

    private void bracket(boolean object) {
        at++;
        nest.open(object);
    }

    private boolean literal(int length) {
        if (end - at < length) {
            return false;
        }
        nest.take(NestHash.mix(5, text[at]));
        at += length;
        return true;
    }

    private boolean number() {
        int start = at;
        while (at < end && NumberHash.isPart(text[at])) {
            at++;
        }
        if (at == end && !last) {
            at = start;
            return false;
        }
        nest.take(NestHash.mix(7, NumberHash.of(text, start, at)));
        return true;
    }

    private boolean string() {
        long hash = string;
        while (at < end && text[at] != '"') {
            if (text[at] == '\\' && isCut()) {
                string = hash;
                return false;
            }
            int c = text[at++];
            hash = (hash ^ ((c == '\\' ? escaped() : c) & 0xff)) * FNV_PRIME;
        }
        string = hash;
        if (at < end) {
            at++;
            inString = false;
            nest.quoted(NestHash.mix(hash, hash >>> 31));
        }
        return true;
    }

    /** Whether an escape continues in the next piece. */
    private boolean isCut() {
        int left = end - at;
        return left < 2 || (text[at + 1] == 'u' && left < 6);
    }

    private int escaped() {
        int c = text[at++];
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                at += 4;
                yield Character.digit(text[at - 2], 16) << 4 | Character.digit(text[at - 1], 16);
            }
            default -> c;
        };
    }
}
