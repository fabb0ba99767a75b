package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.plan.Phases;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the warm-up ends, and sets the start and end of the measurement accordingly. The limit is set as its end from the
 * beginning, so it holds even if the run's thread is late. An automatic warm-up ends after a span in which throughput was steady and the
 * JVM's compiler neither used more of the CPU time than a result may have without a warning nor waited for a core most of the time. A
 * span is a second, or a twentieth of the limit if that is shorter. The number of executions is checked continuously. Belongs to the run's thread.
 */
public final class Warmup {
    private static final long LONGEST_SPAN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_SPAN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int SPANS = 20;

    /**
     * The measurement's start is set this long in advance; in a closed loop a quarter of a span if that is shorter. Clients
     * of an open loop that wait for their next start check for a change this often.
     */
    static final long NOTICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Phases phases;
    private final NanoClock clock;
    private final Timeline timeline;
    private final @Nullable Schedule schedule;
    private final WarmupJudge judge = new WarmupJudge();
    private final long span;
    private final long notice;
    private final RunTiming timing;
    private boolean isFound;
    private boolean isLevel;
    private boolean isCompiled;
    private boolean isWarm;
    private long earliest;
    private boolean haveExecuted;
    private long nextLook;
    private long sinceBefore;
    private long okBefore;

    public Warmup(Phases phases, RunSignals signals) {
        this.phases = phases;
        this.clock = signals.clock();
        this.timeline = signals.timeline();
        this.schedule = signals.schedule();
        this.span = Math.max(SHORTEST_SPAN_NANOS, Math.min(LONGEST_SPAN_NANOS, most() / SPANS));
        this.timing = signals.timing();
        this.notice =
                Math.max(timing.noticeNanos(), schedule == null ? Math.min(NOTICE_NANOS, span / 4) : NOTICE_NANOS);
        this.nextLook = phases.autoWarmup()
                ? Math.min(lastLook(), span)
                : Math.max(0, phases.warmup().toNanos() - 2 * notice);
    }

    /** Called just before the load: sets the start of the measurement, which may be moved forward later. */
    public void starts(long origin) {
        isFound = !phases.autoWarmup() && phases.warmupExecutions() == 0;
        measureAt(origin + (isFound ? phases.warmup().toNanos() : most()));
    }

    /** What the warm-up had not reached at its limit; null if it was not cut. Valid after the measurement. */
    public @Nullable String cut() {
        if (isFound || timeline.measureStart() < timeline.origin() + most()) {
            return null;
        }
        return haveExecuted ? notSteady() : notExecuted();
    }

    /**
     * Checks whether the warm-up can end; to be called every few milliseconds with the clock's time.
     *
     * @param isRamping whether some clients are still held back; their throughput would not be comparable
     */
    public void follow(long now, boolean isRamping, WarmupProgress clients) {
        if (isFound) {
            return;
        }
        long since = now - timeline.origin(); // pauses are excluded
        if (isRamping && phases.autoWarmup()) {
            sinceBefore = since;
            okBefore = clients.okSoFar();
            nextLook = Math.min(lastLook(), since + span);
        }
        if (since >= nextLook) {
            look(now, since, clients);
        }
        timing.measureStarts(isWarm, Math.max(timeline.origin() + earliest, clock.nanoTime() + notice))
                .ifPresent(start -> {
                    isFound = true;
                    if (start < timeline.measureStart()) { // a little late if clients could not notice in time
                        measureAt(start);
                    }
                });
    }

    private void look(long now, long since, WarmupProgress clients) {
        if (phases.autoWarmup()) {
            takeIn(clients);
        }
        haveExecuted = phases.warmupExecutions() == 0 || clients.haveExecuted(phases.warmupExecutions());
        isWarm = haveExecuted
                && (!phases.autoWarmup() || (isLevel && isCompiled && (schedule == null || schedule.isRampOver(now))));
        long nextSpan = (since / span + 1) * span;
        earliest = phases.autoWarmup() ? nextSpan : phases.warmup().toNanos();
        nextLook = phases.autoWarmup() ? Math.min(lastLook(), nextSpan) : since + 1;
    }

    /** Evaluates the span that has ended, if any; a late check makes it longer, and the next one shorter. */
    private void takeIn(WarmupProgress clients) {
        long ok = clients.okSoFar();
        long since = clock.nanoTime() - timeline.origin();
        if (since - sinceBefore >= span / 2) {
            isLevel = judge.isLevelAfter((double) (ok - okBefore), (since - sinceBefore) / 1e9);
            isCompiled = !clients.isCompiling();
            sinceBefore = since;
            okBefore = ok;
        }
    }

    /** The time of the last check, since the origin. */
    private long lastLook() {
        return Math.max(1, most() - 2 * notice);
    }

    /** Null if only the compiler was still at work; the result has a warning if that affects the measurement. */
    private @Nullable String notSteady() {
        if (!judge.canTell()) {
            return "the limit was too short to tell whether throughput was steady";
        }
        return isLevel && !isCompiled ? null : "throughput was not yet steady";
    }

    private String notExecuted() {
        return "some client had not yet completed its " + phases.warmupExecutions() + " executions";
    }

    /** The warm-up's limit, if it may end earlier, in nanoseconds. */
    private long most() {
        return Math.max(phases.warmup().toNanos(), phases.warmupLimit().toNanos());
    }

    private void measureAt(long start) {
        if (schedule != null) {
            schedule.measureStarts(start);
        }
        timeline.measure(start, start + phases.measure().toNanos());
    }

    /**
     * Decides when a warm-up may end: when the throughput of the last {@value #WINDOW} spans is within 3% of the
     * {@value #WINDOW} before, or, for small counts, within two standard deviations of the difference
     * (Poisson distribution). Not thread-safe.
     */
    public static final class WarmupJudge {
        private static final int WINDOW = 3;
        private static final double LEVEL = 0.03;

        private final double[] operations = new double[2 * WINDOW];
        private final double[] seconds = new double[2 * WINDOW];
        private int seen;

        /** Whether enough spans were added to decide. */
        boolean canTell() {
            return seen >= operations.length;
        }

        /** Adds a span's operations and length; returns whether throughput is steady. */
        public boolean isLevelAfter(double newOperations, double newSeconds) {
            append(operations, newOperations);
            append(seconds, newSeconds);
            seen++;
            if (!canTell()) {
                return false;
            }
            double secondsBefore = sum(seconds, 0);
            double secondsAfter = sum(seconds, WINDOW);
            double before = sum(operations, 0) / secondsBefore;
            double after = sum(operations, WINDOW) / secondsAfter;
            double deviation = Math.sqrt(before / secondsBefore + after / secondsAfter);
            return after > 0 && Math.abs(after - before) <= Math.max(LEVEL * before, 2 * deviation);
        }

        private static void append(double[] values, double value) {
            System.arraycopy(values, 1, values, 0, values.length - 1);
            values[values.length - 1] = value;
        }

        /** The sum of {@value #WINDOW} values from this index on. */
        private static double sum(double[] values, int from) {
            double sum = 0;
            for (int i = from; i < from + WINDOW; i++) {
                sum += values[i];
            }
            return sum;
        }
    }
}
