package io.pgstress.bson.json;

import io.pgstress.bson.Bytes;

/** Writes regular expressions, with their options in alphabetical order as specified. */
final class RegexValues {
    private static final byte[] REGEX = Token.of("{'$regularExpression':{'pattern':");
    private static final byte[] OPTIONS = Token.of(",'options':");
    private static final byte[] CLOSE = Token.of("}}");

    private RegexValues() {}

    static int regex(Conversion c, int at) {
        c.out.put(REGEX);
        int options = c.cstring(at);
        if (options < 0) {
            return options;
        }
        c.out.put(OPTIONS);
        int end = Bytes.nulAt(c.source, options, c.limit);
        if (end < 0) {
            return c.fail(Fault.CSTRING_END, options);
        }
        if (!(isAscii(c, options, end) ? sorted(c, options, end) : c.quoted(options, end))) {
            return Conversion.FAULT;
        }
        c.out.put(CLOSE);
        return end + 1;
    }

    private static boolean isAscii(Conversion c, int from, int end) {
        for (int i = from; i < end; i++) {
            if (c.source[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /** Writes the options sorted, by counting each letter; there are few. */
    private static boolean sorted(Conversion c, int from, int end) {
        c.out.put('"');
        for (int letter = 1; letter < 128 && end > from; letter++) {
            for (int i = from; i < end; i++) {
                if (c.source[i] == letter && !c.text.write(c.source, i, i + 1, c.out)) {
                    return false;
                }
            }
        }
        c.out.put('"');
        return true;
    }
}
