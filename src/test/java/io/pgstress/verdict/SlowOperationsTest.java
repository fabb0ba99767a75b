package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.OperationAt.RunningOperation;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.OperationWaits.Group;
import io.pgstress.result.OperationWaits.Sampling;
import io.pgstress.result.OperationWaits.Share;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.verdict.LongTimes.Suspect;
import io.pgstress.verdict.SlowOperations.Hit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleToIntFunction;
import org.junit.jupiter.api.Test;

/** Samples of several servers in one profile. */
final class SlowOperationsTest {
    private static final String SLOW_DISK = "worker b IO:DataFileRead";

    private final List<Hit> hits = new ArrayList<>();

    /** Each number is an operation of its own. */
    private static RunningOperation operation(int number, long nanos) {
        return new RunningOperation(number, 0, true, 0, 0, nanos);
    }

    private void sampled(int met, long nanos, String place, String waits, int times) {
        for (int i = 0; i < times; i++) {
            hits.add(new Hit(0.5, operation(met, nanos), 0.5, 0, 1, place, place, waits, Set.of(), null));
        }
    }

    @Test
    void waitOnAWorkerReplacesTheWaitForWorkersAndIsNamedWithThePlace() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 2000; met++) {
            boolean isSlow = met % 200 == 0;
            long nanos = isSlow ? 100_000_000 : 1_000_000 + met;
            times.record(nanos);
            // on the coordinator 8 of 10 samples wait; worker b is sampled half as often, worker a is idle in slow
            // operations
            sampled(met, nanos, "", OperationWaits.WORKERS, 8);
            sampled(met, nanos, "", OperationWaits.CPU, 2);
            sampled(met, nanos, "worker b", isSlow ? "IO:DataFileRead" : OperationWaits.CPU, 3);
            sampled(met, nanos, "worker b", OperationWaits.ELSEWHERE, 2);
            sampled(met, nanos, "worker a", isSlow ? OperationWaits.ELSEWHERE : OperationWaits.CPU, 10);
        }
        OperationWaits waits = waitsOf("find", times);

        assertThat(waits.causes()).extracting(Remark::code).containsExactly(RemarkCode.SLOW_ON_IO);
        Group slow = waits.operations().get(0).slow();
        assertThat(slow.waits()).containsOnlyKeys(SLOW_DISK, OperationWaits.CPU, OperationWaits.WORKERS);
        assertThat(share(slow, SLOW_DISK)).isCloseTo(0.6, within(1e-9));
        assertThat(share(slow, OperationWaits.WORKERS)).isCloseTo(0.2, within(1e-9));
        // both workers were busy for longer than the coordinator waited: they worked at the same time
        Group usual = waits.operations().get(0).usual();
        assertThat(share(usual, "worker a CPU")).isCloseTo(0.5, within(1e-9));
        assertThat(share(usual, "worker b CPU")).isCloseTo(0.3, within(1e-9));
        assertThat(usual.waits()).doesNotContainKey(OperationWaits.WORKERS);
    }

    /** Each of the events alone takes less than half of the time, and is not clearly apart from that in ordinary operations. */
    @Test
    void eventsOfOneCauseCountTogether() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 2000; met++) {
            boolean isSlow = met % 200 == 0;
            long nanos = isSlow ? 100_000_000 : 1_000_000 + met;
            times.record(nanos);
            sampled(met, nanos, "", "IO:WalSync", isSlow ? 4 : 1);
            sampled(met, nanos, "", "LWLock:WALWrite", isSlow ? 5 : 1);
            sampled(met, nanos, "", OperationWaits.CPU, isSlow ? 1 : 2);
        }
        OperationWaits waits = waitsOf("update", times);

        assertThat(waits.causes()).extracting(Remark::code).containsExactly(RemarkCode.SLOW_ON_IO);
        assertThat(waits.causes().get(0).figures().get("slow").toString())
                .startsWith("90% [")
                .contains("] writing WAL (LWLock:WALWrite, IO:WalSync), 10% [");
        assertThat(share(waits.operations().get(0).slow(), "IO:WalSync")).isCloseTo(0.4, within(1e-9));
    }

    /** Worker b is frozen from 1.0 s to 4.0 s. What it did just before and after is not what operations waited for meanwhile. */
    @Test
    void timeInWhichAServerIsNotSampledIsNotWhatItDidBefore() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 300; met++) {
            double second = met < 100 ? met * 0.01 : 4 + (met - 100) * 0.01;
            times.record(1_000_000);
            hits.add(new Hit(
                    second, operation(met, 1_000_000), second, 0, 1, "b", "worker b", "IO:WALSync", Set.of(), null));
            hits.add(new Hit(
                    second, operation(met, 1_000_000), second, 0, 1, "c", "", OperationWaits.WORKERS, Set.of(), null));
        }
        for (int met = 300; met < 308; met++) {
            times.record(3_020_000_000L);
            for (double second = 0.99; second <= 4.005; second += 0.01) {
                hits.add(frozen(met, second, "c", "", OperationWaits.WORKERS));
            }
            hits.add(frozen(met, 0.99, "b", "worker b", "IO:WALSync"));
            hits.add(frozen(met, 4.0, "b", "worker b", "IO:WALSync"));
        }

        Group slow = waitsOf("update", times).operations().get(0).slow();

        assertThat(share(slow, OperationWaits.WORKERS)).isGreaterThan(0.95);
        assertThat(share(slow, "worker b IO:WALSync")).isLessThan(0.05);
    }

    /** Of the only server, there are no samples at all. */
    @Test
    void timeInWhichTheOnlyServerIsNotSampledIsNotSampled() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 300; met++) {
            double second = met < 100 ? met * 0.01 : 4 + (met - 100) * 0.01;
            times.record(1_000_000);
            hits.add(new Hit(second, operation(met, 1_000_000), second, 0, 1, "s", "", "IO:WALSync", Set.of(), null));
        }
        for (int met = 300; met < 308; met++) {
            times.record(3_020_000_000L);
            hits.add(frozen(met, 0.99, "s", "", "IO:WALSync"));
            hits.add(frozen(met, 4.0, "s", "", "IO:WALSync"));
        }

        Group slow = waitsOf("update", times).operations().get(0).slow();

        assertThat(share(slow, OperationWaits.NOT_SAMPLED)).isGreaterThan(0.95);
        assertThat(share(slow, "IO:WALSync")).isLessThan(0.05);
    }

    private static Hit frozen(int met, double second, String server, String place, String waits) {
        return new Hit(second, operation(met, 3_020_000_000L), 0.985, 0, 1, server, place, waits, Set.of(), null);
    }

    /** One long stall is no evidence by itself, but the reader learns that it was in a checkpoint. */
    @Test
    void waitForTheDiskInACheckpointSaysSo() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 2000; met++) {
            boolean isSlow = met % 200 == 0;
            long nanos = isSlow ? 800_000_000 : 1_000_000 + met;
            times.record(nanos);
            Set<String> during = isSlow ? Set.of("checkpoint") : Set.of();
            String waits = isSlow ? "LWLock:WALWrite" : OperationWaits.CPU;
            hits.add(new Hit(0.5, operation(met, nanos), 0.5, 0, 1, "", "", waits, during, null));
        }
        OperationWaits waits = waitsOf("update", times);

        assertThat(waits.causes()).extracting(Remark::code).containsExactly(RemarkCode.SLOW_ON_IO);
        assertThat(waits.causes().get(0).figures().get("slow").toString())
                .endsWith("writing WAL (LWLock:WALWrite; during checkpoint in 10 of 10 samples)");
    }

    /** If nearly all time is spent in slow operations, samples meet no others. */
    @Test
    void waitThatLastsLongerThanAnOrdinaryOperationNeedsNoSamplesOfThose() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 2000; met++) {
            boolean isSlow = met % 200 == 0;
            long nanos = isSlow ? 300_000_000 : 200_000;
            times.record(nanos);
            sampled(met, nanos, "", "Lock:transactionid", isSlow ? 9 : 0);
            sampled(met, nanos, "", OperationWaits.CLIENT, isSlow ? 1 : 0);
        }
        OperationWaits waits = waitsOf("update", times);

        assertThat(waits.causes()).extracting(Remark::code).containsExactly(RemarkCode.SLOW_ON_LOCKS);
        assertThat(waits.causes().get(0).figures()).containsEntry("usual", "too little time to be sampled");
    }

    @Test
    void operationsThatOnlySamplesDelayedAreNotAmongTheSlow() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 2000; met++) {
            boolean isLocked = met % 200 == 0;
            boolean isDelayed = met % 250 == 1;
            long nanos = isLocked ? 100_000_000 : isDelayed ? 2_000_000 : 300_000 + met;
            times.record(nanos);
            for (int i = 0; i < 10; i++) {
                String waits = isLocked ? "Lock:relation" : OperationWaits.CLIENT;
                hits.add(new Hit(0.5, operation(met, nanos), 0.5, 2_500_000, 1, "", "", waits, Set.of(), null));
            }
        }

        Group slow = waitsOf("find", times).operations().get(0).slow();
        assertThat(slow.operations()).isEqualTo(18);
        assertThat(slow.sampledOperations()).isEqualTo(10);
        assertThat(slow.waits()).containsOnlyKeys("Lock:relation");
    }

    /** Ten of 90 operations that are hardly slow are sampled, and all ten long ones: each kind took half of the time. */
    @Test
    void samplesStandForTheTimeOfAllOperationsThatTakeAsLong() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 10_000; met++) {
            boolean isLocked = met < 10;
            long nanos = isLocked ? 9_000_000 : met < 100 ? 1_000_000 : 300_000;
            times.record(nanos);
            sampled(
                    met,
                    nanos,
                    "",
                    isLocked ? "Lock:relation" : OperationWaits.CLIENT,
                    isLocked ? 9 : met < 20 ? 1 : 0);
        }

        sampled(10_000, 299_000, "", OperationWaits.CPU, 50);

        Group slow = waitsOf("find", times).operations().get(0).slow();
        assertThat(slow.samples()).isEqualTo(100);
        assertThat(share(slow, "Lock:relation")).isCloseTo(0.5, within(0.01));
        assertThat(share(slow, OperationWaits.CLIENT)).isCloseTo(0.5, within(0.01));
    }

    /** The worker is hardly sampled in short operations, and each server's shares are those of the same time. */
    @Test
    void samplesOfEachServerStandForTheTime() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 2000; met++) {
            long nanos = met < 10 ? 100_000_000 : met < 20 ? 10_000_000 : 1_000_000;
            times.record(nanos);
            sampled(met, nanos, "", met < 10 ? OperationWaits.WORKERS : OperationWaits.CPU, met < 20 ? 10 : 0);
            String ofWorker = met < 10 ? "IO:DataFileRead" : OperationWaits.CPU;
            sampled(met, nanos, "worker b", ofWorker, met < 10 ? 20 : met < 15 ? 1 : 0);
        }

        Group slow = waitsOf("find", times).operations().get(0).slow();
        assertThat(share(slow, OperationWaits.CPU)).isCloseTo(1.0 / 11, within(0.01));
        assertThat(share(slow, SLOW_DISK)).isCloseTo(10.0 / 11 * 10 / 11, within(0.01)); // of the time of workers
    }

    /** Slow operations last for about as long as the p99. Samples while they sleep seem to delay them beyond it, those at their end do not. */
    @Test
    void sampleIsNotBlamedForASmallPartOfTheTime() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 10_000; met++) {
            boolean isSlow = met % 99 == 0;
            long nanos = isSlow ? 20_200_000 + 30 * met : 70_000;
            times.record(nanos);
            if (isSlow) {
                boolean isAtEnd = met % 990 == 0;
                String waits = isAtEnd ? OperationWaits.CLIENT : "Timeout:PgSleep";
                hits.add(new Hit(
                        0.5, operation(met, nanos), 0.5, isAtEnd ? 0 : 1_000_000, 1, "", "", waits, Set.of(), null));
            }
        }

        Group slow = waitsOf("sleeps", times).operations().get(0).slow();
        assertThat(slow.sampledOperations()).isGreaterThanOrEqualTo(90);
        assertThat(share(slow, "Timeout:PgSleep")).isCloseTo(0.9, within(0.02));
    }

    /** A stall between two samples took most of the time, but no sample shows what its operations waited for. */
    @Test
    void timeOfOperationsOfWhichNoneIsSampledIsNotThatOfOthers() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 10_000; met++) {
            long nanos = met < 20 ? 800_000_000 : met < 25 ? 14_000_000 : met < 120 ? 10_000_000 : 1_000_000;
            times.record(nanos);
            boolean isSampled = met >= 20 && met < 60;
            sampled(met, nanos, "", met < 25 ? "Lock:relation" : OperationWaits.CPU, isSampled ? 1 : 0);
        }

        OperationWaits waits = waitsOf("find", times);
        assertThat(waits.causes()).extracting(Remark::code).containsExactly(RemarkCode.SLOW_UNEXPLAINED);
        Group slow = waits.operations().get(0).slow();
        assertThat(slow.sampledOperations()).isEqualTo(40);
        assertThat(share(slow, OperationWaits.NOT_SAMPLED)).isCloseTo(16.0 / 17.02, within(1e-3));
        assertThat(share(slow, "Lock:relation")).isCloseTo(0.07 / 17.02, within(1e-4));
        assertThat(slow.waits().values().stream().mapToDouble(Share::share).sum())
                .isCloseTo(1, within(1e-9));
    }

    /** Five samples that stand for most of the time say less than the number of all operations. */
    @Test
    void intervalsAreThoseOfTheWeights() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 20_000; met++) {
            long nanos = met < 50 ? 20_000_000 : met < 200 ? 10_000_000 : 1_000_000;
            times.record(nanos);
            sampled(met, nanos, "", OperationWaits.CPU, met < 50 ? 1 : met < 55 ? 1 : 0);
        }

        Group slow = waitsOf("find", times).operations().get(0).slow();
        assertThat(slow.sampledOperations()).isEqualTo(55);
        // weights 50 times 0.02 s and 5 times 0.3 s: as much as 13.3 operations of equal weight
        assertThat(slow.waits().get(OperationWaits.CPU).low()).isCloseTo(0.776, within(0.005));
    }

    /** Operations below the limit that last about as long take nothing from those above; one wait in all samples is certain. */
    @Test
    void operationsJustBelowTheLimitAreOfAnotherGroup() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 2000; met++) {
            long nanos = met < 20 ? 301_000_000 + 100_000L * met : met < 60 ? 299_000_000 : 5_000_000;
            times.record(nanos);
            sampled(met, nanos, "", "Timeout:PgSleep", met < 60 ? 3 : 0);
        }

        Group slow = waitsOf("nap", times).operations().get(0).slow();
        assertThat(slow.sampledOperations()).isEqualTo(20);
        assertThat(share(slow, "Timeout:PgSleep")).isCloseTo(1, within(1e-9));
        assertThat(slow.waits().get("Timeout:PgSleep").low()).isGreaterThan(0.7);
    }

    /** A checkpoint from 3 s to 5 s takes 43% of the time of slow operations and 3% of that of ordinary ones. */
    @Test
    void checkpointThatSlowOperationsMeetMoreOftenIsNamedWithItsTime() {
        OperationWaits waits = checkpoint(second -> second >= 3 && second < 5 ? 9 : 3);

        assertThat(waits.causes()).extracting(Remark::code).containsExactly(RemarkCode.SLOW_DURING);
        assertThat(waits.causes().get(0).figures())
                .containsEntry("what", "checkpoint")
                .containsEntry("periods", "3.0 s to 4.9 s");
    }

    /** A single event may have met the checkpoint by chance, however many operations it made slow. */
    @Test
    void operationsThatWereSlowAtOnceAreOneEvent() {
        assertThat(checkpoint(second -> second == 3.5 ? 100 : 0).causes())
                .extracting(Remark::code)
                .containsExactly(RemarkCode.SLOW_UNEXPLAINED);
    }

    /** Samples of 10 s, with a checkpoint from 3 s to 5 s. */
    private OperationWaits checkpoint(DoubleToIntFunction slowInHalfSecond) {
        LatencyHistogram times = new LatencyHistogram();
        int met = 0;
        for (double second = 0; second < 10; second += 0.1) {
            Set<String> during = second > 2.95 && second < 4.95 ? Set.of("checkpoint") : Set.of();
            double half = Math.floor(second * 2) / 2;
            for (int i = 0; i < 500; i++) {
                boolean isSlow = i < slowInHalfSecond.applyAsInt(half);
                long nanos = isSlow ? 90_000_000 : 1_000_000 + met % 500 * 997 % 1000;
                times.record(nanos);
                if (isSlow || i > (during.isEmpty() ? 490 : 498)) {
                    hits.add(new Hit(
                            second, operation(met, nanos), second, 0, 1, "", "", OperationWaits.CPU, during, null));
                }
                met++;
            }
        }
        return waitsOf("find", times);
    }

    /** The wait takes a fifth of slow operations, and hardly any of ordinary ones: it is different, but not why they are slow. */
    @Test
    void smallPartOfSlowOperationsIsNoCause() {
        assertThat(locked(2, false).causes()).extracting(Remark::code).containsExactly(RemarkCode.SLOW_UNEXPLAINED);
        assertThat(locked(2, true).causes()).isEmpty();
        assertThat(locked(5, true).causes()).extracting(Remark::code).containsExactly(RemarkCode.SLOW_ON_LOCKS);
    }

    /** @param locked number of 10 samples in slow operations */
    private OperationWaits locked(int locked, boolean isExplained) {
        LatencyHistogram times = new LatencyHistogram();
        hits.clear();
        for (int met = 0; met < 10_000; met++) {
            boolean isSlow = met % 100 == 0;
            long nanos = isSlow ? 100_000_000 : 1_000_000 + met;
            times.record(nanos);
            sampled(met, nanos, "", "Lock:transactionid", isSlow ? locked : 0);
            sampled(met, nanos, "", OperationWaits.CPU, isSlow ? 10 - locked : 1);
        }
        return waitsOf("update", times, false, isExplained);
    }

    /** While the CPU is full, sessions and clients wait for their turn, which would explain a wait for the client, too. */
    @Test
    void clientIsNoCauseWhileTheCpuIsFull() {
        assertThat(slowOn(OperationWaits.CLIENT, false).causes())
                .extracting(Remark::code)
                .containsExactly(RemarkCode.SLOW_ON_CLIENT);
        assertThat(slowOn(OperationWaits.CLIENT, true).causes()).isEmpty();
        assertThat(slowOn("Lock:transactionid", true).causes())
                .extracting(Remark::code)
                .containsExactly(RemarkCode.SLOW_ON_LOCKS);
    }

    /** Slow operations that wait for this in 9 of 10 samples. */
    private OperationWaits slowOn(String wait, boolean isCpuFull) {
        LatencyHistogram times = new LatencyHistogram();
        hits.clear();
        for (int met = 0; met < 10_000; met++) {
            boolean isSlow = met % 100 == 0;
            long nanos = isSlow ? 100_000_000 : 1_000_000 + met;
            times.record(nanos);
            sampled(met, nanos, "", wait, isSlow ? 9 : 0);
            sampled(met, nanos, "", OperationWaits.CPU, 1);
        }
        return waitsOf("find", times, isCpuFull, false);
    }

    /** Four operations are too few: neither a cause is named nor that none was found. */
    @Test
    void nothingIsSaidOfFewSlowOperations() {
        assertThat(slowest(4).causes()).isEmpty();
        assertThat(slowest(5).causes()).extracting(Remark::code).containsExactly(RemarkCode.SLOW_ON_LOCKS);
    }

    /** @param sampled how many of the slow operations are sampled */
    private OperationWaits slowest(int sampled) {
        LatencyHistogram times = new LatencyHistogram();
        hits.clear();
        for (int met = 0; met < 2000; met++) {
            boolean isSlow = met % 100 == 0;
            long nanos = isSlow ? 100_000_000 : 1_000_000 + met;
            times.record(nanos);
            sampled(met, nanos, "", "Lock:transactionid", isSlow && met < 100 * sampled ? 10 : 0);
            sampled(met, nanos, "", OperationWaits.CPU, isSlow ? 0 : 1);
        }
        return waitsOf("update", times);
    }

    @Test
    void longOperationsHaveTheirWaitAsPossibleCause() {
        hits.add(new Hit(1.2, operation(1, 400_000_000), 1, 0, 1, "", "", "Lock:relation", Set.of(), null));
        hits.add(new Hit(1.3, operation(1, 400_000_000), 1, 0, 1, "", "", "Lock:relation", Set.of(), null));
        hits.add(new Hit(1.4, operation(1, 400_000_000), 1, 0, 1, "", "", OperationWaits.CLIENT, Set.of(), null));
        hits.add(new Hit(1.4, operation(1, 400_000_000), 1, 0, 1, "", "", "IO:WALSync", Set.of(), null));
        // too few samples; too short
        hits.add(new Hit(1.4, operation(2, 400_000_000), 1, 0, 1, "", "", "Lock:relation", Set.of(), null));
        sampled(3, 90_000_000, "", "Lock:relation", 3);

        assertThat(SlowOperations.suspects(hits))
                .containsExactly(new Suspect(Suspect.Kind.WAIT, "waiting for Lock:relation", 1, 1.4, 0.2));
    }

    /** While sessions wait for a lock, samples cost more and are rarer: each stands for more time. */
    @Test
    void sharesAreThoseOfTimeAlthoughThePaceOfTheSamplesChanges() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 2000; met++) {
            long nanos = met % 100 == 0 ? 400_000_000 : 1_000_000;
            times.record(nanos);
            if (nanos > 1_000_000) {
                hits.add(new Hit(0.5, operation(met, nanos), 0.4, 0, 0.3, "", "", "Lock:relation", Set.of(), null));
                for (int i = 0; i < 4; i++) {
                    hits.add(new Hit(
                            0.7, operation(met, nanos), 0.4, 0, 0.025, "", "", OperationWaits.CPU, Set.of(), null));
                }
            }
        }

        Group slow = waitsOf("update", times).operations().get(0).slow();
        assertThat(share(slow, "Lock:relation")).isCloseTo(0.75, within(1e-9));
        assertThat(share(slow, OperationWaits.CPU)).isCloseTo(0.25, within(1e-9));
    }

    /** A frozen worker was last sampled while it wrote WAL. */
    @Test
    void waitExplainsOnlyTheTimeThatWasSampled() {
        for (double seconds : new double[] {1.0, 1.05, 1.1, 4.0}) {
            hits.add(new Hit(
                    seconds,
                    operation(1, 3_000_000_000L),
                    1,
                    0,
                    1,
                    "worker a",
                    "worker a",
                    "IO:WALSync",
                    Set.of(),
                    null));
        }

        assertThat(SlowOperations.suspects(hits))
                .singleElement()
                .satisfies(suspect -> assertThat(suspect.seconds()).isLessThan(0.3));
    }

    private OperationWaits waitsOf(String name, LatencyHistogram times) {
        return waitsOf(name, times, false, false);
    }

    /** The p99 that reports show of an open load is that of response times. */
    @Test
    void remarksOnAnOpenLoadSayThatTheyMeanTotalTimes() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 2000; met++) {
            boolean isSlow = met % 200 == 0;
            long nanos = isSlow ? 100_000_000 : 1_000_000 + met;
            times.record(nanos);
            sampled(met, nanos, "", isSlow ? "Lock:relation" : OperationWaits.CPU, 3);
        }
        List<Remark> closed = waitsOf("find", times).causes();
        SlowOperations open = new SlowOperations(hits, false, true);
        open.add(0, "find", times);

        assertThat(closed).extracting(Remark::code).containsExactly(RemarkCode.SLOW_ON_LOCKS);
        assertThat(closed.get(0).figures()).doesNotContainKey("time");
        assertThat(open.result(1, new Sampling(10, 100, 0.001, true), false).causes())
                .extracting(remark -> remark.figures().get("time"))
                .doesNotContainNull()
                .hasSize(1);
    }

    /** None of them is beyond the p99. */
    @Test
    void fewerThanAHundredOperationsHaveNoSlowestOnes() {
        LatencyHistogram times = new LatencyHistogram();
        for (int met = 0; met < 99; met++) {
            long nanos = 1_000_000_000L + met;
            times.record(nanos);
            sampled(met, nanos, "", OperationWaits.CPU, 5);
        }
        assertThat(waitsOf("few", times).operations()).isEmpty();
        assertThat(waitsOf("few", times).causes()).isEmpty();

        times.record(1_000_000_000L);

        assertThat(waitsOf("enough", times).operations()).hasSize(1);
    }

    private OperationWaits waitsOf(String name, LatencyHistogram times, boolean isCpuFull, boolean isExplained) {
        SlowOperations operations = new SlowOperations(hits, isCpuFull, false);
        operations.add(0, name, times);
        return operations.result(1, new Sampling(10, 100, 0.001, true), isExplained);
    }

    private static double share(Group group, String wait) {
        return group.waits().get(wait).share();
    }
}
