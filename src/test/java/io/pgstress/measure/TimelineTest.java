package io.pgstress.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The phases of a stopped run. */
final class TimelineTest {
    private static final long SECOND = 1_000_000_000L;

    private final Timeline timeline =
            new Timeline(IntervalGrid.of(SECOND), List.of(new OperationShape("op", List.of("s"))), 1);

    @Test
    void stopEndsAFixedWarmupAtOnce() {
        timeline.start(0);
        timeline.measure(300 * SECOND, 310 * SECOND);
        timeline.endMeasure(2 * SECOND);

        assertThat(timeline.at(2 * SECOND).phase()).isEqualTo(Phase.DRAIN);
        assertThat(timeline.measureEnd()).isEqualTo(timeline.measureStart()).isEqualTo(2 * SECOND);
    }

    @Test
    void stopWhileConnectingIsNotForgotten() {
        timeline.endMeasure(SECOND);
        timeline.start(2 * SECOND);
        timeline.measure(5 * SECOND, 15 * SECOND);

        assertThat(timeline.at(2 * SECOND).phase()).isEqualTo(Phase.DRAIN);
    }

    @Test
    void stopInTheMeasurementKeepsItsStart() {
        timeline.start(0);
        timeline.measure(3 * SECOND, 13 * SECOND);
        timeline.endMeasure(7 * SECOND);

        assertThat(timeline.measureStart()).isEqualTo(3 * SECOND);
        assertThat(timeline.measureEnd()).isEqualTo(7 * SECOND);
    }
}
