package io.pgstress.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The phases of a stopped run, and where intervals begin and end. */
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

    @Test
    void measurementDoesNotEndInAPause() {
        timeline.start(0);
        timeline.measure(3 * SECOND, 13 * SECOND);
        timeline.pause(12 * SECOND);
        assertThat(timeline.isOver(20 * SECOND)).isFalse();
        timeline.shift(8 * SECOND);

        assertThat(timeline.isOver(20 * SECOND)).isFalse();
        assertThat(timeline.isOver(21 * SECOND)).isTrue();
    }

    /** Neither the warm-up nor the measurement is a whole number of intervals. */
    @Test
    void lastIntervalOfAPhaseEndsWithIt() {
        timeline.start(SECOND);
        timeline.measure(3_500_000_000L, 6_200_000_000L);

        assertThat(timeline.boundary(SECOND)).isEqualTo(2 * SECOND);
        assertThat(timeline.boundary(3_100_000_000L)).isEqualTo(3_500_000_000L);
        assertThat(timeline.boundary(3_500_000_000L)).isEqualTo(4_500_000_000L);
        assertThat(timeline.boundary(6_100_000_000L)).isEqualTo(6_200_000_000L);
        assertThat(timeline.endOf(timeline.at(6_100_000_000L))).isEqualTo(6_200_000_000L);
        assertThat(timeline.endOf(timeline.at(4_000_000_000L))).isEqualTo(4_500_000_000L);
        assertThat(timeline.boundary(6_200_000_000L)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void intervalsDoNotCrossSegments() {
        IntervalGrid grid = new IntervalGrid(500, 700);

        assertThat(grid.indexAt(0)).isZero();
        assertThat(grid.indexAt(499)).isZero();
        assertThat(grid.indexAt(500)).isEqualTo(1);
        assertThat(grid.endOf(1)).isEqualTo(700);
        assertThat(grid.indexAt(700)).isEqualTo(2);
        assertThat(grid.startOf(2)).isEqualTo(700);
        assertThat(grid.endOf(2)).isEqualTo(1200);
        assertThat(grid.segmentOf(1)).isZero();
        assertThat(grid.segmentOf(2)).isEqualTo(1);
    }

    @Test
    void allIntervalsHaveOneLengthWithoutSegments() {
        IntervalGrid grid = IntervalGrid.of(1000);

        assertThat(grid.indexAt(123_456)).isEqualTo(123);
        assertThat(grid.startOf(123)).isEqualTo(123_000);
        assertThat(grid.endOf(123)).isEqualTo(124_000);
        assertThat(grid.indexAt(-5)).isZero();
    }

    @Test
    void segmentShorterThanAnIntervalIsOneInterval() {
        IntervalGrid grid = new IntervalGrid(1000, 300);

        assertThat(grid.indexAt(299)).isZero();
        assertThat(grid.indexAt(300)).isEqualTo(1);
        assertThat(grid.endOf(1)).isEqualTo(600);
    }
}
