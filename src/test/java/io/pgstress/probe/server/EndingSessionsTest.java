package io.pgstress.probe.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.probe.server.ServerCounters.EndingSessions;
import org.junit.jupiter.api.Test;

/** How long the counters wait for the load's sessions, without a clock. */
final class EndingSessionsTest {
    private static final long STEP = EndingSessions.MAX_STANDSTILL_NANOS - 1;

    @Test
    void waitsWhileSessionsEndButNotForever() {
        EndingSessions ending = new EndingSessions(1000, 0);
        long steps = EndingSessions.MAX_WAIT_NANOS / STEP;

        for (int step = 1; step <= steps; step++) {
            assertThat(ending.isWorthWaiting(1000 - step, step * STEP)).isTrue();
        }
        assertThat(ending.isWorthWaiting(1, EndingSessions.MAX_WAIT_NANOS)).isFalse();
    }

    @Test
    void doesNotWaitForSessionsThatStayOpen() {
        EndingSessions ending = new EndingSessions(10, 0);

        assertThat(ending.isWorthWaiting(10, STEP)).isTrue();
        assertThat(ending.isWorthWaiting(9, STEP)).isTrue();
        assertThat(ending.isWorthWaiting(9, 2 * STEP)).isTrue();
        assertThat(ending.isWorthWaiting(9, 2 * STEP + 1)).isFalse();
    }

    @Test
    void endsWhenAllHaveEnded() {
        assertThat(new EndingSessions(3, 0).isWorthWaiting(0, 1)).isFalse();
        assertThat(new EndingSessions(0, 0).isWorthWaiting(0, 0)).isFalse();
    }
}
