package io.pgstress.measure;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A histogram of times in nanoseconds, with 3 significant digits and any range. Merging is addition and therefore exact. Not
 * thread-safe.
 */
public final class LatencyHistogram {
    private static final int DIGITS = 3;

    private static final double NANOS_PER_MICRO = 1e3;

    private @Nullable Histogram unpacked;
    private byte @Nullable [] packed;

    /** What another host sent; not changed, and replaced by {@link #sums} when something is added. */
    private @Nullable SparseCounts received;

    /** The sum of what other hosts sent, by bucket, which is not in the histogram yet. */
    private long @Nullable [] sums;

    public LatencyHistogram() {
        unpacked = empty();
    }

    private LatencyHistogram(Histogram histogram) {
        unpacked = histogram;
    }

    private LatencyHistogram(SparseCounts counts) {
        received = counts;
    }

    private static Histogram empty() {
        Histogram empty = new Histogram(DIGITS);
        empty.setAutoResize(true);
        return empty;
    }

    /** Moves what other hosts sent into the histogram. */
    private void takeReceived() {
        SparseCounts theirs = received;
        if (theirs != null) {
            sums = theirs.addTo(sums);
            received = null;
        }
        long[] counts = sums;
        if (counts != null) {
            sums = null;
            Histogram histogram = unpacked != null ? unpacked : packed == null ? empty() : unpack(packed);
            SparseCounts.recordAll(counts, histogram);
            unpacked = histogram;
            packed = null;
        }
    }

    private Histogram histogram() {
        if (sums != null || received != null) {
            takeReceived();
        }
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
        takeReceived();
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
        SparseCounts theirs = other.received;
        if (theirs != null) {
            if (received != null) {
                sums = received.addTo(sums);
                received = null;
            }
            sums = theirs.addTo(sums);
            return;
        }
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

    /** The standard deviation in microseconds; 0 if empty. */
    public double stddevMicros() {
        Histogram h = histogram();
        return h.getTotalCount() == 0 ? 0 : h.getStdDeviation() / NANOS_PER_MICRO;
    }

    /** The smallest time in microseconds; 0 if empty. */
    public double minMicros() {
        Histogram h = histogram();
        return h.getTotalCount() == 0 ? 0 : h.getMinValue() / NANOS_PER_MICRO;
    }

    /** The standard deviation divided by the mean; 0 if empty. */
    public double variation() {
        Histogram h = histogram();
        return h.getTotalCount() == 0 || h.getMean() == 0 ? 0 : h.getStdDeviation() / h.getMean();
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
        takeReceived();
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

    /** Its counts for another host, which adds them up quickly. */
    byte[] counts() {
        return SparseCounts.of(histogram());
    }

    /**
     * Takes the {@link #counts} of another host, which may be anything.
     *
     * @throws IllegalArgumentException if it is not the counts of a histogram of this class
     */
    static LatencyHistogram received(byte[] counts) {
        return new LatencyHistogram(new SparseCounts(counts));
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
