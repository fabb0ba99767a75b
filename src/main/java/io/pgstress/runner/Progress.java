package io.pgstress.runner;

import io.pgstress.measure.IntervalData;
import io.pgstress.measure.IntervalData.Phase;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Follows a run on its thread up to the end of the measurement, and tells of its intervals. */
public final class Progress {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long MAX_HALT_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Course course;
    private final NanoClock clock;
    private final Timeline timeline;
    private final Stop stop;
    private final @Nullable Schedule schedule;
    private final Clients clients;
    private final ServerWatch watch;
    private final ClusterWatch cluster;
    private IntervalData current;
    private long nextSample;

    /** @param origin when the load starts */
    Progress(Course course, Clients clients, ServerWatch watch, ClusterWatch cluster, long origin) {
        this.course = course;
        this.clock = course.clock();
        this.timeline = course.timeline();
        this.stop = course.stop();
        this.schedule = course.schedule();
        this.clients = clients;
        this.watch = watch;
        this.cluster = cluster;
        this.current = timeline.at(origin);
        this.nextSample = origin;
    }

    /** Returns at the measurement's end. */
    void watch() {
        while (true) {
            long now = clock.nanoTime();
            if (course.pause().isRunning() && stop.reason() == null) {
                if (course.pause().isLongerThan(MAX_HALT_NANOS)) {
                    stop.now("making the ids available again took longer than 10 minutes", false);
                }
                parkFor(TICK_NANOS); // no time passes
                continue;
            }
            IntervalData interval = timeline.at(now);
            boolean isOver = interval.phase() == Phase.DRAIN;
            if (isOver) {
                clients.measureEnds();
                course.snapshots().measureEnds(timeline.measureEnd() <= timeline.measureStart());
            }
            if (interval != current) {
                turnTo(interval, now);
            }
            if (isOver) {
                return;
            }
            if (interval.phase() == Phase.WARMUP) {
                course.warmup().follow(now, clients.all());
            }
            if (clients.haveAllEnded()) {
                long ended = clock.nanoTime(); // the phase may be over since
                stop.allEnded(timeline.at(ended).phase() == Phase.WARMUP);
                continue;
            }
            if (now >= nextSample && interval.phase() == Phase.MEASURE) {
                watch.sample();
                cluster.sample(now);
                clients.sample(now);
                nextSample = now + SAMPLE_NANOS;
            }
            parkFor(Math.min(TICK_NANOS, Math.max(1, timeline.boundary(now) - now)));
        }
    }

    private void parkFor(long nanos) {
        LockSupport.parkNanos(nanos);
        if (Thread.interrupted()) {
            stop.now(Runner.INTERRUPTED, true);
        }
    }

    private void turnTo(IntervalData next, long now) {
        IntervalData over = current;
        current = next;
        course.snapshots()
                .intervalEnds(over, schedule == null ? null : schedule.backlog(Math.min(now, timeline.measureEnd())));
        boolean measures = over.phase() == Phase.WARMUP && next.phase() == Phase.MEASURE;
        if (measures) {
            measureStarts(now);
        }
        course.announcer().over(over);
        if (measures) { // only now: the warm-up's last interval comes before it
            course.announcer().phase("measure", course.spec().phases().measure().toNanos() / 1e9);
        }
    }

    private void measureStarts(long now) {
        course.snapshots().measureStarts();
        cluster.measureStarts(now);
        clients.measureStarts();
    }
}
