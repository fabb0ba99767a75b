package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Timeline;
import io.pgstress.plan.Phases;
import io.pgstress.runner.Coordination.OneMachine;
import io.pgstress.runner.Warmup.WarmupProgress;
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
        assertThat(endWith(0.019)).isEqualTo(STEADY + 1);
        assertThat(warmup.cut()).isNull();
    }

    @Test
    void lastsUntilTheCompilerHasUsedLittleForOneSpan() {
        double[] shares = {0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.021, 0.02, 0.5};
        assertThat(endWith(shares)).isEqualTo(10);
        assertThat(warmup.cut()).isNull();
    }

    @Test
    void endsAtItsLimitIfTheCompilerIsNeverIdle() {
        assertThat(endWith(0.1)).isEqualTo(LIMIT);
        assertThat(warmup.cut())
                .as("a result names the compiler only if it was at work in the measurement")
                .isNull();
    }

    /**
     * The start of the measurement, in seconds.
     *
     * @param shares the compiler's share in each span; the last one is also that of later spans
     */
    private double endWith(double... shares) {
        timeline.start(0);
        warmup.starts(0);
        SteadyClients clients = new SteadyClients(shares);
        for (now = 0; now < timeline.measureStart(); now += TICK) {
            warmup.follow(now, false, clients);
        }
        return (double) timeline.measureStart() / SECOND;
    }

    /** 1000 operations per second. */
    private final class SteadyClients implements WarmupProgress {
        private final double[] shares;
        private int span;

        SteadyClients(double[] shares) {
            this.shares = shares;
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
        public double compilerShare() {
            return shares[Math.min(span++, shares.length - 1)];
        }

        @Override
        public boolean haveExecuted(int times) {
            return true;
        }
    }
}
