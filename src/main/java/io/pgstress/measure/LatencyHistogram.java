package io.pgstress.measure;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/**
 * A histogram of times in nanoseconds, with 3 significant digits and any range. Merging is addition and therefore exact. Not
 * thread-safe.
 */
public final class LatencyHistogram {
    private static final int DIGITS = 3;

    /** The head of HdrHistogram's encoding V2, compressed and not: what it is, a length; what it is, and after it the digits. */
    private static final int COMPRESSED_COOKIE = 0x1c849304;

    private static final int COMPRESSED_AT = 2 * Integer.BYTES;
    private static final int COOKIE = 0x1c849303;
    private static final int DIGITS_AT = 3 * Integer.BYTES;
    private static final int HEAD_BYTES = 40;
    private static final String NOT_OURS = "not a compressed HdrHistogram with 3 digits";

    private static final double NANOS_PER_MICRO = 1e3;

    private static final long[] NONE = {};

    /** By bucket of HdrHistogram's, as many as were needed so far. Its own histograms add each bucket by several calls. */
    private long[] counts = NONE;

    private long total;

    /** Everything, as another host sent it or in little memory; not changed, and unpacked when something is read or added. */
    private @Nullable SparseCounts packed;

    public LatencyHistogram() {}

    private LatencyHistogram(SparseCounts counts) {
        packed = counts;
    }

    /** The counts, unpacked from now on. */
    private long[] unpacked() {
        SparseCounts all = packed;
        if (all != null) {
            packed = null;
            all.addTo(this);
        }
        return counts;
    }

    /** The counts, which have at least this many buckets from now on. */
    private long[] unpacked(int length) {
        long[] all = unpacked();
        if (all.length < length) {
            all = Arrays.copyOf(all, SparseCounts.capacity(length));
            counts = all;
        }
        return all;
    }

    /** As a histogram of HdrHistogram's. */
    Histogram copy() {
        long[] all = unpacked();
        Histogram copy = new Histogram(DIGITS);
        copy.setAutoResize(true);
        for (int i = all.length - 1; i >= 0; i--) { // the first one determines its size
            if (all[i] > 0) {
                copy.recordValueWithCount(SparseCounts.value(i), all[i]);
            }
        }
        return copy;
    }

    /** Compresses it to one or two percent of its memory, for a histogram that is seldom read. */
    void pack() {
        packed = new SparseCounts(counts()).deflated();
        counts = NONE;
        total = 0;
    }

    /** Adds a time; a negative difference of two clock readings counts as 0. */
    public void record(long nanos) {
        record(nanos, 1);
    }

    /** Adds the same time {@code count} times. */
    void record(long nanos, long count) {
        int index = SparseCounts.index(Math.max(0, nanos));
        unpacked(index + 1)[index] += count;
        total += count;
    }

    /** Adds the values of another histogram. */
    public void add(LatencyHistogram other) {
        SparseCounts theirs = other.packed;
        if (theirs != null) {
            theirs.addTo(this);
            return;
        }
        long[] added = other.counts;
        long[] all = unpacked(added.length);
        for (int i = 0; i < added.length; i++) {
            all[i] += added[i];
        }
        total += other.total;
    }

    public long count() {
        unpacked();
        return total;
    }

    /** The mean in microseconds; 0 if empty. */
    public double meanMicros() {
        return summary().mean();
    }

    /**
     * Figures in microseconds; 0 if empty.
     *
     * @param deviation standard deviation
     * @param percentiles in the order of the arguments
     */
    public record Summary(double mean, double deviation, List<Double> percentiles) {}

