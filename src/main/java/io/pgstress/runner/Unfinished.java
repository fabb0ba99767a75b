package io.pgstress.runner;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts what had not ended at the end of the drain: operations under way, and in an open load also those that were due
 * and never begun. Each enters the percentiles with the time it has lasted so far.
 */
final class Unfinished {
    private final Timeline timeline;
    private final @Nullable Schedule schedule;
    private final NanoClock clock;
    private final long latencyLimit;

    /** @param latencyLimitNanos as {@link ClientRecorder} has it */
    Unfinished(Timeline timeline, @Nullable Schedule schedule, NanoClock clock, long latencyLimitNanos) {
        this.latencyLimit = latencyLimitNanos;
        this.timeline = timeline;
        this.schedule = schedule;
        this.clock = clock;
    }

    /** To be called after the drain was closed, when the clients record nothing any more. */
    void count(List<Client> clients) {
        long now = clock.nanoTime();
        for (Client client : clients) {
            long started = client.recorder().started();
            if (client.hasEnded() || started == 0) {
                continue;
            }
            long intended = client.intended();
            if (intended >= timeline.measureStart() && intended < timeline.measureEnd()) {
                ClientRecorder recorder =
                        new ClientRecorder(timeline, client.recorder().node(), latencyLimit);
                recorder.resume(now);
                recorder.unfinished(client.operation(), schedule != null, intended, started, now);
            }
        }
        if (schedule != null) {
            countNeverBegun(schedule, now);
        }
    }

    private void countNeverBegun(Schedule open, long now) {
        ClientRecorder recorder = new ClientRecorder(timeline, 0, latencyLimit);
        recorder.resume(now);
        for (long due = open.next(); due < timeline.measureEnd(); due = open.next()) {
            if (due >= timeline.measureStart()) {
                recorder.unfinished(0, true, due, now, now);
            }
        }
    }
}
