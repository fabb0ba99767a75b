package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.pgstress.fleet.HostEvents.HostRecords;
import io.pgstress.fleet.HostReports.Acknowledged;
import io.pgstress.measure.CellCodec.CellIncrement;
import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.WriteTallies.WriteSums;
import io.pgstress.report.Samples;
import io.pgstress.runner.IntervalExtras;
import io.pgstress.text.Json;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a host has recorded is added to the run once, and its result or its loss counts, whichever comes first. */
final class RemoteHostTest {
    private final TestHosts fleet = new TestHosts(2);
    private final RemoteHost host = fleet.host(1);
    private final Timeline timeline = timeline();
    private final WriteTallies tallies = new WriteTallies(false);
    private final IntervalExtras extras = new IntervalExtras();
    private final HostRecords records =
            new HostRecords(timeline, extras, new Acknowledged(List.of(tallies), List.of()));

    private static Timeline timeline() {
        Timeline timeline =
                new Timeline(IntervalGrid.of(TestHosts.SECOND), List.of(new OperationShape("op", List.of("s"))), 1);
        timeline.start(0);
        timeline.measure(0, 10 * TestHosts.SECOND);
        return timeline;
    }

    /** What an agent sends that has executed some operations within the first second. */
    private static Message.Increment increment(long sequence, int operations) {
        Timeline its = timeline();
        ClientRecorder recorder = new ClientRecorder(its, 0, TestHosts.SECOND);
        for (int i = 0; i < operations; i++) {
            long start = 1000L * i;
            recorder.begin(start);
            recorder.statementEnded(0, 0, 800, 1, 0);
            recorder.end(0, Outcome.OK, false, start, start, 0, start + 900, 1, 0);
        }
        recorder.flush();
        List<CellIncrement> cells = its.intervals(Phase.MEASURE).get(0).takeNew();
        return new Message.Increment(sequence, Phase.MEASURE, 0, cells);
    }

    private static Message.Ended ended(long increments, WriteSums writes) {
        return new Message.Ended(
                Json.writeLine(Samples.closed()),
                0,
                1000,
                List.of(writes),
                List.of(),
                List.of(),
                List.of(),
                increments,
                List.of());
    }

    private static WriteSums rows(long acknowledged) {
        return new WriteSums(acknowledged, 0, 0, 0);
    }

    private long recorded() {
        return timeline.total(0).completed();
    }

    @Test
    void increasesThatArriveTwiceCountOnce() {
        records.increment(host, increment(0, 5));
        records.increment(host, increment(0, 5));
        records.increment(host, increment(1, 3));
        records.increment(host, increment(0, 5));
        assertThat(recorded()).isEqualTo(8);
        assertThat(Objects.requireNonNull(host.measured()).completed()).isEqualTo(8);
        records.ended(host, ended(2, rows(0)));
        assertThat(host.missing()).isZero();
    }

    @Test
    void missingIncreasesAreNoticedAtTheEnd() {
        records.increment(host, increment(0, 5));
        records.increment(host, increment(2, 5));
        records.ended(host, ended(4, rows(0)));
        assertThat(host.missing()).isEqualTo(2);
    }

    @Test
    void callsOfALostHostAreThoseThatItReported() {
        records.increment(host, increment(0, 5));
        records.increment(host, increment(1, 3));
        assertThat(host.lost("silent", 0)).isTrue();

        assertThat(host.calls(0, 0, 0))
                .isEqualTo(8)
                .isEqualTo(timeline.total(0).statement(0).calls());
        assertThat(host.calls(1, 0, 0)).as("another server").isZero();
    }

    @Test
    void increaseFarBeyondTheRunIsRefused() {
        Message.Increment far = new Message.Increment(0, Phase.MEASURE, 2_000_000, List.of());
        assertThatIllegalArgumentException().isThrownBy(() -> records.increment(host, far));
        assertThat(timeline.intervals(Phase.MEASURE)).hasSizeLessThan(100);
    }

    @Test
    void lostHostMayHaveWrittenMoreThanItReported() {
        records.progress(host, new Message.Progress(7, true, true, 0, 0, List.of(rows(7))));
        assertThat(host.isWarm()).isTrue();
        assertThat(tallies.sums()).isEqualTo(rows(7));
        assertThat(host.lost("silent", 0)).isTrue();
        records.lost(host);
        tallies.reset();
        assertThat(tallies.sums().isUnbounded()).isTrue();
        assertThat(tallies.sums().acknowledged()).isZero();
    }

    @Test
    void usageIsUnknownUntilAllHostsHaveReportedIt() {
        extras.hosts(List.of("h0", "h1"));
        records.usage(host, new Message.Usage(Phase.MEASURE, 0, 80, 8, 1.5));
        assertThat(extras.usage(timeline.interval(Phase.MEASURE, 0))).isNull();
        records.usage(fleet.host(0), new Message.Usage(Phase.MEASURE, 0, 40, 4, 0.25));
        assertThat(extras.usage(timeline.interval(Phase.MEASURE, 0)))
                .isEqualTo(new IntervalExtras.Usage(120, 12, 1.75));
        records.usage(host, new Message.Usage(Phase.MEASURE, 1, 10, 1, 0.5));
        records.lost(fleet.host(0));
        assertThat(extras.usage(timeline.interval(Phase.MEASURE, 1))).isEqualTo(new IntervalExtras.Usage(10, 1, 0.5));
        assertThat(extras.usage(timeline.interval(Phase.MEASURE, 2))).isNull();
    }

    @Test
    void resultAfterTheLossIsIgnored() {
        host.heard(5 * TestHosts.SECOND, 0);
        assertThat(host.lost("silent", 2 * TestHosts.SECOND)).isTrue();
        records.ended(host, ended(0, rows(9)));
        assertThat(host.result()).isNull();
        assertThat(tallies.sums().acknowledged()).isZero();
        assertThat(host.lostAt()).isEqualTo(3 * TestHosts.SECOND);
    }

    @Test
    void hostThatHasEndedCannotBeLost() {
        records.ended(host, ended(0, rows(9)));
        assertThat(host.lost("silent", 0)).isFalse();
        assertThat(host.lost()).isNull();
        assertThat(host.result()).isNotNull();
        assertThat(tallies.sums().acknowledged()).isEqualTo(9);
        records.ended(host, ended(0, rows(10)));
        assertThat(tallies.sums().acknowledged()).isEqualTo(9);
    }
}
