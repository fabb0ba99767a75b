package io.pgstress.runner;

import io.pgstress.dataset.SplitMix;
import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.WeightedOperation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts operations not finished at the end of the drain: those in progress enter the percentiles with their time so far;
 * in an open load also those due but never started, with the time since they were due.
 */
final class Unfinished {
    /** Beyond this many, several operations share a recorded time, which is within a millionth of their own. */
    private static final double MAX_APART = 1e6;

    private final RunSpec spec;
    private final Timeline timeline;
    private final @Nullable Schedule schedule;
    private final NanoClock clock;
    private final long latencyLimit;

    Unfinished(RunSpec spec, Timeline timeline, @Nullable Schedule schedule, NanoClock clock) {
        this.spec = spec;
        this.timeline = timeline;
        this.schedule = schedule;
        this.clock = clock;
        this.latencyLimit = spec.failures().latencyLimit().toNanos();
    }

    /**
     * Counts them; to be called after the drain has ended.
     *
     * @return number of clients whose operation began before the measurement and is still in progress
     */
    int count(List<Client> clients) {
        long now = clock.nanoTime();
        int hung = 0;
        for (Client client : clients) {
            long started = client.recorder().started();
            int operation = client.operation();
            long scheduled = client.scheduled();
            if (started == 0 || client.hasEnded() || !client.recorder().claim(started)) {
                continue;
            }
            if (scheduled >= timeline.measureStart() && scheduled < timeline.measureEnd()) {
                ClientRecorder recorder =
                        new ClientRecorder(timeline, client.recorder().node(), latencyLimit);
                recorder.resume(now);
                recorder.unfinished(operation, schedule != null, scheduled, started, now);
            } else if (scheduled < timeline.measureStart()) {
                hung++;
            }
        }
        if (schedule != null) {
            countNeverBegun(schedule, clients, now);
        }
        return hung;
    }

    /** Spreads them over operations and nodes as the clients would have drawn them. */
    private void countNeverBegun(Schedule open, List<Client> clients, long now) {
        IntervalData drain = timeline.at(now);
        SplitMix random = new SplitMix(spec.seed(), -3);
        WeightedDraw operations = new WeightedDraw(
                spec.mix().stream().mapToInt(WeightedOperation::weight).toArray(), random);
        Arrivals measured = open.measured();
        double last = measured.placeAt(timeline.measureEnd() - open.measureStart());
        double place = measured.next();
        double step = Math.max(1, Math.ceil((last - place) / measured.stride() / MAX_APART));
        for (; open.measureStart() + measured.dueAt(place) < timeline.measureEnd(); place += step * measured.stride()) {
            long due = open.measureStart() + measured.dueAt(place);
            int node = clients.get(random.below(clients.size())).recorder().node();
            long count = (long) Math.min(step, Math.max(1, Math.ceil((last - place) / measured.stride())));
            open.late(count);
            drain.neverBegun(
                    node, operations.next(), now - due, count, latencyLimit == 0 ? Long.MAX_VALUE : latencyLimit);
        }
    }
}
