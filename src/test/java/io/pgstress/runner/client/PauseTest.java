package io.pgstress.runner.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Timeline;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The timeline during a pause. */
final class PauseTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong clock = new AtomicLong();
    private final Timeline timeline =
            new Timeline(IntervalGrid.of(SECOND), List.of(new OperationShape("op", List.of("s"))), 1);

    private Pause pause(Runnable reset) {
        timeline.start(0);
        timeline.measure(0, 10 * SECOND);
        return new Pause(timeline, clock::get, 1, start -> {
            reset.run();
            return new Conductor.Window(start, clock.get());
        });
    }

    @Test
    void excludesAPauseFromTheTimeline() throws InterruptedException {
        boolean[] wasRunning = new boolean[1];
        Pause[] self = new Pause[1];
        self[0] = pause(() -> {
            wasRunning[0] = self[0].isRunning();
            clock.addAndGet(15 * SECOND);
            assertThat(self[0].isLongerThan(14 * SECOND)).isTrue();
            assertThat(self[0].isLongerThan(15 * SECOND)).isFalse();
        });
        clock.set(5 * SECOND);
        self[0].request();
        self[0].await();

        assertThat(wasRunning[0]).isTrue();
        assertThat(self[0].isRunning()).isFalse();
        assertThat(self[0].isLongerThan(0)).isFalse();
        assertThat(self[0].count()).isEqualTo(1);
        assertThat(self[0].seconds()).isEqualTo(15);
        assertThat(self[0].measuredAt()).containsExactly(5.0);
        assertThat(timeline.measureEnd()).isEqualTo(25 * SECOND);
        assertThat(timeline.at(clock.get()).phase()).isEqualTo(Phase.MEASURE);
    }

    @Test
    void stopDuringAPauseEndsTheMeasurement() throws InterruptedException {
        Pause pause = pause(() -> {
            clock.addAndGet(2 * SECOND);
            timeline.endMeasure(clock.get());
            clock.addAndGet(2 * SECOND);
        });
        clock.set(5 * SECOND);
        pause.request();
        pause.await();

        assertThat(timeline.measureEnd()).isEqualTo(clock.get());
        assertThat(timeline.measureEnd() - timeline.measureStart()).isEqualTo(5 * SECOND);
    }

    @Test
    void doesNotResetAfterTheMeasurement() throws InterruptedException {
        Pause pause = pause(() -> {
            throw new IllegalStateException("not wanted");
        });
        clock.set(10 * SECOND);
        pause.request();
        pause.await();

        assertThat(pause.count()).isZero();
        assertThat(pause.isRequested()).isFalse();
    }
}
