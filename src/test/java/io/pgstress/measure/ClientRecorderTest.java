package io.pgstress.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** No operation is lost or counted twice when the phase changes. */
final class ClientRecorderTest {
    private static final long SECOND = 1_000_000_000L;

    private final Timeline timeline =
            new Timeline(IntervalGrid.of(SECOND), List.of(new OperationShape("op", List.of("s"))), 1);
    private final ClientRecorder recorder = recorder();

    private ClientRecorder recorder() {
        timeline.start(0);
        timeline.measure(0, 10 * SECOND);
        ClientRecorder made = new ClientRecorder(timeline, 0, SECOND);
        made.resume(0);
        return made;
    }

    private void endAt(long nanos, long start) {
        recorder.statementEnded(0, 0, nanos - start, 1, 0);
        recorder.end(0, Outcome.OK, true, start, start, 0, nanos, 1, 0);
        recorder.flush();
    }

    private long okInFirst(Phase phase) {
        return timeline.intervals(phase).get(0).operation(0).count(Outcome.OK);
    }

    @Test
    void measurementThatStartsWithinAWarmupIntervalLosesNothing() {
        timeline.measure(20 * SECOND, 30 * SECOND);
        recorder.resume(10 * SECOND);
        endAt(10 * SECOND + 2, 10 * SECOND + 1);
        timeline.measure(
                10 * SECOND + 5, 20 * SECOND); // the client's interval is still that of the warm-up, up to 11 s
        endAt(10 * SECOND + 7, 10 * SECOND + 4);
        endAt(10 * SECOND + 9, 10 * SECOND + 6);

        assertThat(timeline.total(0).count(Outcome.OK)).isEqualTo(1);
        assertThat(okInFirst(Phase.MEASURE)).isEqualTo(1);
    }

    @Test
    void clientThatWaitsBeyondTheEndOfAnIntervalHasHandedOverItsOperations() {
        recorder.end(0, Outcome.OK, true, 1, 1, 0, 2, 1, 0);
        recorder.idleUntil(SECOND / 2); // it will be back in time
        assertThat(okInFirst(Phase.MEASURE)).isZero();

        recorder.idleUntil(SECOND + SECOND / 2);

        assertThat(okInFirst(Phase.MEASURE)).isEqualTo(1);
    }

    @Test
    void errorsOfOneSqlstateAreCountedByMessageWithoutNumbersAndNames() {
        for (int i = 0; i < 5; i++) {
            recorder.error(0, 1, "XX000", "Could not begin transaction on data node " + i, true);
        }
        recorder.error(0, 1, "XX000", "Failed to receive more data from data node 7", false);
        recorder.error(0, 1, "53000", "remote node dn1 is in error state", true);
        recorder.error(0, 1, "53000", "remote node dn2 is in error state", true);
        recorder.error(0, 1, "08006", "connection to the remote node u@10.0.0.1:5432 failed", true);
        recorder.error(0, 1, "08006", "connection to the remote node u@10.0.0.2:5432 failed", true);

        Cell cell = timeline.total(0);
        assertThat(cell.errors().get("XX000").byCount())
                .containsExactly(
                        new Cell.MessageTally(5, 5, "Could not begin transaction on data node 0"),
                        new Cell.MessageTally(1, 0, "Failed to receive more data from data node 7"));
        assertThat(cell.errors().get("08006").messages()).hasSize(2); // of two servers
        assertThat(cell.errors().get("53000").messages()).hasSize(2); // likewise
    }

    @Test
    void numberOfMessagesIsLimitedAndTheirErrorsAreNot() {
        for (char c = 'a'; c <= 'z'; c++) {
            recorder.error(0, 1, "XX000", "no " + c, true);
        }

        assertThat(timeline.total(0).errors().get("XX000").count()).isEqualTo(26);
        assertThat(timeline.total(0).errors().get("XX000").messages()).hasSize(Cell.ErrorTally.MAX_MESSAGES);
    }

