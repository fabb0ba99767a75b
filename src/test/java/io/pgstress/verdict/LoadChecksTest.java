package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.Samples;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Outage;
import io.pgstress.result.RateStep;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.verdict.LoadChecks.Unserved;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When the load that was sent is not the one requested. */
final class LoadChecksTest {
    private static Remarks rate(long due, Long backlog) {
        return rate(due, due - backlog, 10, List.of(), backlog, 0);
    }

    private static Remarks rate(
            long due, long ended, double seconds, List<RateStep> steps, Long backlog, double outageSeconds) {
        return rate(due, ended, seconds, steps, backlog, unserved(seconds, outageSeconds, 0, false));
    }

    /** A time in which nothing was served, from 0.1 s on. */
    private static Unserved unserved(double measured, double seconds, double atEnd, boolean isOutageAtEnd) {
        return new Unserved(measured, List.of(new Outage(0.1, 0.1 + seconds, null)), atEnd, isOutageAtEnd);
    }

    private static Remarks rate(
            long due, long ended, double seconds, List<RateStep> steps, Long backlog, Unserved unserved) {
        Remarks remarks = new Remarks();
        new LoadChecks(remarks).rate(due, ended, seconds, steps, backlog, unserved);
        return remarks;
    }

    @Test
    void operationsInFlightAtTheEndAreNotLate() {
        // 20 a second of 150 ms each: three in flight at the end, none waits
        assertThat(rate(200, 0L).reasons().isEmpty()).isTrue();
    }

    @Test
    void backlogOfMoreThanOnePercentMeansFallingBehind() {
        assertThat(rate(1000, 10L).reasons().isEmpty()).isTrue();
        Remarks behind = rate(1000, 11L);
        assertThat(behind.all()).extracting(Remark::code).containsExactly(RemarkCode.OVERLOAD);
        assertThat(behind.all().get(0).figures()).containsEntry("backlog", 11L);
    }

    @Test
    void oneLateOperationOfFewIsNoOverload() {
        assertThat(rate(60, 1L).all()).isEmpty();
        assertThat(rate(60, 2L).reasons()).isNotEmpty();
    }

    @Test
    void reportsOverloadInOperationsPerSecond() {
        Remarks remarks = rate(600_000, 450_000, 10, List.of(), 150_000L, 0);

        assertThat(remarks.reasons())
                .containsExactly(RemarkCode.OVERLOAD
                        .with("served", 45_000.0)
                        .with("due", 60_000.0)
                        .with("backlog", 150_000L)
                        .remark());
    }

    @Test
    void backlogThatAnOutageMadeIsNotTheServersCapacity() {
        Remarks remarks = rate(2_000, 1_500, 10, List.of(), 500L, 3);

        assertThat(remarks.reasons())
                .containsExactly(RemarkCode.BEHIND_AFTER_OUTAGE
                        .with("served", 150.0)
                        .with("due", 200.0)
                        .with("backlog", 500L)
                        .with("dueInOutage", 600L)
                        .with("outageSeconds", 3.0)
                        .remark());
        Remarks small = rate(20_000, 15_000, 10, List.of(), 5_000L, 0.6);
        assertThat(small.reasons()).extracting(Remark::code).containsExactly(RemarkCode.OVERLOAD);
    }

    @Test
    void firstStepThatFellBehindIsNotForgivenByLowerOnes() {
        RateStep lost = new RateStep(0, 2, 300, 158, null, 284, false);
        RateStep caughtUp = new RateStep(2, 2, 80, 222, null, 0, false);
        Remarks remarks = rate(760, 760, 4, List.of(lost, caughtUp), 0L, 0);

        assertThat(remarks.reasons())
                .containsExactly(RemarkCode.OVERLOAD_IN_FIRST_STEP
                        .with("served", 158.0)
                        .with("target", 300.0)
                        .with("backlog", 284L)
                        .remark());
        Remarks outage = rate(760, 760, 4, List.of(lost, caughtUp), 0L, 1);
        assertThat(outage.all()).as("delayed by an outage").isEmpty();
    }

    @Test
    void tooHighStepIsReportedEvenIfItsBacklogWasExecutedLater() {
        RateStep kept = new RateStep(0, 2, 100, 100, null, 0, true);
        RateStep lost = new RateStep(2, 2, 400, 188, null, 422, false);
        RateStep caughtUp = new RateStep(4, 4, 50, 155, null, 0, false);
        Remarks remarks = rate(1_200, 1_200, 8, List.of(kept, lost, caughtUp), 0L, 0);

        assertThat(remarks.all())
                .containsExactly(RemarkCode.OVERLOAD_IN_STEPS
                        .with("sustained", 100.0)
                        .with("served", 188.0)
                        .with("next", 400.0)
                        .remark());
    }

    /** A lock over the end of the second step of three. */
    @Test
    void stepThatAStallDelayedIsNoOverload() {
        List<RateStep> steps = List.of(
                new RateStep(0, 4, 50, 50, null, 0, false),
                new RateStep(4, 4, 100, 83, null, 53, false),
                new RateStep(8, 4, 150, 167, null, 0, false));
        Unserved locked = new Unserved(12, List.of(new Outage(7.31, 8.209, null)), 0, false);
        assertThat(rate(1_200, 1_200, 12, steps, 0L, locked).all()).isEmpty();

        List<RateStep> cut = steps.subList(0, 2);
        Unserved atEnd = new Unserved(8, List.of(new Outage(7.31, 8, null)), 0.69, true);
        assertThat(rate(600, 547, 8, cut, 53L, atEnd).all())
                .singleElement()
                .satisfies(remark -> assertThat(remark.code()).isEqualTo(RemarkCode.BEHIND_AFTER_OUTAGE))
                .satisfies(remark -> assertThat(remark.figures())
                        .as("at the rate of its step")
                        .containsEntry("dueInOutage", 69L));
    }

