package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.plan.Arrival;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.Load;
import io.pgstress.runner.Schedule.Arrivals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** When an open loop's operations are due. */
final class ScheduleTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long ORIGIN = 5 * SECOND;

    private static Schedule schedule(Arrival arrival, Duration ramp, Double... rates) {
        Schedule schedule = new Schedule(
                new Load.Open(8, List.of(rates), arrival, Duration.ofSeconds(30), ramp), 20, 1, HostShare.whole(1));
        schedule.start(ORIGIN);
        return schedule;
    }

    private static double dueBetween(Arrivals arrivals, double from, double to) {
        return arrivals.placeAt(Math.round(to * SECOND)) - arrivals.placeAt(Math.round(from * SECOND));
    }

    @Test
    void firstRateAppliesUntilTheMeasurementStarts() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ZERO, 1000.0, 2000.0);

        assertThat(schedule.backlog(ORIGIN + 500 * SECOND)).isEqualTo(500_000);
        assertThat(schedule.rateAt(false, 500)).isEqualTo(1000);
    }

    @Test
    void stepsKeepTheirLengthAfterAnAutomaticWarmup() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ZERO, 1000.0, 2000.0, 4000.0);
        schedule.measureStarts(ORIGIN + 7 * SECOND);

        assertThat(dueBetween(schedule.measured(), 0, 30)).isCloseTo(30_000, within(1e-3));
        assertThat(dueBetween(schedule.measured(), 30, 60)).isCloseTo(60_000, within(1e-3));
        assertThat(dueBetween(schedule.measured(), 60, 90)).isCloseTo(120_000, within(1e-3));
        assertThat(schedule.rateAt(true, 29.9)).isEqualTo(1000);
        assertThat(schedule.rateAt(true, 30.1)).isEqualTo(2000);
        assertThat(schedule.rateAt(true, 1000)).isEqualTo(4000);
    }

    @Test
    void dueTimeIsTheInverseOfTheNumberDue() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ZERO, 1000.0, 2000.0, 4000.0);

        for (double place : new double[] {1, 29_999, 30_000, 30_001, 89_999, 90_001, 500_000}) {
            Arrivals measured = schedule.measured();
            assertThat(measured.placeAt(measured.dueAt(place))).isCloseTo(place, within(1e-3));
        }
    }

    /** Sums of tenths are no multiples of a tenth as doubles. */
    @Test
    void stepsOfAnyLengthHaveTheirOwnRates() {
        List<Double> rates =
                IntStream.rangeClosed(1, 40).mapToObj(i -> 100.0 * i).toList();
        Arrivals measured = new Schedule(
                        new Load.Open(8, rates, Arrival.UNIFORM, Duration.ofMillis(100), Duration.ZERO),
                        20,
                        1,
                        HostShare.whole(1))
                .measured();
        for (int place = 0; place < 8_200; place++) { // 10 + 20 + ... + 400
            assertThat(measured.placeAt(measured.dueAt(place))).isCloseTo(place, within(1e-3));
        }
    }

    @Test
    void measurementHasItsOwnSchedule() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ZERO, 10.0);
        for (int i = 0; i < 20; i++) {
            schedule.takeOfWarmup();
        }
        schedule.measureStarts(ORIGIN + 7 * SECOND);

        assertThat(schedule.takeMeasured()).isEqualTo(ORIGIN + 7 * SECOND);
        assertThat(schedule.takeMeasured()).isEqualTo(ORIGIN + 7 * SECOND + SECOND / 10);
        assertThat(schedule.backlog(ORIGIN + 8 * SECOND)).isEqualTo(8);
        assertThat(schedule.dropped()).isEqualTo(50);
        schedule.drop();
        assertThat(schedule.dropped()).isEqualTo(51);
    }

    /** Operation i is due at i/R: 25 in 5 s at 5 per second, none at the end of the measurement, which is the start of a sixth second. */
    @Test
    void asManyAreDueAsTheRateSays() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ZERO, 5.0);
        schedule.measureStarts(ORIGIN);

        assertThat(schedule.backlog(ORIGIN)).isZero();
        assertThat(schedule.backlog(ORIGIN + 5 * SECOND)).isEqualTo(25);
        for (int host = 0; host < 3; host++) {
            assertThat(schedule.measured().dueOf(host, 3, 5 * SECOND)).isEqualTo(host == 0 ? 9 : 8);
        }
        assertThat(arrivals(schedule, 26)).startsWith(ORIGIN).endsWith(ORIGIN + 24 * SECOND / 5, ORIGIN + 5 * SECOND);
        assertThat(schedule.backlog(ORIGIN + 5 * SECOND)).isZero();
    }

    @Test
    void rampLeadsToTheFirstRate() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ofSeconds(4), 1000.0);

        assertThat(schedule.isRampOver(ORIGIN + 3 * SECOND)).isFalse();
        assertThat(schedule.isRampOver(ORIGIN + 4 * SECOND)).isTrue();
        assertThat(schedule.backlog(ORIGIN + 4 * SECOND)).isEqualTo(2000);
        assertThat(schedule.rateAt(false, 1)).isEqualTo(250);
        assertThat(schedule.rateAt(false, 2)).isEqualTo(500);
        assertThat(schedule.rateAt(true, 0)).isEqualTo(1000);
    }

    /** In half the time of the ramp, a quarter of its starts are due. */
    @Test
    void startsInARampComeAsTheRateRises() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ofSeconds(4), 1000.0);
        List<Long> due =
                LongStream.generate(schedule::takeOfWarmup).limit(2002).boxed().toList();

        assertThat(due.get(0)).isEqualTo(ORIGIN);
        assertThat(due.get(500)).isCloseTo(ORIGIN + 2 * SECOND, within(1000L));
        assertThat(due.get(2000)).isCloseTo(ORIGIN + 4 * SECOND, within(1000L));
        assertThat(due.get(2001)).isCloseTo(ORIGIN + 4 * SECOND + SECOND / 1000, within(1000L));
    }

    /** What the warm-up has left does not burden the first moment of the measurement. */
    @Test
    void backlogOfTheWarmupEndsWithIt() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ZERO, 1000.0);
        schedule.measureStarts(ORIGIN + 7 * SECOND);

        assertThat(schedule.measureStart()).isEqualTo(ORIGIN + 7 * SECOND);
        assertThat(schedule.backlog(ORIGIN + 7 * SECOND - 1)).isEqualTo(7000);
        assertThat(schedule.backlog(ORIGIN + 7 * SECOND)).isZero();
    }

    @Test
    void startsThatBeganLateAreCounted() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ZERO, 1000.0);
        schedule.late(2);
        schedule.late(3);

        assertThat(schedule.begunLate()).isEqualTo(5);
    }

    @Test
    void clientsOnSeveralThreadsTakeEachStartOnce() throws Exception {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ZERO, 1000.0);
        schedule.measureStarts(ORIGIN);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<Long>>> clients = new ArrayList<>();
            for (int client = 0; client < 4; client++) {
                clients.add(threads.submit(() -> {
                    List<Long> own = new ArrayList<>();
                    for (int i = 0; i < 1000; i++) {
                        assertThat(schedule.measured().next()).isGreaterThanOrEqualTo(own.size());
                        own.add(schedule.takeMeasured());
                    }
                    return own;
                }));
            }
            List<Long> taken = new ArrayList<>();
            for (Future<List<Long>> client : clients) {
                taken.addAll(client.get(30, TimeUnit.SECONDS));
            }
            Collections.sort(taken);
            assertThat(taken).isEqualTo(arrivals(schedule(Arrival.UNIFORM, Duration.ZERO, 1000.0), 4000));
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void poissonArrivalsLeaveNoBacklogIfAllAreTaken() {
        Schedule schedule = schedule(Arrival.POISSON, Duration.ZERO, 1000.0);
        schedule.measureStarts(ORIGIN);
        long end = ORIGIN + 10 * SECOND;
        long due = ORIGIN;
        while (due < end) {
            due = schedule.takeMeasured();
        }

        assertThat(schedule.backlog(end)).isZero();
    }

    @Test
    void backlogIsWhatWasDueAndNotTaken() {
        Schedule schedule = schedule(Arrival.UNIFORM, Duration.ZERO, 1000.0);
        schedule.measureStarts(ORIGIN);
        for (int i = 0; i < 300; i++) {
            schedule.takeMeasured();
        }

        assertThat(schedule.backlog(ORIGIN + SECOND)).isEqualTo(700);
    }

    @Test
    void theHostsTogetherTakeEveryArrivalOnce() {
        for (Arrival arrival : Arrival.values()) {
            Load.Open load = new Load.Open(8, List.of(1000.0, 3000.0), arrival, Duration.ofSeconds(1), Duration.ZERO);
            List<Long> whole = arrivals(new Schedule(load, 0, 1, HostShare.whole(8)), 3000);
            List<Long> shared = new ArrayList<>();
            for (int host = 0; host < 3; host++) {
                shared.addAll(arrivals(new Schedule(load, 0, 1, new HostShare(host, 3, 0, 1, 8)), 1000));
            }
            Collections.sort(shared);
            assertThat(shared).as(arrival.name()).isEqualTo(whole);
        }
    }

    private static List<Long> arrivals(Schedule schedule, int count) {
        schedule.measureStarts(ORIGIN);
        return LongStream.generate(schedule::takeMeasured).limit(count).boxed().toList();
    }

    @Test
    void aHostsBacklogIsItsOwnPartOfTheArrivals() {
        Load.Open load = new Load.Open(8, List.of(1000.0), Arrival.UNIFORM, Duration.ofSeconds(30), Duration.ZERO);
        Schedule schedule = new Schedule(load, 0, 1, new HostShare(1, 4, 0, 1, 8));
        schedule.measureStarts(ORIGIN);
        for (int i = 0; i < 100; i++) {
            schedule.takeMeasured();
        }

        assertThat(schedule.backlog(ORIGIN + SECOND)).isEqualTo(150);
        assertThat(schedule.measured().stride()).isEqualTo(4);
        assertThat(schedule.measured().next()).isEqualTo(401);
    }
}
