package io.pgstress.bson.copy;

import io.pgstress.bson.ByteSink;

/**
 * Converts decimal text to numeric's binary format (numeric_send): the number of base-10,000 digits, the weight of the first,
 * the sign, the display scale, the digits. Allocates nothing; not thread-safe.
 */
final class NumericBinary {
    private static final int NEGATIVE = 0x4000;

    /** Decimal digits, followed by zeros to fill the last group of four. */
    private final byte[] digits = new byte[64];

    private int count;
    /** Number of the mantissa's digits after the decimal point. */
    private int behindPoint;

    /** Appends the number in {@code text}, which has the form {@code -12.34E+5} with at most 40 digits. */
    void write(byte[] text, int length, ByteSink out) {
        boolean negative = text[0] == '-';
        int end = mantissa(text, negative ? 1 : 0, length);
        int exponent = end < length ? exponent(text, end + 1, length) : 0;
        int shown = Math.max(0, behindPoint - exponent);
        // The decimal weight of the first digit.
        int power = count - behindPoint - 1 + exponent;
        int first = 0;
        while (first < count && digits[first] == 0) {
            first++;
            power--;
        }
        int weight = Math.floorDiv(power, 4);
        int lead = first - (3 - Math.floorMod(power, 4));
        int groups = first == count ? 0 : (count - lead + 3) / 4;
        while (groups > 0 && group(lead + 4 * (groups - 1), first) == 0) {
            groups--;
        }
        out.putShort(groups);
        out.putShort(groups == 0 ? 0 : weight);
        out.putShort(negative && groups > 0 ? NEGATIVE : 0);
        out.putShort(shown);
        for (int i = 0; i < groups; i++) {
            out.putShort(group(lead + 4 * i, first));
        }
    }

    /** Four digits as a number; missing digits are zeros. */
    private int group(int from, int first) {
        int value = 0;
        for (int i = from; i < from + 4; i++) {
            value = value * 10 + (i < first || i >= count ? 0 : digits[i]);
        }
        return value;
    }

    private int mantissa(byte[] text, int from, int length) {
        count = 0;
        behindPoint = 0;
        boolean point = false;
        int at = from;
        for (; at < length && text[at] != 'E'; at++) {
            if (text[at] == '.') {
                point = true;
            } else {
                digits[count++] = (byte) (text[at] - '0');
                behindPoint += point ? 1 : 0;
            }
        }
        return at;
    }

    private static int exponent(byte[] text, int from, int length) {
        int value = 0;
        for (int at = from; at < length; at++) {
            if (text[at] != '-' && text[at] != '+') {
                value = value * 10 + text[at] - '0';
            }
        }
        return text[from] == '-' ? -value : value;
    }
}
