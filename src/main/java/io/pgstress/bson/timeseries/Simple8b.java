package io.pgstress.bson.timeseries;

import io.pgstress.bson.Bytes;

/**
 * Reads numbers of up to 128 bits from words of 64 bits. The lowest four bits of a word select how many numbers it has: 1 to 14
 * select 60 to 1 numbers of equal width, 15 repeats the number before it, and 7 and 8 may be followed by four bits that select
 * numbers with a count of trailing zeros. A number whose bits are all ones is a missing value. Not thread-safe.
 */
final class Simple8b {
    private static final int REPEAT = 15;
    private static final int REPETITIONS = 120;
    private static final int[] WIDTHS = {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 60};

    /** Widths with the count of zeros, by the extension of selector 7. */
    private static final int[] WIDTHS_7 = {7, 6, 7, 8, 9, 11, 14, 18, 28, 56};

    /** The same of selector 8. From {@link #LARGE} on, the count has five bits instead of four. */
    private static final int[] WIDTHS_8 = {8, 8, 9, 11, 14, 18, 28, 56, 9, 11, 14, 18, 28, 56};

    private static final int LARGE = 8;

    private byte[] bytes = new byte[0];
    private int at;
    private int end;
    private long word;
    private int width;
    private int countBits;
    private int zerosPerCount;
    /** Numbers in the word that have not been read. */
    private int left;

    private boolean repeating;
    private boolean missing;
    private long low;
    private long high;

    /** Forgets everything, as after a literal. */
    void reset() {
        at = end;
        left = 0;
        missing = false;
        low = 0;
        high = 0;
    }

    /** Continues with these words. The number before them is kept, because the first may repeat it. */
    void begin(byte[] in, int from, int words) {
        bytes = in;
        at = from;
        end = from + words * Long.BYTES;
        left = 0;
    }

    /** Moves to the next number; false if there is none. */
    boolean next() throws ColumnException {
        if (left == 0) {
            if (at >= end) {
                return false;
            }
            load(Bytes.longAt(bytes, at));
            at += Long.BYTES;
        }
        left--;
        if (!repeating) {
            take();
        }
        return true;
    }

    private void load(long next) throws ColumnException {
        word = next >>> 4;
        int selector = (int) next & 15;
        int extension = (int) word & 15;
        repeating = selector == REPEAT;
        if (repeating) {
            left = (extension + 1) * REPETITIONS;
        } else if (selector == 7) {
            extended(WIDTHS_7, extension, 4, 1);
        } else if (selector == 8) {
            extended(WIDTHS_8, extension, extension < LARGE ? 4 : 5, 4);
        } else if (selector == 0) {
            throw new ColumnException("a block with selector 0");
        } else {
            width = WIDTHS[selector];
            countBits = 0;
            zerosPerCount = 0;
            left = 60 / width;
        }
    }

    private void extended(int[] widths, int extension, int bits, int zeros) throws ColumnException {
        if (extension >= widths.length) {
            throw new ColumnException("a block with an unknown extended selector");
        }
        word >>>= 4;
        width = widths[extension];
        countBits = extension == 0 ? 0 : bits;
        zerosPerCount = zeros;
        left = 56 / width;
    }

    private void take() {
        long mask = (1L << width) - 1;
        long slot = word & mask;
        word >>>= width;
        missing = slot == mask;
        if (missing) {
            return;
        }
        int zeros = (int) (slot & ((1L << countBits) - 1)) * zerosPerCount;
        long value = slot >>> countBits;
        low = zeros < Long.SIZE ? value << zeros : 0;
        high = zeros == 0 ? 0 : zeros < Long.SIZE ? value >>> (Long.SIZE - zeros) : value << (zeros - Long.SIZE);
    }

    /** Whether the value is missing. */
    boolean isMissing() {
        return missing;
    }

    boolean isZero() {
        return low == 0 && high == 0;
    }

    /** The lower word of the signed number, whose sign is kept in its lowest bit. */
    long low() {
        return ((low >>> 1) | (high << 63)) ^ -(low & 1);
    }

    /** The same of the upper word. */
    long high() {
        return (high >>> 1) ^ -(low & 1);
    }
}
