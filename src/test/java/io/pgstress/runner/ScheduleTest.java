package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.plan.Arrival;
import io.pgstress.plan.Load;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When operations of an open load are due. */
final class ScheduleTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long ORIGIN = 5 * SECOND;

    private static Schedule schedule(Arrival arrival, Duration ramp, Double... rates) {
        Schedule schedule =
                new Schedule(new Load.Open(8, List.of(rates), arrival, Duration.ofSeconds(30), ramp), 20, 1);
        schedule.start(ORIGIN);
        return schedule;
    }

    private static double dueBetween(Schedule schedule, double from, double to) {
        return schedule.placeAt(ORIGIN + Math.round(to * SECOND))
                - schedule.placeAt(ORIGIN + Math.round(from * SECOND));
    }

    @Test
    void theFirstRateHoldsUntilTheMeasurementStarts() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ZERO, 1000.0, 2000.0);

        assertThat(dueBetween(schedule, 0, 500)).isCloseTo(500_000, within(1e-3));
        assertThat(schedule.rateAt(500)).isEqualTo(1000);
    }

    @Test
    void stepsAreOfTheirLengthWhereverAnAutomaticWarmupEnds() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ZERO, 1000.0, 2000.0, 4000.0);
        schedule.measureStarts(ORIGIN + 7 * SECOND);

        assertThat(dueBetween(schedule, 7, 37)).isCloseTo(30_000, within(1e-3));
        assertThat(dueBetween(schedule, 37, 67)).isCloseTo(60_000, within(1e-3));
        assertThat(dueBetween(schedule, 67, 97)).isCloseTo(120_000, within(1e-3));
        assertThat(schedule.rateAt(36.9)).isEqualTo(1000);
        assertThat(schedule.rateAt(37.1)).isEqualTo(2000);
    }

    @Test
    void whatWasTakenAheadMovesWithTheSteps() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ZERO, 1.0, 10.0);
        double place = 0;
        for (int i = 0; i < 47; i++) {
            place = schedule.next();
        }
        assertThat(schedule.at(place)).isEqualTo(ORIGIN + 47 * SECOND);

        schedule.measureStarts(ORIGIN + 7 * SECOND);

        assertThat(schedule.at(place)).isEqualTo(ORIGIN + 38 * SECOND);
    }

    @Test
    void theRampLeadsToTheFirstRate() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ofSeconds(4), 1000.0);

        assertThat(schedule.isRampOver(ORIGIN + 3 * SECOND)).isFalse();
        assertThat(schedule.isRampOver(ORIGIN + 4 * SECOND)).isTrue();
        assertThat(dueBetween(schedule, 0, 4)).isCloseTo(2000, within(1e-3));
        assertThat(schedule.at(schedule.placeAt(ORIGIN + 3 * SECOND))).isCloseTo(ORIGIN + 3 * SECOND, within(1L));
    }

    @Test
    void poissonArrivalsThatWereAllTakenLeaveNoBacklog() {
        Schedule schedule = schedule(Arrival.POISSON, Duration.ZERO, 1000.0);
        schedule.measureStarts(ORIGIN);
        long end = ORIGIN + 10 * SECOND;
        long due = ORIGIN;
        while (due < end) {
            due = schedule.at(schedule.next());
        }

        assertThat(schedule.backlog(end)).isZero();
    }

    @Test
    void theBacklogIsWhatWasDueAndNotTaken() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ZERO, 1000.0);
        schedule.measureStarts(ORIGIN);
        for (int i = 0; i < 300; i++) {
            schedule.next();
        }

        assertThat(schedule.backlog(ORIGIN + SECOND)).isEqualTo(700);
    }
}
