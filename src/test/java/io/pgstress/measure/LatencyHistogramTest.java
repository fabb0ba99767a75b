package io.pgstress.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Histograms count and are saved as HdrHistogram does it; those of files may be anything. */
final class LatencyHistogramTest {
    private static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    private static void refused(String base64) {
        assertThatThrownBy(() -> LatencyHistogram.check(base64)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void knowsItsOwn() {
        LatencyHistogram histogram = new LatencyHistogram();
        LatencyHistogram.check(histogram.encode());
        histogram.record(Long.MAX_VALUE / 2, 3);
        LatencyHistogram.check(histogram.encode());
        assertThat(LatencyHistogram.decode(histogram.encode()).count()).isEqualTo(3);
    }

    /** Of any size, some of them many times, so that buckets of all sizes are used; also when two histograms are added. */
    @Test
    void figuresAreThoseOfHdrHistogram() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 200; round++) {
            Histogram expected = new Histogram(3);
            LatencyHistogram first = new LatencyHistogram();
            LatencyHistogram sum = new LatencyHistogram();
            for (int i = random.nextInt(300); i > 0; i--) {
                long value = random.nextLong(1L << random.nextInt(1, 63));
                long count = random.nextInt(1, 4);
                expected.recordValueWithCount(value, count);
                (random.nextBoolean() ? first : sum).record(value, count);
            }
            sum.add(first);
            assertThat(sum.encode()).isEqualTo(encoded(expected));
            assertThat(sum.count()).isEqualTo(expected.getTotalCount());
            assertThat(sum.maxMicros()).isEqualTo(expected.getMaxValue() / 1e3);
            assertThat(sum.minMicros()).isEqualTo(expected.getMinValue() / 1e3);
            for (double percentile : new double[] {0, 0.1, 50, 90, 99, 99.9, 99.99, 100}) {
                assertThat(sum.micros(percentile)).isEqualTo(expected.getValueAtPercentile(percentile) / 1e3);
            }
            List<List<Long>> buckets = new ArrayList<>();
            expected.recordedValues()
                    .forEach(v -> buckets.add(List.of(v.getValueIteratedTo(), v.getCountAtValueIteratedTo())));
            List<List<Long>> own = new ArrayList<>();
            LatencyHistogram.decode(sum.encode()).forEachBucket((nanos, count) -> own.add(List.of(nanos, count)));
            assertThat(own).isEqualTo(buckets);
        }
    }

    /** 99.9% of 41,000 is 40,959 exactly, but 40,960 if the product of the doubles is rounded up. */
    @Test
    void percentileIsNotRoundedUpToTheNextTime() {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.record(1_000, 40_959);
        histogram.record(2_000_000, 41);

        assertThat(histogram.micros(99.9)).isEqualTo(1);
        assertThat(histogram.summary(50, 99.9).percentiles()).containsExactly(1.0, 1.0);
        histogram.record(1_000, 1);
        histogram.record(2_000_000, 1);
        assertThat(histogram.micros(99.9)).isGreaterThan(1_999);
    }

    @Test
    void clockThatWentBackCountsAsZero() {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.record(-5);
        assertThat(histogram.count()).isEqualTo(1);
        assertThat(histogram.maxMicros()).isZero();
    }

    @Test
    void refusesWhatNeedsMoreMemoryThanItsOwn() {
        Histogram bomb = new Histogram(1, Long.MAX_VALUE / 2, 5); // 100 MB of counts
        bomb.recordValue(1);
        assertThat(encoded(bomb)).hasSizeLessThan(200);
        refused(encoded(bomb));
    }

    @Test
    void refusesWhatIsNoHistogram() {
        String own = new LatencyHistogram().encode();
        refused("");
        refused("?");
        refused("AAAAAAAAAAAAAAAA");
        refused(own.substring(0, 8));
        refused(own.substring(0, own.length() / 4 * 2));
    }
}
