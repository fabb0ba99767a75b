package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.RunResult.Outage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When intervals without a success are an outage. */
final class OutagesTest {
    private static Outages.Seen interval(int at, long ok, long failed, double slowestSeconds) {
        return new Outages.Seen(at, 1, true, ok, failed, slowestSeconds);
    }

    private static Outages.Seen drain(double slowestSeconds) {
        return new Outages.Seen(2, 1, false, 0, 0, slowestSeconds);
    }

    private static List<Outage> find(double usualSeconds, Outages.Seen... intervals) {
        return new Outages(1, usualSeconds).find(List.of(intervals), null);
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
