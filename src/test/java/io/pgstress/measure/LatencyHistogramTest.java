package io.pgstress.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Histograms of files, which may be anything. */
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
