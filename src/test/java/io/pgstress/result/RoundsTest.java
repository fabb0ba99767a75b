package io.pgstress.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.measure.Phase;
import io.pgstress.result.IntervalResult.Counts;
import io.pgstress.result.IntervalResult.OperationInterval;
import io.pgstress.result.IntervalResult.Places;
import io.pgstress.result.IntervalResult.Rates;
import io.pgstress.result.IntervalResult.Times;
import io.pgstress.result.IntervalResult.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows per second of rounds, computed from intervals of one second. */
final class RoundsTest {
    private static List<IntervalResult> intervals(long... rows) {
        List<IntervalResult> all = new ArrayList<>();
        for (int i = 0; i < rows.length; i++) {
            all.add(interval(i, Phase.MEASURE, rows[i]));
        }
        all.add(interval(rows.length, Phase.DRAIN, 1_000_000));
        return all;
    }

    private static IntervalResult interval(double at, Phase phase, long rows) {
        return new IntervalResult(
                at,
                1,
                phase.label(),
                new Counts(rows, 0, 0, 0, 0),
                new Rates(rows, null, null),
                Usage.UNKNOWN,
                Times.NONE,
                Map.of(),
                Map.of("bulk_insert", new OperationInterval(rows, 0, rows, null, 1, 1, Map.of())),
                Places.NONE);
    }

    @Test
    void eachRoundHasItsRateAndTheSlopeIsOfAll() {
        Pauses.Rounds rounds = Pauses.Rounds.of(intervals(900, 900, 800, 800, 700, 700), List.of(2.0, 4.0));

        assertThat(rounds).isNotNull();
        assertThat(rounds.rowsPerSecond()).containsExactly(900.0, 800.0, 700.0);
        assertThat(rounds.first()).isEqualTo(900);
        assertThat(rounds.last()).isEqualTo(700);
        assertThat(rounds.changePerRound()).isCloseTo(-100, within(1e-9));
    }

    @Test
    void rowsOfAnIntervalInWhichARoundEndsAreDividedByTime() {
        Pauses.Rounds rounds = Pauses.Rounds.of(intervals(100, 100, 100, 200, 200), List.of(2.5));

        assertThat(rounds).isNotNull();
        assertThat(rounds.rowsPerSecond()).containsExactly(100.0, 180.0);
    }

    @Test
    void shortRoundsAreLeftOut() {
        Pauses.Rounds rounds =
                Pauses.Rounds.of(intervals(1, 600, 600, 600, 500, 500, 500, 1), List.of(0.0, 1.0, 4.0, 7.0));

        assertThat(rounds).isNotNull();
        assertThat(rounds.rowsPerSecond()).containsExactly(600.0, 500.0);
    }

    @Test
    void unknownWithoutTwoRoundsOrWithLongIntervals() {
        assertThat(Pauses.Rounds.of(intervals(5, 5, 5), List.of())).isNull();
        assertThat(Pauses.Rounds.of(List.of(), List.of(1.0))).isNull();
        assertThat(Pauses.Rounds.of(intervals(5, 5, 5), List.of(1.0, 2.0)))
                .as("intervals as long as the rounds")
                .isNull();
    }
}
