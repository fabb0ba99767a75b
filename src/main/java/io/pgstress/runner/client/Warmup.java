package io.pgstress.runner.client;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.plan.Phases;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds when the warm-up ends, and sets the measurement's start and end there. Its limit is set as that from the start, so that it
 * holds however late the run's thread is. Whether throughput is level is looked at by spans of a second, or of a twentieth of
 * the limit where that is shorter; whether enough was executed, all the time. Belongs to the run's thread.
 */
public final class Warmup {
    private static final long LONGEST_SPAN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_SPAN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int SPANS = 20;

    /**
     * The measurement's start is set this long before it comes; in a closed load a quarter of a span where that is shorter. Clients
     * of an open load that wait for their next start look for a change of it as often.
     */
    static final long NOTICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Phases phases;
    private final NanoClock clock;
    private final Timeline timeline;
    private final @Nullable Schedule schedule;
    private final WarmupJudge judge = new WarmupJudge();
    private final long span;
    private final long notice;
    private boolean isFound;
    private boolean isLevel;
    private boolean haveExecuted;
    private long nextLook;
    private long sinceBefore;
    private long okBefore;

    public Warmup(Phases phases, Course course) {
        this.phases = phases;
        this.clock = course.clock();
        this.timeline = course.timeline();
        this.schedule = course.schedule();
        this.span = Math.max(SHORTEST_SPAN_NANOS, Math.min(LONGEST_SPAN_NANOS, most() / SPANS));
        this.notice = schedule == null ? Math.min(NOTICE_NANOS, span / 4) : NOTICE_NANOS;
        this.nextLook = phases.autoWarmup()
                ? Math.min(lastLook(), span)
                : Math.max(0, phases.warmup().toNanos() - 2 * notice);
    }

    /** The load is about to start: sets the measurement's start, which may come earlier where that is still to be found. */
    public void starts(long origin) {
        isFound = !phases.autoWarmup() && phases.warmupExecutions() == 0;
        measureAt(origin + (isFound ? phases.warmup().toNanos() : most()));
    }

    /** What it had not reached when its limit ended it; null where it was not cut. To be asked after the measurement. */
    public @Nullable String cut() {
        if (isFound || timeline.measureStart() < timeline.origin() + most()) {
            return null;
        }
        return haveExecuted ? notLevel() : notExecuted();
    }

    /** Looks whether the end is found; to be called every few milliseconds, now being the clock's time. */
    public void follow(long now, List<Client> clients) {
        long since = now - timeline.origin(); // pauses are excluded
        if (isFound || since < nextLook) {
            return;
        }
        if (phases.autoWarmup()) {
            takeIn(clients);
        }
        boolean isWarm = !phases.autoWarmup() || (isLevel && (schedule == null || schedule.isRampOver(now)));
        haveExecuted = haveExecuted(clients);
        long nextSpan = (since / span + 1) * span;
        if (isWarm && haveExecuted) {
            isFound = true;
            startMeasureAt(phases.autoWarmup() ? nextSpan : phases.warmup().toNanos());
        }
        nextLook = phases.autoWarmup() ? Math.min(lastLook(), nextSpan) : since + 1;
    }

    /** Judges the span that is over, if one is; where the look comes late, it is longer, and the next one shorter. */
    private void takeIn(List<Client> clients) {
        long ok = clients.stream().mapToLong(c -> c.recorder().okSoFar()).sum();
        long since = clock.nanoTime() - timeline.origin();
        if (since - sinceBefore >= span / 2) {
            isLevel = judge.isLevelAfter((double) (ok - okBefore), (since - sinceBefore) / 1e9);
            sinceBefore = since;
            okBefore = ok;
        }
    }

    /** When, after the origin, is looked for the last time. */
    private long lastLook() {
        return Math.max(1, most() - 2 * notice);
    }

    private String notLevel() {
        return judge.canTell()
                ? "throughput was not yet steady"
                : "the limit was too short to tell whether throughput was steady";
    }

    private String notExecuted() {
        return "some client had not yet completed its " + phases.warmupExecutions() + " executions";
    }

    /** Whether every client has executed every operation often enough. */
    private boolean haveExecuted(List<Client> clients) {
        return phases.warmupExecutions() == 0
                || clients.stream().allMatch(c -> hasExecuted(c.recorder(), phases.warmupExecutions()));
    }

    private boolean hasExecuted(ClientRecorder recorder, int times) {
        for (int operation = 0; operation < timeline.shapes().size(); operation++) {
            if (recorder.endedSoFar(operation) < times) {
                return false;
            }
        }
        return true;
    }

    /** The most that it may take where its end is found while it lasts, in nanoseconds. */
    private long most() {
        return Math.max(phases.warmup().toNanos(), phases.warmupLimit().toNanos());
    }

    /** @param sinceOrigin when, in nanoseconds; where that is too soon for clients to know of it, a little later; at the limit at the latest */
    private void startMeasureAt(long sinceOrigin) {
        long start = Math.max(timeline.origin() + sinceOrigin, clock.nanoTime() + notice);
        if (start < timeline.measureStart()) {
            measureAt(start);
        }
    }

    private void measureAt(long start) {
        if (schedule != null) {
            schedule.measureStarts(start);
        }
        timeline.measure(start, start + phases.measure().toNanos());
    }
}
