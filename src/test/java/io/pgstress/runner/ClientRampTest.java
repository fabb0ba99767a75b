package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Timeline;
import io.pgstress.runner.Coordination.OneMachine;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.target.loop.Gate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How many clients run at the beginning of the warm-up, and when the others begin. */
final class ClientRampTest {
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int FIRST = 2;

    private final Timeline timeline =
            new Timeline(IntervalGrid.of(SECOND), List.of(new OperationShape("op", List.of("s"))), 1);
    private final RunSignals signals =
            new RunSignals(timeline, () -> 0, null, 8, new OneMachine(() -> 0, (run, threads) -> List.of()), () -> {});
    private long compiledMillis = 500;

    @Test
    void othersBeginWhenTheCompilerIsIdle() {
        ClientRamp ramp = ramp(20 * SECOND);
        assertThat(ramp.gateOf(FIRST - 1)).isSameAs(signals.go());
        Gate others = ramp.gateOf(FIRST);

        for (int tick = 0; tick <= 300; tick += 20) {
            compiledMillis += 10;
            assertThat(ramp.isRunning(tick * MILLISECOND)).isTrue();
        }
        compiledMillis += 2;
        assertThat(ramp.isRunning(400 * MILLISECOND)).as("idle for one span").isTrue();
        assertThat(others.isOpen()).isFalse();
        assertThat(ramp.isRunning(500 * MILLISECOND)).as("idle for two spans").isFalse();
        assertThat(others.isOpen()).isTrue();
    }

    @Test
    void othersBeginAfterFourSecondsOrAQuarterOfTheWarmup() {
        assertThat(endOfBusyRamp(20 * SECOND)).isEqualTo(4000);
        assertThat(endOfBusyRamp(2 * SECOND)).isEqualTo(500);
    }

    /** When a ramp ends whose compiler is never idle, in milliseconds. */
    private long endOfBusyRamp(long warmup) {
        ClientRamp ramp = ramp(warmup);
        long now = 0;
        while (ramp.isRunning(now * MILLISECOND)) {
            compiledMillis += 20;
            now += 20;
        }
        return now;
    }

    @Test
    void withoutWarmupAllBeginAtOnce() {
        ClientRamp ramp = ramp(0);
        assertThat(ramp.gateOf(FIRST)).isSameAs(signals.go());
        assertThat(ramp.isRunning(0)).isFalse();
    }

    @Test
    void stoppedRunHoldsNobodyBack() {
        ClientRamp ramp = ramp(20 * SECOND);
        Gate others = ramp.gateOf(FIRST);
        timeline.measure(20 * SECOND, 21 * SECOND);
        assertThat(ramp.isRunning(0)).isTrue();
        signals.stop().now(StopCause.INTERRUPTED);
        assertThat(ramp.isRunning(1)).isFalse();
        assertThat(others.isOpen()).isTrue();
    }

    @Test
    void requestedPauseNeedsAllClients() {
        ClientRamp ramp = ramp(20 * SECOND);
        signals.pause().request();
        assertThat(ramp.isRunning(1)).isFalse();
    }

    private ClientRamp ramp(long warmup) {
        timeline.start(0);
        return new ClientRamp(signals, warmup, FIRST, () -> compiledMillis);
    }
}