    @Test
    void operationFromTheWarmupThatEndsInTheMeasurementCountsForTheRateOnly() {
        timeline.measure(2 * SECOND, 10 * SECOND);
        recorder.resume(0);
        recorder.begin(SECOND);
        endAt(3 * SECOND, SECOND);

        Cell total = timeline.total(0);
        assertThat(total.count(Outcome.OK)).isZero();
        assertThat(total.times(Time.TOTAL)).isNull();
        assertThat(total.completed(Outcome.OK)).isEqualTo(1);
        assertThat(total.completedRows()).isEqualTo(1);
        assertThat(total.carriedNanos()).isEqualTo(SECOND);
    }

    @Test
    void clientsOperationsAreThoseThatEndedInTheMeasurement() {
        timeline.measure(2 * SECOND, 4 * SECOND);
        endAt(SECOND, SECOND / 2);
        endAt(2 * SECOND + 1, SECOND);
        endAt(3 * SECOND, 2 * SECOND + 1);
        recorder.end(0, Outcome.FAILED, false, 3 * SECOND, 3 * SECOND, 0, 3 * SECOND + 1, 0, 0);
        endAt(4 * SECOND + 1, 3 * SECOND + 2);

        assertThat(recorder.okMeasured()).isEqualTo(2);
    }

    @Test
    void operationThatEndsInTheDrainCountsForThePercentilesOnly() {
        recorder.begin(9 * SECOND);
        endAt(12 * SECOND, 9 * SECOND);

        Cell total = timeline.total(0);
        assertThat(total.count(Outcome.OK)).isEqualTo(1);
        assertThat(total.minusCounts(timeline.intervals(Phase.DRAIN).get(0).operation(0))
                        .completed(Outcome.OK))
                .isZero();
    }

    @Test
    void operationThatEndsAfterAnEarlyStopIsInNoInterval() {
        endAt(SECOND / 2, 0);
        timeline.endMeasure(SECOND / 2 + 1);
        endAt(SECOND - 1, SECOND / 2);

        assertThat(okInFirst(Phase.MEASURE)).isEqualTo(1);
        assertThat(okInFirst(Phase.DRAIN)).isEqualTo(1);
    }

    @Test
    void operationThatEndsAfterTheDrainIsUnfinished() {
        recorder.begin(9 * SECOND);
        timeline.closeDrain();
        endAt(12 * SECOND, 9 * SECOND);

        assertThat(timeline.total(0).count(Outcome.OK)).isZero();
        assertThat(timeline.total(0).count(Outcome.UNFINISHED)).isEqualTo(1);
        assertThat(recorder.okSoFar()).isZero();
    }

    @Test
    void operationCountedByTheWatchdogIsNotCountedAgain() {
        recorder.begin(9 * SECOND);
        timeline.closeDrain();
        assertThat(recorder.claim(recorder.started())).isTrue();
        new ClientRecorder(timeline, 0, SECOND).unfinished(recorder, 0, true, 9 * SECOND, 9 * SECOND, 12 * SECOND);
        endAt(13 * SECOND, 9 * SECOND);

        assertThat(timeline.total(0).count(Outcome.UNFINISHED)).isEqualTo(1);
        assertThat(recorder.claim(9 * SECOND)).isFalse();
    }

    @Test
    void operationThatNeverStartedHasOnlyWaited() {
        recorder.neverBegun(0, 4 * SECOND, 12 * SECOND);
        timeline.at(12 * SECOND).neverBegun(0, 0, SECOND / 2, 9, SECOND);

        Cell total = timeline.total(0);
        assertThat(total.count(Outcome.UNFINISHED)).isEqualTo(10);
        assertThat(total.late()).isEqualTo(1);
        assertThat(total.times(Time.TOTAL)).isNull();
        LatencyHistogram response = total.times(Time.RESPONSE);
        assertThat(response).isNotNull();
        assertThat(response.count()).isEqualTo(10);
        assertThat(response.micros(100)).isBetween(7.99e6, 8.01e6);
    }
}
