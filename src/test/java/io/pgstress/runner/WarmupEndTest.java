package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Timeline;
import io.pgstress.plan.Phases;
import io.pgstress.runner.Coordination.OneMachine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The second in which an automatic warm-up ends, with a constant throughput and a limit of 20 s. */
final class WarmupEndTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(20);

    /** Throughput is judged after six spans. */
    private static final int STEADY = 6;

    private static final int LIMIT = 20;

    private final Timeline timeline =
            new Timeline(IntervalGrid.of(SECOND), List.of(new OperationShape("op", List.of("s"))), 1);
    private final Phases phases = new Phases(
            Duration.ofSeconds(LIMIT),
            true,
            0,
            Duration.ofSeconds(LIMIT),
            Duration.ofSeconds(10),
            Duration.ZERO,
            Duration.ofSeconds(1));
    private long now;

    private final Warmup warmup = new Warmup(
            phases,
            new RunSignals(
                    timeline, () -> now, null, 1, new OneMachine(() -> now, (run, threads) -> List.of()), () -> {}));

    @Test
    void endsWhenThroughputIsSteadyIfTheCompilerIsIdle() {
        assertThat(endWith(false)).isEqualTo(STEADY + 1);
        assertThat(warmup.cut()).isNull();
    }

    @Test
    void lastsUntilTheCompilerHasUsedLittleForOneSpan() {
        boolean[] compiling = {true, true, true, true, true, true, true, true, false, true};
        assertThat(endWith(compiling)).isEqualTo(10);
        assertThat(warmup.cut()).isNull();
    }

    @Test
    void endsAtItsLimitIfTheCompilerIsNeverIdle() {
        assertThat(endWith(true)).isEqualTo(LIMIT);
        assertThat(warmup.cut())
                .as("a result names the compiler only if it was at work in the measurement")
                .isNull();
    }

    /**
     * The start of the measurement, in seconds.
     *
     * @param compiling whether the compiler was at work in each span; the last one is also that of later spans
     */
    private double endWith(boolean... compiling) {
        timeline.start(0);
        warmup.starts(0);
        SteadyClients clients = new SteadyClients(compiling);
        for (now = 0; now < timeline.measureStart(); now += TICK) {
            warmup.follow(now, false, clients);
        }
        return (double) timeline.measureStart() / SECOND;
    }

    /** 1000 operations per second. */
    private final class SteadyClients implements WarmupProgress {
        private final boolean[] compiling;
        private int span;

        SteadyClients(boolean[] compiling) {
            this.compiling = compiling;
        }

        @Override
        public boolean isRamping(long now) {
            return false;
        }

        @Override
        public long okSoFar() {
            return now / TimeUnit.MILLISECONDS.toNanos(1);
        }

        @Override
        public boolean isCompiling() {
            return compiling[Math.min(span++, compiling.length - 1)];
        }

        @Override
        public boolean haveExecuted(int times) {
            return true;
        }
    }
}
