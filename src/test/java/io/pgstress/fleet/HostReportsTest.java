package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.fleet.HostReports.Acknowledged;
import io.pgstress.measure.CellCodec;
import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.WriteTallies;
import io.pgstress.report.Samples;
import io.pgstress.result.Network;
import io.pgstress.runner.Clients;
import io.pgstress.runner.IntervalExtras;
import io.pgstress.verdict.LongTimes.Suspect;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an agent sends: each operation once, with the numbers that servers have in the whole run. */
final class HostReportsTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<Message> sent = new ArrayList<>();
    private final Timeline timeline =
            new Timeline(IntervalGrid.of(SECOND), List.of(new OperationShape("op", List.of("a", "b"))), 2);
    private final IntervalExtras extras = new IntervalExtras();
    private final ClientRecorder recorder = new ClientRecorder(timeline, 1, SECOND);
    private final HostReports reports = new HostReports(
            new HostReports.HostLoad(
                    List.of(3, 5),
                    timeline,
                    extras,
                    new Acknowledged(List.of(new WriteTallies(false)), List.of()),
                    clients(),
                    1),
            sent::add);

    HostReportsTest() {
        timeline.start(0);
        timeline.measure(0, 10 * SECOND);
    }

    /** Clients that have done 7 of everything. */
    private static Clients clients() {
        return (Clients) Proxy.newProxyInstance(
                Clients.class.getClassLoader(), new Class<?>[] {Clients.class}, (proxy, method, arguments) -> {
                    Class<?> type = method.getReturnType();
                    return type == boolean.class ? (Object) true : type == long.class ? (Object) 7L : (Object) 7;
                });
    }

    private void operations(int count, long from) {
        for (int i = 0; i < count; i++) {
            long start = from + 1000L * i;
            recorder.begin(start);
            recorder.end(0, Outcome.OK, false, start, start, 0, start + 900, 1, 0);
        }
        recorder.flush();
    }

    private <M extends Message> List<M> sent(Class<M> kind) {
        return sent.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private long ok() {
        return sent(Message.Increment.class).stream()
                .flatMap(increment -> increment.cells().stream())
                .mapToLong(cell -> CellCodec.decode(cell.cell()).completed(Outcome.OK))
                .sum();
    }

    @Test
    void sendsOnlyWhatIsNew() {
        operations(4, 0);
        reports.progress(SECOND / 2, true);
        assertThat(sent(Message.Progress.class)).hasSize(1).allSatisfy(progress -> {
            assertThat(progress.ok()).isEqualTo(7);
            assertThat(progress.isWarm()).isTrue();
        });
        assertThat(ok()).isEqualTo(4);
        reports.progress(SECOND / 2, true);
        assertThat(ok()).isEqualTo(4);
        operations(3, SECOND);
        reports.progress(SECOND, true);
        assertThat(ok()).isEqualTo(7);
        assertThat(sent(Message.Increment.class))
                .extracting(Message.Increment::sequence)
                .containsExactly(0L, 1L);
        assertThat(sent(Message.Increment.class).get(1).index()).isEqualTo(1);
        assertThat(sent(Message.Increment.class).get(1).cells())
                .allSatisfy(cell -> assertThat(cell.node()).isEqualTo(5));
    }

    /** Until the command has reset the tables, sums of before the reset must not reach it. */
    @Test
    void sendsNoRecordsDuringAPause() {
        operations(4, 0);
        reports.paused();
        reports.progress(SECOND, true);
        assertThat(sent(Message.Paused.class)).hasSize(1);
        assertThat(sent(Message.Beat.class)).hasSize(1);
        assertThat(sent(Message.Progress.class)).isEmpty();
        assertThat(ok()).isZero();
        reports.resumed();
        reports.progress(SECOND, true);
        assertThat(ok()).isEqualTo(4);
    }

    @Test
    void sendsTheUsageOfEachIntervalOnceItHasEnded() {
        operations(1, 0);
        operations(1, SECOND);
        operations(1, 2 * SECOND);
        reports.progress(SECOND, true);
        assertThat(sent(Message.Usage.class)).isEmpty();
        List<IntervalData> intervals = timeline.intervals(Phase.MEASURE);
        extras.usage(intervals.get(0), new Network(80, 8, 0, 0), 1.5);
        reports.progress(SECOND, true);
        extras.usage(intervals.get(2), new Network(40, 4, 0, 0), 0.5); // nobody looked at the second
        reports.progress(2 * SECOND, true);
        reports.progress(2 * SECOND, true);
        assertThat(sent(Message.Usage.class))
                .containsExactly(
                        new Message.Usage(Phase.MEASURE, 0, 80, 8, 1.5),
                        new Message.Usage(Phase.MEASURE, 2, 40, 4, 0.5));
    }

    @Test
    void endsWithTheRestAndTheNumberOfIncreases() {
        operations(4, 0);
        reports.progress(SECOND / 2, false);
        operations(2, SECOND / 2);
        List<Suspect> stalls = List.of(new Suspect(Suspect.Kind.CLIENT, 1.5, 1.75));
        reports.ended(Samples.closed(), new ClockOffset(300, 20), stalls);

        assertThat(ok()).isEqualTo(6);
        Message.Ended ended = (Message.Ended) sent.get(sent.size() - 1);
        assertThat(ended.increments()).isEqualTo(2);
        assertThat(ended.offsetNanos()).isEqualTo(-300);
        assertThat(ended.boundNanos()).isEqualTo(20);
        assertThat(ended.calls()).isEqualTo(List.of(List.of(List.of(7L, 7L)), List.of(List.of(7L, 7L))));
        assertThat(ended.successes()).hasSize(2);
        assertThat(ended.stalls()).isEqualTo(stalls);
    }
}
