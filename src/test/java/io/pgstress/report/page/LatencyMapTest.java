package io.pgstress.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.report.Samples;
import io.pgstress.report.page.PercentileCurve.LatencyMap;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.Times;
import io.pgstress.result.Latency;
import io.pgstress.result.RunResult;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class LatencyMapTest {
    @Test
    void countsEveryTimeOfTheWarmUpAndTheMeasurement() {
        RunResult run = Samples.closed();

        LatencyMap map = map(run);

        assertThat(map.columns()).extracting(LatencyMap.Column::atSeconds).startsWith(-3.0, -2.0, -1.0, 0.0, 1.0);
        assertThat(counted(map))
                .isEqualTo(times(run.load().warmupIntervals()) + times(run.intervals()))
                .isPositive();
    }

    @Test
    void aTimeIsInTheBucketOfItsPowerOfTen() {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.record(500); // below 1 microsecond
        histogram.record(1_500_000);
        histogram.record(1_500_000);
        RunResult run = Samples.closed();
        IntervalResult first = run.intervals().get(0);

        LatencyMap map = map(
                run.withIntervals(List.of(first.withTimes(new Times(Latency.of(histogram), null, null, null, null)))));

        assertThat(map.columns()).hasSize(1);
        // 1.5 ms: 10 * log10(1500) = 31.8
        assertThat(map.columns().get(0).counts()).isEqualTo(List.of(List.of(0L, 1L), List.of(31L, 2L)));
    }

    @Test
    void longRunsHaveNoMoreColumnsThanFitOnAScreen() {
        RunResult run = Samples.tenMinutes();

        LatencyMap map = map(run);

        assertThat(map.columns()).hasSize(LatencyMap.MAX_COLUMNS + 2); // the warm-up's 3 intervals in 2 columns
        assertThat(map.columns().get(3).seconds()).isEqualTo(2);
        assertThat(counted(map)).isEqualTo(times(run.load().warmupIntervals()) + times(run.intervals()) - drain(run));
    }

    @Test
    void resultsWithoutHistogramsHaveNoMap() {
        RunResult run = Samples.closed();
        List<IntervalResult> brief =
                run.intervals().stream().map(IntervalResult::withoutHistograms).toList();

        assertThat(LatencyMap.of(run.withIntervals(brief))).isNull();
        assertThat(LatencyMap.of(Samples.nothing())).isNull();
    }

    private static LatencyMap map(RunResult run) {
        return Objects.requireNonNull(LatencyMap.of(run));
    }

    private static long counted(LatencyMap map) {
        return map.columns().stream()
                .flatMap(c -> c.counts().stream())
                .mapToLong(pair -> pair.get(1))
                .sum();
    }

    private static long times(List<IntervalResult> intervals) {
        return intervals.stream().mapToLong(LatencyMapTest::times).sum();
    }

    private static long drain(RunResult run) {
        return times(
                run.intervals().stream().filter(i -> i.phase().equals("drain")).toList());
    }

    private static long times(IntervalResult interval) {
        if (interval.times().responseMicros() != null) {
            return interval.times().responseMicros().count();
        }
        return interval.times().totalMicros() == null
                ? 0
                : interval.times().totalMicros().count();
    }
}
