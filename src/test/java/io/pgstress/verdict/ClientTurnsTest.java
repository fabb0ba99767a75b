package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.testing.Alone;
import org.junit.jupiter.api.Test;

@Alone
final class ClientTurnsTest {
    private static LatencyHistogram late(long nanos) {
        LatencyHistogram late = new LatencyHistogram();
        late.record(nanos);
        return late;
    }

    /** A hundred waits of one length before the measurement, and waits of another length within it. */
    private static ClientTurns turns(long nanos, long count, double usualMicros) {
        long[] before = new long[Long.SIZE];
        long[] waits = new long[Long.SIZE];
        before[25] = 100;
        waits[25] = 100;
        waits[Long.SIZE - Long.numberOfLeadingZeros(nanos)] += count;
        return ClientTurns.of(waits, before, 1_000, late(500_000), usualMicros);
    }

    @Test
    void shareCountsOperationsWithANotableWait() {
        ClientTurns turns = turns(400_000, 340, 300);

        assertThat(turns.share()).isCloseTo(0.34, within(1e-9));
        assertThat(turns.shapedTimes()).isTrue();
        assertThat(turns.words())
                .startsWith(
                        "the percentiles include waiting inside the load tester: about 34% of the operations waited for their client's"
                                + " turn; a thread like the clients' ran 0.50 ms late at the median");
    }

    @Test
    void ignoresShortWaits() {
        assertThat(turns(90_000, 900, 20).share()).isZero();
        assertThat(turns(400_000, 900, 3e6).share()).isZero();
    }

    @Test
    void operationOfSeveralStatementsWaitsOnce() {
        assertThat(turns(400_000, 4_000, 300).share()).isEqualTo(1);
    }

    @Test
    void withoutEventLoopsTheShareIsUnknownAndProbesTell() {
        ClientTurns turns = ClientTurns.of(null, null, 1_000, late(3_000_000), 800);

        assertThat(turns.share()).isNull();
        assertThat(turns.shapedTimes()).isTrue();
        assertThat(turns.words())
                .startsWith(
                        "the percentiles include waiting inside the load tester: a thread like the clients' ran 3.0");
        assertThat(ClientTurns.of(null, null, 1_000, late(3_000_000), 3e6).shapedTimes())
                .isFalse();
        assertThat(ClientTurns.of(null, null, 1_000, late(300_000), 100).shapedTimes())
                .isFalse();
    }
}
