package io.pgstress.measure;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * A histogram of times in nanoseconds, to 3 significant digits, of any range. Merging is addition and thus exact. Not
 * thread-safe.
 */
public final class LatencyHistogram {
    private static final int DIGITS = 3;
    private static final double NANOS_PER_MICRO = 1e3;

    private final Histogram histogram;

    public LatencyHistogram() {
        this(new Histogram(DIGITS));
        histogram.setAutoResize(true);
    }

    private LatencyHistogram(Histogram histogram) {
        this.histogram = histogram;
    }

    /** Adds a time; one below 0 (a clock never runs backwards, a subtraction of two may) counts as 0. */
    public void record(long nanos) {
        histogram.recordValue(Math.max(0, nanos));
    }

    /** Adds all that the other holds. */
    public void add(LatencyHistogram other) {
        histogram.add(other.histogram);
    }

    public long count() {
        return histogram.getTotalCount();
    }

    /** The mean in microseconds; 0 where nothing was recorded. */
    public double meanMicros() {
        return count() == 0 ? 0 : histogram.getMean() / NANOS_PER_MICRO;
    }

    /** The least time in microseconds that is not exceeded by this many percent, 0 to 100. */
    public double micros(double percentile) {
        return count() == 0 ? 0 : histogram.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }

    public double maxMicros() {
        return count() == 0 ? 0 : histogram.getMaxValue() / NANOS_PER_MICRO;
    }

    /** HdrHistogram's compressed form in base64, as its public tools read it; values are nanoseconds. */
    public String encode() {
        return Base64.getEncoder().encodeToString(bytes());
    }

    Histogram copy() {
        return histogram.copy();
    }

    byte[] bytes() {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        byte[] bytes = new byte[histogram.encodeIntoCompressedByteBuffer(buffer)];
        buffer.get(0, bytes);
        return bytes;
    }

    /**
     * The histogram of a text of {@link #encode}.
     *
     * @throws IllegalArgumentException where it is none
     */
    public static LatencyHistogram decode(String base64) {
        return of(Base64.getDecoder().decode(base64));
    }

    static LatencyHistogram of(byte[] bytes) {
        try {
            Histogram histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
            histogram.setAutoResize(true);
            return new LatencyHistogram(histogram);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("no compressed HdrHistogram", e);
        }
    }

    /** Calls back with every bucket that holds something: its highest value in nanoseconds and its count. */
    public void forEachBucket(BucketReader reader) {
        histogram.recordedValues().forEach(v -> reader.bucket(v.getValueIteratedTo(), v.getCountAtValueIteratedTo()));
    }

    /** Receives the buckets of a histogram, in rising order. */
    @FunctionalInterface
    public interface BucketReader {
        void bucket(long nanos, long count);
    }
}
