package io.pgstress.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Counts that travel between hosts give the same histograms as HdrHistogram itself. */
final class SparseCountsTest {
    private final SplittableRandom random = new SplittableRandom(11);

    private LatencyHistogram histogram(int size) {
        LatencyHistogram histogram = new LatencyHistogram();
        for (int i = 0; i < size; i++) {
            long value = random.nextLong(1L << random.nextInt(1, 62));
            histogram.record(value, random.nextInt(20) == 0 ? random.nextLong(1L << random.nextInt(1, 50)) : 1);
        }
        return histogram;
    }

    @Test
    void sumsAreThoseOfHdrHistogram() {
        for (int round = 0; round < 200; round++) {
            LatencyHistogram expected = new LatencyHistogram();
            LatencyHistogram sum = new LatencyHistogram();
            for (int part = random.nextInt(5); part >= 0; part--) {
                LatencyHistogram own = histogram(random.nextInt(300));
                expected.add(own);
                LatencyHistogram received = LatencyHistogram.received(own.counts());
                if (random.nextInt(3) == 0) {
                    received.add(LatencyHistogram.received(new LatencyHistogram().counts()));
                }
                sum.add(received);
                if (random.nextInt(4) == 0) {
                    sum.pack();
                }
            }
            assertThat(sum.count()).isEqualTo(expected.count());
            assertThat(sum.copy()).isEqualTo(expected.copy());
            assertThat(sum.maxMicros()).isEqualTo(expected.maxMicros());
            Histogram hdr = expected.copy();
            double[] percentiles = {50, 90, 99, 99.9, 100};
            assertThat(sum.summary(percentiles))
                    .isEqualTo(new LatencyHistogram.Summary(
                            hdr.getMean() / 1e3,
                            hdr.getStdDeviation() / 1e3,
                            DoubleStream.of(percentiles)
                                    .mapToObj(expected::micros)
                                    .toList()));
        }
    }

    @Test
    void boundariesOfBucketsKeepTheirPlace() {
        for (int bits = 1; bits < 63; bits++) {
            for (long value : new long[] {(1L << bits) - 1, 1L << bits, (1L << bits) + 1}) {
                LatencyHistogram one = new LatencyHistogram();
                one.record(value, 3);
                assertThat(LatencyHistogram.received(one.counts()).copy()).isEqualTo(one.copy());
            }
        }
    }

    @Test
    void receivedCountsAreNotChangedByWhatIsAdded() {
        LatencyHistogram own = histogram(50);
        LatencyHistogram received = LatencyHistogram.received(own.counts());
        LatencyHistogram sum = new LatencyHistogram();
        sum.add(received);
        sum.add(received);
        assertThat(sum.count()).isEqualTo(2 * own.count());
        assertThat(received.count()).isEqualTo(own.count());
        sum.add(received); // read meanwhile
        assertThat(sum.count()).isEqualTo(3 * own.count());
    }

    @Test
    void damagedBytesAreRefused() {
        byte[] bytes = histogram(100).counts();
        for (int i = 0; i < 300; i++) {
            byte[] damaged = bytes.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> LatencyHistogram.received(damaged)).isInstanceOf(IllegalArgumentException.class);
            byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            assertThatThrownBy(() -> LatencyHistogram.received(cut)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
