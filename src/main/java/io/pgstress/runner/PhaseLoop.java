package io.pgstress.runner;

import io.pgstress.measure.IntervalData;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Timeline;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Follows a run to the end of the measurement, on the run's thread, and reports its intervals. */
final class PhaseLoop {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final RunContext run;
    private final NanoClock clock;
    private final Timeline timeline;
    private final Stop stop;
    private final Pause pause;
    private final Warmup warmup;
    private final Announcer announcer;
    private final Clients clients;
    private final RunProbes probes;
    private IntervalData current;

    /** @param origin start of the load */
    PhaseLoop(RunContext run, Warmup warmup, Announcer announcer, Clients clients, RunProbes probes, long origin) {
        this.run = run;
        this.clock = run.course().clock();
        this.timeline = run.timeline();
        this.stop = run.course().stop();
        this.pause = run.course().pause();
        this.warmup = warmup;
        this.announcer = announcer;
        this.clients = clients;
        this.probes = probes;
        this.current = timeline.at(origin);
    }

    /** Returns at the end of the measurement. */
    void watch() {
        while (true) {
            long now = clock.nanoTime();
            if (pause.isRunning() && stop.reason() == null) {
                if (pause.isLongerThan(MAX_PAUSE_NANOS)) {
                    stop.now(StopCause.LONG_RESET);
                }
                parkFor(TICK_NANOS); // pauses are excluded
                continue;
            }
            boolean isRamping = clients.isRamping(now);
            IntervalData interval = timeline.at(now);
            boolean isOver = interval.phase() == Phase.DRAIN;
            if (isOver) {
                probes.measureEnds();
            }
            if (interval != current) {
                turnTo(interval, now);
            }
            if (isOver) {
                return;
            }
            if (interval.phase() == Phase.WARMUP) {
                warmup.follow(now, isRamping, clients);
            }
            if (clients.haveAllEnded()) {
                long ended = clock.nanoTime(); // the phase may have ended meanwhile
                stop.allEnded(timeline.at(ended).phase() == Phase.WARMUP);
                continue;
            }
            if (interval.phase() == Phase.MEASURE) {
                probes.sample(now);
            }
            parkFor(Math.min(TICK_NANOS, Math.max(1, timeline.boundary(now) - now)));
        }
    }

    private void parkFor(long nanos) {
        LockSupport.parkNanos(nanos);
        if (Thread.interrupted()) {
            stop.now(StopCause.INTERRUPTED);
        }
    }

    private void turnTo(IntervalData next, long now) {
        IntervalData over = current;
        current = next;
        if (run.course().schedule() != null) {
            run.extras().backlog(over, clients.backlog(Math.min(now, timeline.measureEnd())));
        }
        probes.intervalEnds(over);
        boolean measures = over.phase() == Phase.WARMUP && next.phase() == Phase.MEASURE;
        if (measures) {
            probes.measureStarts();
        }
        announcer.over(over);
        if (measures) { // the last interval of the warm-up comes first
            announcer.phase(Phase.MEASURE, run.spec().phases().measure().toNanos() / 1e9);
        }
    }
}
