package io.pgstress.bson.json;

import io.pgstress.bson.ByteSink;
import java.nio.charset.StandardCharsets;

/**
 * Writes decimal128 (IEEE 754-2008, binary integer coefficient) as text as the BSON Decimal128 specification defines: plain if
 * the exponent is at most 0 and the adjusted exponent at least -6, otherwise scientific. Allocates nothing; one per converter.
 */
public final class Decimal128Text {
    private static final byte[] NAN = "NaN".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] INFINITY = "Infinity".getBytes(StandardCharsets.US_ASCII);
    private static final int BIAS = 6176;
    private static final int MAX_DIGITS = 34;
    private static final long BILLION = 1_000_000_000L;

    private final byte[] digits = new byte[45];
    private int from;

    /** Appends the number with these two words, the low one first as in BSON. */
    public void write(long low, long high, ByteSink out) {
        int combination = (int) (high >>> 58) & 0x1f;
        if (combination == 0x1f) {
            out.put(NAN);
            return;
        }
        if (high < 0) {
            out.put('-');
        }
        if (combination == 0x1e) {
            out.put(INFINITY);
            return;
        }
        // Combinations from 11000 on would need a coefficient of over 34 digits: they are not canonical, and their
        // value is 0.
        boolean large = combination >= 0x18;
        int exponent = (int) (high >>> (large ? 47 : 49) & 0x3fff) - BIAS;
        digits(large ? 0 : high & 0x1ffffffffffffL, large ? 0 : low);
        finite(exponent, out);
    }

    /** Writes the coefficient's digits to the end of {@link #digits}, by repeatedly dividing its four words by a billion. */
    private void digits(long high, long low) {
        long a = high >>> 32;
        long b = high & 0xffffffffL;
        long c = low >>> 32;
        long d = low & 0xffffffffL;
        from = digits.length;
        do {
            long rest = a % BILLION << 32 | b;
            a /= BILLION;
            b = rest / BILLION;
            rest = rest % BILLION << 32 | c;
            c = rest / BILLION;
            rest = rest % BILLION << 32 | d;
            d = rest / BILLION;
            nine((int) (rest % BILLION));
        } while ((a | b | c | d) != 0);
        while (from < digits.length - 1 && digits[from] == '0') {
            from++;
        }
        if (digits.length - from > MAX_DIGITS) {
            from = digits.length - 1;
            digits[from] = '0';
        }
    }

    private void nine(int value) {
        int rest = value;
        for (int i = 0; i < 9; i++) {
            digits[--from] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    private void finite(int exponent, ByteSink out) {
        int count = digits.length - from;
        int adjusted = exponent + count - 1;
        if (exponent > 0 || adjusted < -6) {
            out.put(digits[from]);
            if (count > 1) {
                out.put('.');
                out.put(digits, from + 1, count - 1);
            }
            out.put('E');
            out.put(adjusted < 0 ? '-' : '+');
            Decimals.write(Math.abs(adjusted), out);
        } else if (adjusted < 0) {
            out.put('0');
            out.put('.');
            for (int i = -1; i > adjusted; i--) {
                out.put('0');
            }
            out.put(digits, from, count);
        } else {
            out.put(digits, from, count + exponent);
            if (exponent < 0) {
                out.put('.');
                out.put(digits, digits.length + exponent, -exponent);
            }
        }
    }

    /** Writes integers as decimal digits; allocates nothing. */
    public static final class Decimals {
        private static final int MAX_LENGTH = 20;
        private static final byte[] PAIRS = pairs();

        private Decimals() {}

        private static byte[] pairs() {
            byte[] pairs = new byte[200];
            for (int i = 0; i < 100; i++) {
                pairs[2 * i] = (byte) ('0' + i / 10);
                pairs[2 * i + 1] = (byte) ('0' + i % 10);
            }
            return pairs;
        }

        /** Appends the number with its sign. */
        public static void write(long value, ByteSink out) {
            byte[] target = out.ensure(MAX_LENGTH);
            int w = out.length();
            if (value < 0) {
                target[w++] = '-';
            }
            // Works with negative numbers, whose range is larger by one.
            long rest = value < 0 ? value : -value;
            int end = w + count(rest);
            out.length(end);
            while (rest <= -100) {
                int pair = (int) (rest / 100 * 100 - rest) * 2;
                target[--end] = PAIRS[pair + 1];
                target[--end] = PAIRS[pair];
                rest /= 100;
            }
            if (rest <= -10) {
                target[--end] = PAIRS[(int) -rest * 2 + 1];
                target[--end] = PAIRS[(int) -rest * 2];
            } else {
                target[--end] = (byte) ('0' - rest);
            }
        }

        private static int count(long negative) {
            int count = 1;
            for (long bound = -10; count < 19 && negative <= bound; bound *= 10) {
                count++;
            }
            return count;
        }

        /** Appends a non-negative number of at most {@code width} digits, padded with leading zeros. */
        public static void padded(int value, int width, ByteSink out) {
            byte[] target = out.ensure(width);
            int start = out.length();
            int rest = value;
            for (int at = start + width - 1; at >= start; at--) {
                target[at] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
            out.length(start + width);
        }
    }
}
