package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.RemarkCode;
import io.pgstress.verdict.ClientTurns.RunQueue;
import org.junit.jupiter.api.Test;

/** The estimate of the client's own waiting, from each kind of evidence. */
final class ClientTurnsTest {
    private static final long OPERATIONS = 1_000;

    private static LatencyHistogram late(long nanos) {
        LatencyHistogram late = new LatencyHistogram();
        late.record(nanos);
        return late;
    }

    /** Waits of one length for a turn. */
    private static long[] waits(long nanos, long count) {
        long[] waits = new long[Long.SIZE];
        waits[Long.SIZE - Long.numberOfLeadingZeros(nanos)] += count;
        return waits;
    }

    private static ClientTurns turns(long nanos, long count, double meanMicros) {
        return ClientTurns.of(waits(nanos, count), null, OPERATIONS, false, late(500_000), meanMicros, 0);
    }

    @Test
    void countsWaitsForATurn() {
        ClientTurns turns = turns(400_000, 600, 300); // 0.39 ms is the middle of the counter's range

        assertThat(turns.ownMicros()).isCloseTo(0.6 * 393.216, within(1e-6));
        assertThat(turns.share()).isCloseTo(0.6 * 393.216 / 300, within(1e-6));
        assertThat(turns.remark(RemarkCode.CLIENT_WAITS).figures()).containsEntry("ownMillis", turns.ownMicros() / 1e3);
    }

    @Test
    void loopsThatWaitForACoreDelayTheirClients() {
        RunQueue queue = new RunQueue(5_000_000_000L, 500); // 10 ms each
        assertThat(ClientTurns.of(waits(400_000, 600), queue, OPERATIONS, false, late(1), 20_000, 0)
                        .ownMicros())
                .isEqualTo(10_000);
    }

    @Test
    void operationWaitsNoLongerThanItTakes() {
        assertThat(turns(400_000, 4_000, 300).share()).isEqualTo(1);
        assertThat(turns(400_000, 4_000, 3_000).ownMicros()).isCloseTo(4 * 393.216, within(1e-6));
    }

    @Test
    void shortestOperationShowsWhatAllNeedWithoutAWait() {
        RunQueue queue = new RunQueue(42_000_000_000L, 5_000);

        assertThat(ClientTurns.of(null, queue, OPERATIONS, false, late(1), 4_180, 300)
                        .ownMicros())
                .isEqualTo(3_880);
    }

    @Test
    void threadsOfTheSystemWaitInItsQueues() {
        ClientTurns turns =
                ClientTurns.of(null, new RunQueue(42_000_000_000L, 5_000), OPERATIONS, false, late(1), 106_000, 0);

        assertThat(turns.ownMicros()).isEqualTo(42_000);
        assertThat(turns.areDominant()).isTrue();
    }

    /** Half of the turns of an open loop are waits for the time at which an operation is due. */
    @Test
    void waitsBeforeAnOperationStartsAreNotPartOfIt() {
        RunQueue queue = new RunQueue(2_000_000_000L, 2 * OPERATIONS);
        assertThat(ClientTurns.of(null, queue, OPERATIONS, true, late(1), 6_000, 0)
                        .ownMicros())
                .isEqualTo(1_000);
        assertThat(ClientTurns.of(null, queue, OPERATIONS, false, late(1), 6_000, 0)
                        .ownMicros())
                .isEqualTo(2_000);
    }

    @Test
    void probesTellWhereNothingElseDoes() {
        assertThat(ClientTurns.of(null, null, OPERATIONS, false, late(3_000_000), 8_000, 0)
                        .share())
                .isCloseTo(0.375, within(0.001));
        assertThat(ClientTurns.of(null, null, 0, false, late(3_000_000), 0, 0).share())
                .isZero();
    }

    @Test
    void warnsFromATenthAndJudgesFromThreeTenths() {
        assertThat(new ClientTurns(990, 10_000).areNotable()).isFalse();
        assertThat(new ClientTurns(1_010, 10_000).areNotable()).isTrue();
        assertThat(new ClientTurns(2_990, 10_000).areDominant()).isFalse();
        assertThat(new ClientTurns(3_010, 10_000).areDominant()).isTrue();
        assertThat(new ClientTurns(950, 1_000).areDominant()).isFalse();
        assertThat(new ClientTurns(90, 100).areNotable())
                .as("even a thread with its own core takes some time")
                .isFalse();
    }
}
