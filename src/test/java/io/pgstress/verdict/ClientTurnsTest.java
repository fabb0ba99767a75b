package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.testing.RunsAlone;
import org.junit.jupiter.api.Test;

@RunsAlone
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
        return ClientTurns.of(waits, before, 1_000, late(500_000), latency(usualMicros));
    }

    private static ClientTurns.Typical latency(double usualMicros) {
        return new ClientTurns.Typical(usualMicros, usualMicros);
    }

    @Test
    void shareCountsOperationsWithANotableWait() {
        assertThat(turns(400_000, 340, 300).share()).isCloseTo(0.34, within(1e-9));
    }

    @Test
    void waitsOfMostOfAnOperationsTimeAreNotable() {
        ClientTurns turns = turns(400_000, 600, 300); // 0.39 ms is the middle of the counter's range

        assertThat(turns.waitMicros()).isCloseTo(0.6 * 393.216, within(1e-6));
        assertThat(turns.shapedTimes()).isTrue();
        assertThat(turns.remark().text())
                .isEqualTo(
                        "the latencies include waiting inside the load tester: for about 0.24 of the 0.30 ms of an average"
                                + " operation, the answer had arrived and the client was waiting for its turn; do not compare them"
                                + " with those of another kind of client threads");
    }

    @Test
    void waitsOfASaturatedLoopAreUsual() {
        assertThat(turns(400_000, 340, 300).shapedTimes()).isFalse();
        assertThat(turns(40_000, 1_000, 50).shapedTimes()).isFalse();
    }

    @Test
    void ignoresShortWaits() {
        assertThat(turns(90_000, 900, 20).share()).isZero();
        assertThat(turns(400_000, 900, 3e6).share()).isZero();
    }

    @Test
    void operationOfSeveralStatementsWaitsOnce() {
        assertThat(turns(400_000, 4_000, 300).share()).isEqualTo(1);
        assertThat(turns(400_000, 4_000, 300).waitMicros())
                .as("not longer than the operation")
                .isEqualTo(300);
        assertThat(turns(400_000, 4_000, 3_000).waitMicros()).isCloseTo(4 * 393.216, within(1e-6));
    }

    @Test
    void withoutEventLoopsTheShareIsUnknownAndProbesTell() {
        ClientTurns turns = ClientTurns.of(null, null, 1_000, late(3_000_000), latency(800));

        assertThat(turns.share()).isNull();
        assertThat(turns.shapedTimes()).isTrue();
        assertThat(turns.remark().text())
                .startsWith("the latencies include waiting inside the load tester: a thread like the clients' ran 3.0");
        assertThat(ClientTurns.of(null, null, 1_000, late(3_000_000), latency(3e6))
                        .shapedTimes())
                .isFalse();
        assertThat(ClientTurns.of(null, null, 1_000, late(300_000), latency(100))
                        .shapedTimes())
                .isFalse();
    }
}
