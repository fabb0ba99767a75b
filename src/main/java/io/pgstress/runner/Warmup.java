package io.pgstress.runner;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.plan.Phases;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds when the warm-up ends, and sets the measurement's start and end there. Whether throughput is level is looked at by
 * spans of a second, or of a twentieth of the limit where that is shorter; whether enough was executed, all the time. Belongs to the run's thread.
 */
final class Warmup {
    private static final long LONGEST_SPAN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_SPAN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int SPANS = 20;

    /** So long before the measurement's start clients have to know of it. */
    private static final long NOTICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Phases phases;
    private final NanoClock clock;
    private final Timeline timeline;
    private final @Nullable Schedule schedule;
    private final WarmupJudge judge = new WarmupJudge();
    private final long span;
    private @Nullable String cut;
    private boolean isFound;
    private boolean isLevel;
    private long spans;
    private long nextLook;
    private long okBefore;

    Warmup(Phases phases, NanoClock clock, Timeline timeline, @Nullable Schedule schedule) {
        this.phases = phases;
        this.clock = clock;
        this.timeline = timeline;
        this.schedule = schedule;
        this.span = Math.max(SHORTEST_SPAN_NANOS, Math.min(LONGEST_SPAN_NANOS, most() / SPANS));
        this.nextLook = phases.autoWarmup()
                ? Math.min(lastLook(), span)
                : Math.max(0, phases.warmup().toNanos() - 2 * NOTICE_NANOS);
    }

    /** The load is about to start: sets the measurement's start where it is known already. */
    void starts(long origin) {
        if (!phases.autoWarmup() && phases.warmupExecutions() == 0) {
            measureAt(origin + phases.warmup().toNanos());
        }
    }

    /** What it had not reached when its limit ended it; null where it was not cut. */
    @Nullable
    String cut() {
        return cut;
    }

    /** Looks whether the end is found; to be called every few milliseconds, now being the clock's time. */
    void follow(long now, List<Client> clients) {
        long since = now - timeline.origin(); // halts make no time pass
        if (isFound || since < nextLook) {
            return;
        }
        boolean isLast = since >= lastLook();
        takeIn(since, clients);
        boolean isWarm = !phases.autoWarmup() || (isLevel && (schedule == null || schedule.isRampOver(now)));
        boolean haveExecuted = haveExecuted(clients);
        long nextSpan = (since / span + 1) * span;
        if (isWarm && haveExecuted) {
            startMeasureAt(
                    phases.autoWarmup()
                            ? Math.min(most(), nextSpan)
                            : phases.warmup().toNanos());
        } else if (isLast) {
            cut = haveExecuted ? notLevel() : notExecuted();
            startMeasureAt(most());
        }
        nextLook = phases.autoWarmup() ? Math.min(lastLook(), nextSpan) : since + 1;
    }

    /** Judges the span that is over, if one is; a look that comes late is of more than one. */
    private void takeIn(long since, List<Client> clients) {
        if (since / span > spans) {
            long ok = clients.stream().mapToLong(c -> c.recorder().okSoFar()).sum();
            isLevel = since / span == spans + 1 && judge.isLevelAfter((double) (ok - okBefore));
            spans = since / span;
            okBefore = ok;
        }
    }

    /** When, after the origin, is looked for the last time. */
    private long lastLook() {
        return Math.max(1, most() - 2 * NOTICE_NANOS);
    }

    private String notLevel() {
        return judge.canTell()
                ? "throughput was not level yet"
                : "the limit was too short to tell whether throughput is level";
    }

    private String notExecuted() {
        return "some client had not yet done its " + phases.warmupExecutions() + " executions";
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

    /** @param sinceOrigin when, in nanoseconds; where clients could not know of it any more, a little later */
    private void startMeasureAt(long sinceOrigin) {
        measureAt(Math.max(timeline.origin() + sinceOrigin, clock.nanoTime() + NOTICE_NANOS));
    }

    private void measureAt(long start) {
        isFound = true;
        if (schedule != null) {
            schedule.measureStarts(start);
        }
        timeline.measure(start, start + phases.measure().toNanos());
    }
}
