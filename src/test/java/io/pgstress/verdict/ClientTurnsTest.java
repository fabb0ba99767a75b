package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.measure.LatencyHistogram;
import org.junit.jupiter.api.Test;

final class ClientTurnsTest {
    /** A hundred probes, the n-th late by n times as much. */
    private static LatencyHistogram late(long nanos) {
        LatencyHistogram late = new LatencyHistogram();
        for (int i = 1; i <= 100; i++) {
            late.record(i * nanos);
        }
        return late;
    }

    @Test
    void shareIsOfProbesLateByHalfAnOperation() {
        ClientTurns turns = ClientTurns.of(late(10_000), 610);

        assertThat(turns.share()).isCloseTo(0.7, within(0.01));
        assertThat(turns.shapedTimes()).isTrue();
        assertThat(turns.words())
                .startsWith("client scheduling shaped the percentiles: about 70% of the operations waited for their"
                        + " client's turn (a client's thread ran 0.50 ms late at the median");
    }

    @Test
    void aWakeUpAsShortAsAnyIsNoWait() {
        assertThat(ClientTurns.of(late(990), 20).share()).isZero();
    }

    @Test
    void lateThreadsDoNotMatterWhereOperationsTakeMuchLonger() {
        assertThat(ClientTurns.of(late(100_000), 3e6).shapedTimes()).isFalse();
    }

    @Test
    void ofTooFewProbesNothingIsKnown() {
        LatencyHistogram late = new LatencyHistogram();
        late.record(5_000_000);

        assertThat(ClientTurns.of(late, 100).share()).isNull();
        assertThat(ClientTurns.of(late, 100).shapedTimes()).isFalse();
    }
}
