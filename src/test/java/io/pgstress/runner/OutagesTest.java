package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.RunResult.Outage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When intervals without a success are an outage. */
final class OutagesTest {
    private static IntervalResult interval(int at, long ok, long failed, double slowestSeconds) {
        return interval(at, "measure", ok, failed, slowestSeconds);
    }

    private static IntervalResult drain(double slowestSeconds) {
        return interval(2, "drain", 0, 0, slowestSeconds);
    }

    private static IntervalResult interval(int at, String phase, long ok, long failed, double slowestSeconds) {
        LatencyHistogram times = new LatencyHistogram();
        times.record((long) (slowestSeconds * 1e9));
        return new IntervalResult(
                at,
                1,
                phase,
                ok,
                failed,
                0,
                0,
                0,
                ok,
                null,
                null,
                0,
                0,
                0,
                slowestSeconds == 0 ? null : Latency.of(times),
                null,
                null,
                null,
                null,
                Map.of(),
                Map.of(),
                Map.of("a", ok));
    }

    private static List<Outage> find(double usualSeconds, IntervalResult... intervals) {
        return new Outages(1, usualSeconds).find(List.of(intervals), List.of("a"));
    }

    @Test
    void aServerThatStandsStillWithoutAnyErrorIsOne() {
        assertThat(find(
                        0.001,
                        interval(0, 9, 0, 0.01),
                        interval(1, 0, 0, 0),
                        interval(2, 0, 0, 0),
                        interval(3, 9, 0, 2.3)))
                .containsExactly(new Outage(1, 3, null));
        assertThat(find(0.001, interval(0, 9, 0, 0.01), interval(1, 0, 0, 0), drain(1.7)))
                .containsExactly(new Outage(1, 2, null));
    }

    @Test
    void anErrorIsOneHoweverShort() {
        assertThat(find(0.001, interval(0, 9, 0, 0.01), interval(1, 0, 3, 0), interval(2, 9, 0, 0.01)))
                .containsExactly(new Outage(1, 2, null));
    }

    @Test
    void anIntervalInWhichNothingWasDueIsNone() {
        assertThat(find(0.001, interval(0, 1, 0, 0.001), interval(1, 0, 0, 0), interval(2, 1, 0, 0.001)))
                .isEmpty();
        assertThat(find(0.001, interval(0, 1, 0, 0.001), interval(1, 0, 0, 0))).isEmpty();
    }

    @Test
    void operationsThatTakeLongerThanAnIntervalAreNone() {
        assertThat(find(3, interval(0, 0, 0, 0), interval(1, 0, 0, 0), interval(2, 1, 0, 3), interval(3, 0, 0, 0)))
                .isEmpty();
    }
}
