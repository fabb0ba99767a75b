package io.pgstress.importer.verify;

/** Hashes a JSON number by its value: 1.0E+18, 1e18 and 1000000000000000000 are the same, and so are 0 and -0.0. */
final class NumberHash {
    private NumberHash() {}

    static boolean isPart(byte c) {
        return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
    }

    /** Hashes the number's text from {@code from} to before {@code to}: its digits between the outer zeros, and its exponent. */
    static long of(byte[] text, int from, int to) {
        boolean negative = text[from] == '-';
        long hash = 0;
        boolean fraction = false;
        boolean significant = false;
        int zeros = 0;
        long exponent = 0;
        int i = negative ? from + 1 : from;
        for (; i < to && (text[i] | 0x20) != 'e'; i++) {
            if (text[i] == '.') {
                fraction = true;
                continue;
            }
            exponent -= fraction ? 1 : 0;
            if (text[i] == '0') {
                zeros += significant ? 1 : 0;
                continue;
            }
            for (; zeros > 0; zeros--) {
                hash = NestHash.mix(hash, '0');
            }
            hash = NestHash.mix(hash, text[i]);
            significant = true;
        }
        if (!significant) {
            return 0;
        }
        exponent += zeros + (i < to ? exponentOf(text, i + 1, to) : 0);
        return NestHash.mix(negative ? ~hash : hash, exponent);
    }

    private static long exponentOf(byte[] text, int from, int to) {
        boolean negative = text[from] == '-';
        long value = 0;
        for (int i = negative || text[from] == '+' ? from + 1 : from; i < to; i++) {
            value = value * 10 + text[i] - '0';
        }
        return negative ? -value : value;
    }
}
