package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.measure.Outcome;
import io.pgstress.result.Outage;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** When a period without success is an outage, and when it starts and ends. */
final class OutagesTest {
    private static void assertOne(List<Outage> outages, double from, double to) {
        assertThat(outages).extracting(Outage::fromSeconds, Outage::toSeconds).containsExactly(tuple(from, to));
    }

    @Test
    void stallLastsFromTheLastSuccessToTheNext() {
        PlayedRun run = new PlayedRun(10_000, 1, 0, 0);
        run.busy(0, 0, 4_012).operation(0, Outcome.OK, 4_012, 5_731).busy(0, 5_731, 10_000);
        run.busy(1, 0, 4_000).operation(1, Outcome.OK, 4_000, 5_735).busy(1, 5_735, 10_000);

        assertOne(run.outages(), 4.012, 5.731);
    }

    /** Operations that were in progress succeed, and the next ones fail. */
    @Test
    void restartWithShortSuccessesInItIsOneOutage() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 4_000).operation(0, Outcome.FAILED, 4_000, 4_900).operation(0, Outcome.OK, 4_900, 5_000);
        run.busy(0, 5_000, 5_008).operation(0, Outcome.FAILED, 5_008, 5_400).operation(0, Outcome.OK, 5_400, 5_500);
        run.busy(0, 5_500, 6_000).operation(0, Outcome.FAILED, 6_000, 6_400).busy(0, 6_400, 10_000);

        assertThat(run.outages())
                .extracting(Outage::fromSeconds, Outage::toSeconds)
                .containsExactly(tuple(4.0, 5.5), tuple(6.0, 6.401));
    }

    @Test
    void restartLastsFromTheLastSuccessToTheNextDespiteFailures() {
        PlayedRun run = new PlayedRun(10_000, 1, 0, 0);
        run.busy(0, 0, 4_012).operation(0, Outcome.FAILED, 4_012, 4_030);
        run.operation(0, Outcome.FAILED, 4_900, 4_910).operation(0, Outcome.OK, 5_700, 5_712);
        run.busy(0, 5_712, 10_000);
        run.busy(1, 0, 4_020).operation(1, Outcome.FAILED, 4_020, 4_030);
        run.operation(1, Outcome.FAILED, 4_500, 5_760).busy(1, 6_000, 10_000);

        assertOne(run.outages(), 4.02, 5.712);
    }

    /** A crash that is over after two refused connections: clients that wait to connect again have work to do. */
    @Test
    void waitForTheNextConnectionIsPartOfAnOutage() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 4_000).operation(0, Outcome.FAILED, 4_000, 4_002).waitsToConnect(0, 4_050);
        run.operation(0, Outcome.FAILED, 4_050, 4_052).waitsToConnect(0, 4_150);
        run.operation(0, Outcome.OK, 4_150, 4_152).busy(0, 4_152, 10_000);

        assertOne(run.outages(), 4, 4.152);
    }

    /** The rows are gone: the server answers quickly, but nothing succeeds. */
    @Test
    void missesOfAnOperationThatExpectsNoneAreNoSuccess() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 4_000);
        for (int at = 4_000; at < 6_000; at++) {
            run.operation(0, at % 2 == 0 ? Outcome.MISS : Outcome.DUPLICATE, at, at + 1);
        }
        run.busy(0, 6_000, 10_000);

        assertOne(run.outages(), 4, 6.001);
    }

    /** A lock of 0.4 s in each second: no stall is long, but nothing succeeds for much of the time. */
    @Test
    void shortStallsThatAreMuchOfTheMeasurementAreOutages() {
        PlayedRun much = new PlayedRun(10_000, 1, 0);
        PlayedRun little = new PlayedRun(10_000, 1, 0);
        PlayedRun slow = new PlayedRun(10_000, 50, 0);
        for (int at = 0; at < 10_000; at += 1_000) {
            much.busy(0, at, at + 600).operation(0, Outcome.OK, at + 600, at + 1_000);
            little.busy(0, at, at + 900).operation(0, Outcome.OK, at + 900, at + 1_000);
            slow.operation(0, Outcome.OK, at, at + 50).operation(0, Outcome.OK, at + 50, at + 1_000 - 600);
            slow.operation(0, Outcome.OK, at + 400, at + 850).operation(0, Outcome.OK, at + 850, at + 1_000);
        }

        assertThat(much.outages())
                .hasSize(10)
                .allSatisfy(o -> assertThat(o.toSeconds() - o.fromSeconds()).isCloseTo(0.4, within(0.002)));
        assertThat(little.outages()).as("a tenth of the time").isEmpty();
        assertThat(slow.outages()).as("operations that always take long").isEmpty();
    }

    /** A lock of 0.2 s, and one of 0.4 s that begins 0.09 s before the end of the measurement. */
    @Test
    void stallsMayBeTooShortForAnOutage() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 4_000).operation(0, Outcome.OK, 4_000, 4_200);
        run.busy(0, 4_200, 9_910).operation(0, Outcome.OK, 9_910, 10_310).busy(0, 10_310, 10_400);

        assertThat(run.outages()).isEmpty();
        assertThat(run.stalls())
                .extracting(Outage::fromSeconds, Outage::toSeconds)
                .containsExactly(tuple(4.0, 4.2), tuple(9.91, 10.31));
        PlayedRun unanswered = new PlayedRun(10_000, 1, 0);
        unanswered.busy(0, 0, 9_950).operation(0, Outcome.UNFINISHED, 9_950, 12_000);
        assertOne(unanswered.stalls(), 9.95, 12);
        PlayedRun steady = new PlayedRun(10_000, 1, 0);
        assertThat(steady.busy(0, 0, 10_400).stalls()).isEmpty();
    }

    /** Operations of 3 s in a measurement of 2 s: how long they usually take is unknown. */
    @Test
    void operationsOfWhichNoneEndedAreNotAnOutage() {
        PlayedRun run = new PlayedRun(2_000, 0, 0);
        run.operation(0, Outcome.UNFINISHED, 0, 2_000);

        assertThat(run.outages()).isEmpty();
    }

    @Test
    void successOfOneClientRulesOutAnOutage() {
        PlayedRun run = new PlayedRun(10_000, 1, 0, 0);
        run.busy(0, 0, 10_000);
        run.busy(1, 0, 4_000).operation(1, Outcome.OK, 4_000, 7_000).busy(1, 7_000, 10_000);

        assertThat(run.outages()).isEmpty();
    }

    @Test
    void timeWithoutDueOperationsIsNotAnOutage() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        for (int at = 0; at < 10_000; at += 1_000) {
            run.operation(0, Outcome.OK, at, at + 1);
        }

        assertThat(run.outages()).isEmpty();
    }

    @Test
    void outageAtALowRateBeginsWithTheWaitingOperation() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.operation(0, Outcome.OK, 2_000, 2_001).operation(0, Outcome.OK, 3_000, 4_800);

        assertOne(run.outages(), 3, 4.8);
    }

    @Test
    void singleFailureAtALowRateIsNotAnOutage() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.operation(0, Outcome.OK, 4_000, 4_001);
        run.operation(0, Outcome.FAILED, 5_000, 5_001);
        run.operation(0, Outcome.OK, 6_000, 6_001);

        assertThat(run.outages()).isEmpty();
    }

    @Test
    void operationsOfUsualLengthAreNotAnOutage() {
        PlayedRun run = new PlayedRun(10_000, 3_000, 0, 0);
        for (int at = 0; at < 9_000; at += 3_000) {
            run.operation(0, Outcome.OK, at, at + 3_000);
            run.operation(1, Outcome.OK, at, at + 3_100);
        }

        assertThat(run.outages()).isEmpty();
    }

    @Test
    void missesAndDuplicatesThatAreExpectedCountAsAnswers() {
        PlayedRun run = new PlayedRun(true, 3_000, 1, 0);
        run.operation(0, Outcome.FAILED, 0, 1);
        for (int at = 1; at < 3_000; at++) {
            run.operation(0, at % 2 == 0 ? Outcome.MISS : Outcome.DUPLICATE, at, at + 1);
        }

        assertThat(run.outages()).isEmpty();
    }

    @Test
    void unfinishedOutageLastsToTheEndOfTheMeasurement() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 7_500).operation(0, Outcome.FAILED, 7_500, 9_990);

        assertOne(run.outages(), 7.5, 10);
        assertThat(run.outages().get(0).fullRateAtSeconds()).isNull();
    }

    @Test
    void outageThatEndsInTheDrainLastsToItsFirstSuccess() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 9_000).operation(0, Outcome.OK, 9_000, 11_250);

        assertOne(run.outages(), 9, 11.25);
        assertThat(run.outages().get(0).operationsLost()).isCloseTo(1_000L, within(10L));
    }

    @Test
    void outageFromTheWarmupBeginsWithTheMeasurement() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, -1_000, -300).operation(0, Outcome.OK, -300, 1_400).busy(0, 1_400, 10_000);

        assertOne(run.outages(), 0, 1.4);
        assertThat(run.outages().get(0).operationsLost()).isNull();
    }

    @Test
    void ignoresOutagesInTheWarmup() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, -1_000, -900).operation(0, Outcome.FAILED, -900, -100).busy(0, -100, 10_000);

        assertThat(run.outages()).isEmpty();
    }

    @Test
    void excludesPauses() {
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 2_000);
        run.timeline.pause((PlayedRun.WARMUP + 2_000) * PlayedRun.MILLI);
        run.timeline.shift(5_000 * PlayedRun.MILLI);
        run.busy(0, 7_000, 8_000).operation(0, Outcome.OK, 8_000, 9_700).busy(0, 9_700, 15_000);

        assertOne(run.outages(), 3, 4.7);
    }

    @Test
    void nodesHaveTheirOwnOutagesAndCommonOnesIfNoneSucceeded() {
        PlayedRun run = new PlayedRun(10_000, 1, 0, 1);
        run.busy(0, 0, 4_000).operation(0, Outcome.OK, 4_000, 6_000).busy(0, 6_000, 10_000);
        run.busy(1, 0, 5_000).operation(1, Outcome.OK, 5_000, 8_000).busy(1, 8_000, 10_000);

        assertOne(run.outages(0), 4, 6);
        assertOne(run.outages(1), 5, 8);
        assertOne(run.outages(), 5, 6);
    }

    /** From 4 s on, operations took five times as long; speeds that alternate have no last one. */
    @Test
    void lossIsThatAtTheRateSinceItChangedLast() {
        PlayedRun alternating = new PlayedRun(10_000, 1, 0);
        for (int at = 0; at < 4_400; at += at / 400 % 2 == 0 ? 5 : 1) {
            alternating.operation(0, Outcome.OK, at, at + (at / 400 % 2 == 0 ? 5 : 1));
        }
        alternating.operation(0, Outcome.OK, 4_400, 5_400);

        assertThat(lostAfterFall(1_500)).isCloseTo(200L, within(30L));
        assertThat(alternating.outages())
                .singleElement()
                .satisfies(outage -> assertThat(outage.operationsLost()).isCloseTo(580L, within(60L)));
    }

    /** A server that is about to stop is slow. */
    @Test
    void shortFallBeforeAnOutageIsItsBeginning() {
        assertThat(lostAfterFall(260)).isCloseTo(1_000L, within(50L));
        assertThat(lostAfterFall(800)).isCloseTo(1_000L, within(50L));
    }

    /** The loss of an outage of a second, before which operations of 1 ms took 5 ms for a time. */
    private static long lostAfterFall(int millis) {
        int end = 4_000 + millis;
        PlayedRun run = new PlayedRun(10_000, 1, 0);
        run.busy(0, 0, 4_000);
        for (int at = 4_000; at < end; at += 5) {
            run.operation(0, Outcome.OK, at, at + 5);
        }
        run.operation(0, Outcome.OK, end, end + 1_000);
        return Objects.requireNonNull(run.outages().get(0).operationsLost());
    }

    @Test
    void reportsTheLossAndTheReturnOfTheFullRate() {
        PlayedRun run = new PlayedRun(10_000, 1, 0, 0);
        for (int client = 0; client < 2; client++) {
            run.busy(client, 0, 4_000).operation(client, Outcome.FAILED, 4_000, 5_500);
        }
        run.busy(0, 5_500, 10_000);
        run.operation(1, Outcome.FAILED, 5_500, 7_000).busy(1, 7_000, 10_000);

        Outage outage = run.outages().get(0);
        assertThat(outage.operationsLost()).isCloseTo(3_000L, within(60L));
        assertThat(outage.fullRateAtSeconds()).isBetween(6.8, 7.1);
    }

    @Test
    void keepsTheLongestWaits() {
        PlayedRun run = new PlayedRun(100_000, 50, 0);
        long at = 0;
        for (int i = 0; i < 500; i++) {
            run.operation(0, Outcome.OK, at, at + 50 + i % 40);
            at += 100;
        }
        run.operation(0, Outcome.OK, at, at + 3_000);
        for (int i = 0; i < 300; i++) {
            run.operation(0, Outcome.OK, at + 3_000 + i * 100L, at + 3_060 + i * 100L);
        }

        assertOne(run.outages(), at / 1e3, (at + 3_000) / 1e3);
    }
}
