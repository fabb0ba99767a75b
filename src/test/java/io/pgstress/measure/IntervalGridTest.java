package io.pgstress.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Where intervals begin and end. */
final class IntervalGridTest {
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
