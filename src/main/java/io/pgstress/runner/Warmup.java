package io.pgstress.runner;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Timeline;
import io.pgstress.plan.Phases;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds when the warm-up ends, and sets the measurement's start and end there. Where the end is found while it lasts, it is
 * looked for by spans of a second, or of a twentieth of the limit where that is shorter. Belongs to the run's thread.
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
    private int spans;
    private long okBefore;

    Warmup(Phases phases, NanoClock clock, Timeline timeline, @Nullable Schedule schedule) {
        this.phases = phases;
        this.clock = clock;
        this.timeline = timeline;
        this.schedule = schedule;
        this.span = Math.max(SHORTEST_SPAN_NANOS, Math.min(LONGEST_SPAN_NANOS, most() / SPANS));
    }

    /** The load is about to start: sets the measurement's start where it is known already. */
    void starts(long origin) {
        if (!phases.autoWarmup() && phases.warmupExecutions() == 0) {
            startMeasureAt(origin + phases.warmup().toNanos());
        }
    }

    /** What it had not reached when its limit ended it; null where it was not cut. */
    @Nullable
    String cut() {
        return cut;
    }

    /** Looks whether the end is found; to be called every few milliseconds, now being the clock's time. */
    void follow(long now, List<Client> clients) {
        if (isFound || now - timeline.origin() < (spans + 1) * span) {
            return;
        }
        // halts, in which nothing is done, make no time pass; a look that came late is of more than one span
        boolean isOneSpan = now - timeline.origin() < (spans + 2) * span;
        spans = (int) ((now - timeline.origin()) / span);
        long ok = clients.stream().mapToLong(c -> c.recorder().okSoFar()).sum();
        boolean level = isOneSpan && judge.isLevelAfter((double) (ok - okBefore));
        okBefore = ok;
        boolean isWarm = phases.autoWarmup()
                ? level && (schedule == null || schedule.isRampOver(now))
                : now - timeline.origin() >= phases.warmup().toNanos();
        boolean haveExecuted = haveExecuted(clients);
        long end = timeline.origin() + most();
        long next = timeline.origin() + (spans + 1) * span;
        if (isWarm && haveExecuted) {
            startMeasureAt(Math.min(next, end));
        } else if (next >= end) {
            cut = haveExecuted ? notLevel() : notExecuted();
            startMeasureAt(end);
        }
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
        List<OperationShape> shapes = timeline.shapes();
        for (int operation = 0; operation < shapes.size(); operation++) {
            long most = 0;
            for (int s = 0; s < shapes.get(operation).statements().size(); s++) {
                most = Math.max(most, recorder.calls(operation, s));
            }
            if (most < times) {
                return false;
            }
        }
        return true;
    }

    /** The most that it may take where its end is found while it lasts, in nanoseconds. */
    private long most() {
        return Math.max(phases.warmup().toNanos(), phases.warmupLimit().toNanos());
    }

    private void startMeasureAt(long wanted) {
        isFound = true;
        long start = spans == 0 ? wanted : Math.max(wanted, clock.nanoTime() + NOTICE_NANOS);
        if (schedule != null) {
            schedule.measureStarts(start);
        }
        timeline.measure(start, start + phases.measure().toNanos());
    }
}