    @Test
    void stepsMayIncludeATooHighRate() {
        RateStep kept = new RateStep(0, 5, 1000, 1000, null, 0, true);
        RateStep lost = new RateStep(5, 5, 4000, 2000, null, 10_000, false);
        Remarks remarks = rate(25_000, 15_000, 10, List.of(kept, lost), 10_000L, 0);

        assertThat(remarks.reasons()).isEmpty();
        assertThat(remarks.warnings().get(0).figures()).containsEntry("sustained", 1000.0);
        assertThat(remarks.warnings().get(0).figures())
                .as("those of the table")
                .containsEntry("served", 2000.0)
                .containsEntry("next", 4000.0);
    }

    @Test
    void warnsAboutOperationsInFlightAtTheEndOfAnOpenLoad() {
        Remarks remarks = rate(1000, 700, 10, List.of(), 0L, 0);
        assertThat(remarks.reasons()).isEmpty();
        assertThat(remarks.warnings())
                .containsExactly(RemarkCode.IN_FLIGHT
                        .with("ended", 700L)
                        .with("due", 1_000L)
                        .remark());
    }

    /** 60 per second: 44 of them wait for a lock from 4.267 s on, until after the end at 5 s. */
    @Test
    void operationsThatStallAtTheEndAreNotInFlightBecauseTheMeasurementIsShort() {
        Remarks outage = rate(300, 256, 5, List.of(), 0L, unserved(5, 0.733, 0.733, true));
        assertThat(outage.all()).as("the remark on the outage says it").isEmpty();

        Remarks stall = rate(300, 285, 5, List.of(), 0L, unserved(5, 0.25, 0.25, false));
        assertThat(stall.all())
                .containsExactly(RemarkCode.STALLED_AT_END
                        .with("ended", 285L)
                        .with("due", 300L)
                        .with("seconds", 0.25)
                        .remark());

        Remarks usual = rate(300, 200, 5, List.of(), 0L, unserved(5, 0.25, 0.25, false));
        assertThat(usual.all()).extracting(Remark::code).containsExactly(RemarkCode.IN_FLIGHT);
    }

    /** 500 per second: locks of 0.1 s each, and one that has begun at the end. Between them, all that is due is executed. */
    @Test
    void backlogOfStallsIsNotTheServersCapacity() {
        Remarks stalls = rate(3_000, 2_952, 6, List.of(), 44L, unserved(6, 0.29, 0.09, false));
        assertThat(stalls.reasons())
                .containsExactly(RemarkCode.BEHIND_AFTER_OUTAGE
                        .with("served", 492.0)
                        .with("due", 500.0)
                        .with("backlog", 44L)
                        .with("dueInOutage", 145L)
                        .with("outageSeconds", 0.29)
                        .remark());

        Remarks overload = rate(3_000, 2_400, 6, List.of(), 600L, unserved(6, 0.29, 0.09, false));
        assertThat(overload.reasons()).extracting(Remark::code).containsExactly(RemarkCode.OVERLOAD);
    }

    @Test
    void warnsAboutFrequentPauses() {
        Remarks remarks = new Remarks();
        new LoadChecks(remarks).pauses(0, 0, 1000);
        new LoadChecks(remarks).pauses(2, 20_000, 1000);
        assertThat(remarks.all()).isEmpty();
        new LoadChecks(remarks).pauses(2, 2_000, 1000);
        assertThat(remarks.all())
                .containsExactly(RemarkCode.IDS_USED_UP_OFTEN
                        .with("operations", 1_000L)
                        .with("clients", 1_000)
                        .remark());
    }

    @Test
    void reportsAStallPerOperation() {
        OperationResult slow = timed(100, 900_000);
        Map<String, OperationResult> operations = Map.of("find", timed(900_000, 1_000_000), "find_first", slow);
        Remarks alone = new Remarks();
        new LoadChecks(alone).stalls(operations);
        assertThat(alone.warnings())
                .containsExactly(RemarkCode.STALL
                        .with("operation", "find_first")
                        .with("seconds", 0.9)
                        .with("times", 9000.0)
                        .remark());

        Remarks shorter = new Remarks();
        new LoadChecks(shorter).stalls(Map.of("find", timed(1_000, 450_000), "find_first", timed(1_000, 90_000)));
        assertThat(shorter.warnings())
                .containsExactly(RemarkCode.STALL
                        .with("operation", "find")
                        .with("seconds", 0.45)
                        .with("times", 450.0)
                        .remark());
        Remarks usual = new Remarks();
        new LoadChecks(usual).stalls(Map.of("find", timed(20_000, 190_000)));
        assertThat(usual.all()).isEmpty();
    }

    private static OperationResult timed(double p50, double max) {
        Latency total = new Latency(100, p50, p50, p50, p50, p50, p50, max, null, null, null);
        return Samples.operation(100, Map.of(), Map.of("total", total));
    }
}