    /**
     * The figures of HdrHistogram, which iterates over all buckets three times for mean and deviation, and again for each percentile: most of
     * the time of a short run's end.
     *
     * @param percentiles 0 to 100, ascending
     */
    public Summary summary(double... percentiles) {
        long[] all = unpacked();
        double divisor = Math.max(1, total);
        double sum = 0;
        long below = 0;
        List<Double> found = new ArrayList<>();
        for (int i = 0; i < all.length; i++) {
            if (all[i] > 0) {
                sum += SparseCounts.middle(i) * (double) all[i];
                below += all[i];
                while (found.size() < percentiles.length && below >= rank(percentiles[found.size()])) {
                    found.add(SparseCounts.highest(i) / NANOS_PER_MICRO);
                }
            }
        }
        double mean = sum / divisor;
        double squares = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i] > 0) {
                double difference = SparseCounts.middle(i) - mean;
                squares += difference * difference * all[i];
            }
        }
        while (found.size() < percentiles.length) {
            found.add(0.0);
        }
        return new Summary(mean / NANOS_PER_MICRO, Math.sqrt(squares / divisor) / NANOS_PER_MICRO, found);
    }

    /** The number of values at or below a percentile, as HdrHistogram counts them. */
    private long rank(double percentile) {
        return Math.max(1, (long) Math.ceil(Math.nextDown(percentile) * total / 100));
    }

    /** The smallest time in microseconds; 0 if empty. */
    public double minMicros() {
        long[] all = unpacked();
        int first = 0;
        while (first < all.length && all[first] == 0) {
            first++;
        }
        return total == 0 ? 0 : SparseCounts.value(first) / NANOS_PER_MICRO;
    }

    /** The standard deviation divided by the mean; 0 if empty. */
    public double variation() {
        Summary summary = summary();
        return summary.mean() == 0 ? 0 : summary.deviation() / summary.mean();
    }

    /** The percentile (0 to 100) in microseconds; 0 if empty. */
    public double micros(double percentile) {
        if (percentile == 0) {
            return minMicros();
        }
        long[] all = unpacked();
        long rank = rank(percentile);
        long below = 0;
        for (int i = 0; i < all.length; i++) {
            below += all[i];
            if (below >= rank) {
                return SparseCounts.highest(i) / NANOS_PER_MICRO;
            }
        }
        return 0;
    }

    /** The largest time in microseconds; 0 if empty. */
    public double maxMicros() {
        long[] all = unpacked();
        int last = all.length - 1;
        while (last > 0 && all[last] == 0) {
            last--;
        }
        return total == 0 ? 0 : SparseCounts.highest(last) / NANOS_PER_MICRO;
    }

    /** HdrHistogram's compressed form in base64, which its tools can read; values are nanoseconds. */
    public String encode() {
        Histogram histogram = copy();
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        byte[] bytes = new byte[histogram.encodeIntoCompressedByteBuffer(buffer)];
        buffer.get(0, bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * Decodes the result of {@link #encode}.
     *
     * @throws IllegalArgumentException if it is not a compressed histogram
     */
    public static LatencyHistogram decode(String base64) {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(base64));
        LatencyHistogram decoded = new LatencyHistogram();
        try {
            Histogram.decodeFromCompressedByteBuffer(bytes, 0)
                    .recordedValues()
                    .forEach(v -> decoded.record(v.getValueIteratedTo(), v.getCountAtValueIteratedTo()));
            return decoded;
        } catch (DataFormatException e) {
            throw new IllegalArgumentException(NOT_OURS, e);
        }
    }

    /**
     * Checks that {@link #decode} needs no more memory for a text than for one of {@link #encode}. It does not read the counts.
     *
     * @throws IllegalArgumentException if it is not a compressed histogram with the digits of this class
     */
    public static void check(String base64) {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(base64));
        byte[] head = new byte[HEAD_BYTES];
        int length = 0;
        if (bytes.remaining() > COMPRESSED_AT
                && isCookie(bytes.getInt(0), COMPRESSED_COOKIE)
                && bytes.getInt(Integer.BYTES) == bytes.remaining() - COMPRESSED_AT) {
            Inflater inflater = new Inflater();
            inflater.setInput(bytes.position(COMPRESSED_AT));
            try {
                length = inflater.inflate(head);
            } catch (DataFormatException e) {
                throw new IllegalArgumentException(NOT_OURS, e);
            } finally {
                inflater.end();
            }
        }
        ByteBuffer fields = ByteBuffer.wrap(head);
        if (length < HEAD_BYTES || !isCookie(fields.getInt(0), COOKIE) || fields.getInt(DIGITS_AT) != DIGITS) {
            throw new IllegalArgumentException(NOT_OURS);
        }
    }

    /** HdrHistogram keeps the size of words in four bits of the number that says which encoding it is. */
    private static boolean isCookie(int number, int cookie) {
        return (number & ~0xf0) == cookie;
    }

    /** Its counts for another host, which adds them up quickly. */
    byte[] counts() {
        return SparseCounts.of(copy());
    }

    /**
     * Takes the {@link #counts} of another host, which may be anything.
     *
     * @throws IllegalArgumentException if it is not the counts of a histogram of this class
     */
    static LatencyHistogram received(byte[] counts) {
        return new LatencyHistogram(new SparseCounts(counts));
    }

    /** Passes every non-empty bucket to the reader: its highest value in nanoseconds and its count. */
    public void forEachBucket(BucketReader reader) {
        long[] all = unpacked();
        for (int i = 0; i < all.length; i++) {
            if (all[i] > 0) {
                reader.bucket(SparseCounts.highest(i), all[i]);
            }
        }
    }

    /** Receives the buckets of a histogram in ascending order. */
    @FunctionalInterface
    public interface BucketReader {
        void bucket(long nanos, long count);
    }

    /**
     * The counts of a {@link LatencyHistogram} as bytes: a checksum, their number, and HdrHistogram's V2 payload without its header and
     * uncompressed, that is, zigzag numbers of at most 9 bytes, where a negative one stands for that many zeros. They are added to an array by their index, which takes a
     * tenth of the time of decoding and adding a histogram of HdrHistogram's: a command adds those of all its hosts.
     */
    static final class SparseCounts {
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
        private final boolean isDeflated;
        private final int length;

        /** @throws IllegalArgumentException if it is something else, or damaged */
        SparseCounts(byte[] bytes) {
            this.bytes = bytes;
            this.isDeflated = false;
            ByteBuffer head = ByteBuffer.wrap(bytes);
            if (bytes.length < START || head.getInt() != checksum(bytes)) {
                throw new IllegalArgumentException("not the counts of a histogram");
            }
            this.length = head.getInt();
            if (length < 0 || length > MAX_INDEX) {
                throw new IllegalArgumentException(length + " counts of a histogram");
            }
        }

        private SparseCounts(byte[] deflated, int length) {
            this.bytes = deflated;
            this.isDeflated = true;
            this.length = length;
        }

        /** The same in half of the memory. */
        SparseCounts deflated() {
            ByteArrayOutputStream small = new ByteArrayOutputStream();
            try (DeflaterOutputStream out = new DeflaterOutputStream(small)) {
                out.write(bytes);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot happen in memory", e);
            }
            return new SparseCounts(small.toByteArray(), length);
        }

        private SparseCounts inflated() {
            try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
                return new SparseCounts(in.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException("cannot happen in memory", e);
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

        /** Adds them to a histogram. There is no branch for zeros, which come at random and would often be predicted wrongly. */
        void addTo(LatencyHistogram sum) {
            if (isDeflated) {
                inflated().addTo(sum);
                return;
            }
            long[] all = sum.unpacked(length);
            long added = 0;
            int index = 0;
            int end = bytes.length;
            for (int at = START; at < end; ) {
                int first = bytes[at];
                if (first < 0) { // seldom: most counts are small
                    long count = number(at);
                    at += size(at);
                    all[index] += Math.max(0, count);
                    added += Math.max(0, count);
                    index += (int) Math.max(1, -count);
                } else {
                    at++;
                    int zeros = -(first & 1); // all bits set if it stands for zeros
                    int half = first >>> 1;
                    all[index] += half & ~zeros;
                    added += half & ~zeros;
                    index += 1 + (half & zeros);
                }
            }
            sum.total += added;
        }

        /** The number of buckets that histograms of this many have: those up to a power of two nanoseconds. */
        private static int capacity(int length) {
            return (length + HALF - 1) / HALF * HALF;
        }

        private static int index(long value) {
            int bucket = Long.SIZE - Long.numberOfLeadingZeros(value | (2 * HALF - 1)) - HALF_BITS - 1;
            return (bucket << HALF_BITS) + (int) (value >>> bucket);
        }

        /** The lowest value of a bucket: HdrHistogram's valueFromIndex. */
        private static long value(int index) {
            return index < 2 * HALF ? index : ((long) (index & (HALF - 1)) + HALF) << ((index >> HALF_BITS) - 1);
        }

        /** The highest value of a bucket: HdrHistogram's highestEquivalentValue. */
        private static long highest(int index) {
            return value(index) + (index < 2 * HALF ? 0 : (1L << ((index >> HALF_BITS) - 1)) - 1);
        }

        /** The middle value of a bucket: HdrHistogram's medianEquivalentValue. */
        private static long middle(int index) {
            return value(index) + (index < 2 * HALF ? 0 : 1L << (index >> HALF_BITS) >> 2);
        }
    }

    /**
     * A log of histograms in HdrHistogram's format, which {@code HistogramLogProcessor} and similar tools read. Values are
     * nanoseconds, the column of maxima milliseconds. Not thread-safe.
     */
    public static final class HistogramLog {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final HistogramLogWriter writer =
                new HistogramLogWriter(new PrintStream(bytes, true, StandardCharsets.UTF_8));

        /** Begins the log. Writes the start line itself, because the library's depends on locale and time zone. */
        public HistogramLog(String comment, Instant start) {
            writer.outputComment("[" + comment.replaceAll("\\R", " ") + "]");
            writer.outputLogFormatVersion();
            writer.outputComment(String.format(
                    Locale.ROOT, "[StartTime: %.3f (seconds since epoch), %s]", start.toEpochMilli() / 1e3, start));
            writer.outputLegend();
        }

        /**
         * Adds a line.
         *
         * @param tag empty for none; commas and spaces become underscores, because the format does not allow them
         * @param at start in seconds since the log's start
         */
        public void add(String tag, double at, double seconds, LatencyHistogram times) {
            Histogram histogram = times.copy();
            histogram.setTag(tag.isEmpty() ? null : tag.replaceAll("[,\\s]", "_"));
            writer.outputIntervalHistogram(at, at + seconds, histogram);
        }

        /** The whole log. */
        public String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
