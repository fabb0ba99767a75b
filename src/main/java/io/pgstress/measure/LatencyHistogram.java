package io.pgstress.measure;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A histogram of times in nanoseconds, with 3 significant digits and any range. Merging is addition and therefore exact. Not
 * thread-safe.
 */
public final class LatencyHistogram {
    private static final int DIGITS = 3;

    /** In HdrHistogram's V2 encoding: cookie and length, before the compressed data. */
    private static final int COMPRESSED_HEADER_BYTES = 8;

    /** Within them: cookie, payload length, offset, digits, lowest and highest value, ratio. */
    private static final int HEADER_BYTES = 40;

    /** Every bucket of 3 digits over 64 bits, each with the longest count. */
    private static final int MAX_PAYLOAD_BYTES = 1 << 19;

    private static final double NANOS_PER_MICRO = 1e3;

    private @Nullable Histogram unpacked;
    private byte @Nullable [] packed;

    public LatencyHistogram() {
        Histogram empty = new Histogram(DIGITS);
        empty.setAutoResize(true);
        unpacked = empty;
    }

    private LatencyHistogram(Histogram histogram) {
        unpacked = histogram;
    }

    private Histogram histogram() {
        if (unpacked != null) {
            return unpacked;
        }
        return unpack(packed == null ? new byte[0] : packed);
    }

    private Histogram forWriting() {
        Histogram histogram = histogram();
        unpacked = histogram;
        packed = null;
        return histogram;
    }

    /** Compresses it to one or two percent of its memory, for a histogram that is seldom read. */
    void pack() {
        if (unpacked != null) {
            packed = bytes();
            unpacked = null;
        }
    }

    /** Adds a time; a negative difference of two clock readings counts as 0. */
    public void record(long nanos) {
        record(nanos, 1);
    }

    /** Adds the same time {@code count} times. */
    void record(long nanos, long count) {
        forWriting().recordValueWithCount(Math.max(0, nanos), count);
    }

    /** Adds the values of another histogram. */
    public void add(LatencyHistogram other) {
        forWriting().add(other.histogram());
    }

    public long count() {
        return histogram().getTotalCount();
    }

    /** The mean in microseconds; 0 if empty. */
    public double meanMicros() {
        Histogram h = histogram();
        return h.getTotalCount() == 0 ? 0 : h.getMean() / NANOS_PER_MICRO;
    }

    /** The percentile (0 to 100) in microseconds. */
    public double micros(double percentile) {
        Histogram h = histogram();
        return h.getTotalCount() == 0 ? 0 : h.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }

    public double maxMicros() {
        Histogram h = histogram();
        return h.getTotalCount() == 0 ? 0 : h.getMaxValue() / NANOS_PER_MICRO;
    }

    /** HdrHistogram's compressed form in base64, which its tools can read; values are nanoseconds. */
    public String encode() {
        return Base64.getEncoder().encodeToString(bytes());
    }

    Histogram copy() {
        return histogram().copy();
    }

    byte[] bytes() {
        if (packed != null) {
            return packed;
        }
        Histogram histogram = histogram();
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        byte[] bytes = new byte[histogram.encodeIntoCompressedByteBuffer(buffer)];
        buffer.get(0, bytes);
        return bytes;
    }

    /**
     * Decodes the result of {@link #encode}.
     *
     * @throws IllegalArgumentException if it is not a compressed histogram
     */
    public static LatencyHistogram decode(String base64) {
        return of(Base64.getDecoder().decode(base64));
    }

    static LatencyHistogram of(byte[] bytes) {
        return new LatencyHistogram(unpack(bytes));
    }

    /**
     * Decodes what another host sent, which may be anything. HdrHistogram would allocate whatever sizes it reads there.
     *
     * @throws IllegalArgumentException if it is not a compressed histogram of this class
     */
    static LatencyHistogram received(byte[] bytes) {
        ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES);
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(bytes, COMPRESSED_HEADER_BYTES, Math.max(0, bytes.length - COMPRESSED_HEADER_BYTES));
            int read = inflater.inflate(head.array());
            boolean fits = read == HEADER_BYTES
                    && head.getInt(4) <= MAX_PAYLOAD_BYTES
                    && head.getInt(8) == 0
                    && head.getInt(12) == DIGITS
                    && head.getLong(16) == 1;
            if (!fits) {
                throw new IllegalArgumentException("another kind of histogram");
            }
            return of(bytes);
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("not a compressed histogram: " + e.getMessage(), e);
        } finally {
            inflater.end();
        }
    }

    private static Histogram unpack(byte[] bytes) {
        try {
            Histogram histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
            histogram.setAutoResize(true);
            return histogram;
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("not a compressed HdrHistogram", e);
        }
    }

    /** Passes every non-empty bucket to the reader: its highest value in nanoseconds and its count. */
    public void forEachBucket(BucketReader reader) {
        histogram().recordedValues().forEach(v -> reader.bucket(v.getValueIteratedTo(), v.getCountAtValueIteratedTo()));
    }

    /** Receives the buckets of a histogram in ascending order. */
    @FunctionalInterface
    public interface BucketReader {
        void bucket(long nanos, long count);
    }
}
