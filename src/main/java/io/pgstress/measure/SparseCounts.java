package io.pgstress.measure;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a {@link LatencyHistogram} as bytes: a checksum, their number, and HdrHistogram's V2 payload without its header and
 * uncompressed, that is, zigzag numbers of at most 9 bytes, where a negative one stands for that many zeros. They are added to an array by their index, which takes a
 * tenth of the time of decoding and adding a histogram of HdrHistogram's: a command adds those of all its hosts.
 */
final class SparseCounts {
    private static final int HEADER_BYTES = 40;
    private static final int LENGTH_AT = 4;
    private static final int BITS = 7;

    /** After a checksum and the number of counts. */
    private static final int START = 2 * Integer.BYTES;

    /** The last byte of a number of this size has 8 bits. */
    private static final int MAX_SIZE = 9;

    /** HdrHistogram's buckets with 3 digits: 2048 values, and 1024 for each further bit. */
    private static final int HALF_BITS = 10;

    private static final int HALF = 1 << HALF_BITS;
    private static final int MAX_INDEX = (Long.SIZE - HALF_BITS) * HALF;

    private final byte[] bytes;
    private final int length;

    /** @throws IllegalArgumentException if it is something else, or damaged */
    SparseCounts(byte[] bytes) {
        this.bytes = bytes;
        ByteBuffer head = ByteBuffer.wrap(bytes);
        if (bytes.length < START || head.getInt() != checksum(bytes)) {
            throw new IllegalArgumentException("not the counts of a histogram");
        }
        this.length = head.getInt();
        if (length < 0 || length > MAX_INDEX) {
            throw new IllegalArgumentException(length + " counts of a histogram");
        }
    }

    /** The counts of a histogram with 3 digits and a lowest value of 1. */
    static byte[] of(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        histogram.encodeIntoByteBuffer(buffer);
        int size = buffer.getInt(LENGTH_AT);
        byte[] counts = new byte[START + size];
        buffer.get(HEADER_BYTES, counts, START, size);
        ByteBuffer head = ByteBuffer.wrap(counts);
        head.putInt(Integer.BYTES, index(histogram.getMaxValue()) + 1);
        head.putInt(0, checksum(counts));
        return counts;
    }

    private static int checksum(byte[] bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, Integer.BYTES, bytes.length - Integer.BYTES);
        return (int) checksum.getValue();
    }

    private static long unzigzag(long zigzag) {
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }

    private int size(int at) {
        int size = 1;
        while (size < MAX_SIZE && bytes[at + size - 1] < 0) {
            size++;
        }
        return size;
    }

    /** The number of several bytes at this position. */
    private long number(int at) {
        int size = size(at);
        long zigzag = 0;
        for (int i = 0; i < size; i++) {
            long part = i == MAX_SIZE - 1 ? bytes[at + i] : bytes[at + i] & 0x7f;
            zigzag |= part << (BITS * i);
        }
        return unzigzag(zigzag);
    }

    /**
     * Adds them to counts by index; returns these, or a larger array. There is no branch for zeros, which come at random and would
     * often be predicted wrongly.
     */
    long[] addTo(long @Nullable [] sums) {
        long[] all = sums == null ? new long[length] : sums.length < length ? Arrays.copyOf(sums, length) : sums;
        int index = 0;
        int end = bytes.length;
        for (int at = START; at < end; ) {
            int first = bytes[at];
            if (first < 0) { // seldom: most counts are small
                long count = number(at);
                at += size(at);
                all[index] += Math.max(0, count);
                index += (int) Math.max(1, -count);
            } else {
                at++;
                int zeros = -(first & 1); // all bits set if it stands for zeros
                int half = first >>> 1;
                all[index] += half & ~zeros;
                index += 1 + (half & zeros);
            }
        }
        return all;
    }

    /** Records counts by index. */
    static void recordAll(long[] counts, Histogram into) {
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                into.recordValueWithCount(value(i), counts[i]);
            }
        }
    }

    private static int index(long value) {
        int bucket = Long.SIZE - Long.numberOfLeadingZeros(value | (2 * HALF - 1)) - HALF_BITS - 1;
        return (bucket << HALF_BITS) + (int) (value >>> bucket);
    }

    /** The lowest value of a bucket: HdrHistogram's valueFromIndex. */
    private static long value(int index) {
        return index < 2 * HALF ? index : ((long) (index & (HALF - 1)) + HALF) << ((index >> HALF_BITS) - 1);
    }
}
