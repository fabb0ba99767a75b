package io.pgstress.bson.json;

import io.pgstress.bson.ByteSink;

/** Writes integers as decimal digits; allocates nothing. */
public final class Decimals {
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
