package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The scheduled starts of an open load that one client takes. Belongs to the client's thread. */
final class ScheduledStarts {
    /** Maximum sleep, because the end of a phase may be moved forward while a client waits; see {@link Warmup}. */
    private static final long LONGEST_PARK_NANOS = Warmup.NOTICE_NANOS;

    private final Schedule schedule;
    private final Timeline timeline;
    private final NanoClock clock;
    private long due;
    private long start;

    private ScheduledStarts(Schedule schedule, Course course) {
        this.schedule = schedule;
        this.timeline = course.timeline();
        this.clock = course.clock();
    }

    /** Null in a closed load. */
    static @Nullable ScheduledStarts of(Course course) {
        Schedule schedule = course.schedule();
        return schedule == null ? null : new ScheduledStarts(schedule, course);
    }

    /** Takes the next scheduled start and waits until it is due; returns false if the measurement is over. */
    boolean await() throws InterruptedException {
        while (!timeline.drainIsOver()) {
            boolean isMeasured = clock.nanoTime() >= timeline.measureStart();
            due = isMeasured ? schedule.takeMeasured() : schedule.takeOfWarmup();
            waitUntil(due, isMeasured);
            start = clock.nanoTime();
            if (isMeasured || start < timeline.measureStart()) {
                return isWithin();
            }
            if (due < timeline.measureStart()) { // the warm-up has ended, and with it its schedule
                schedule.drop();
            }
        }
        return false;
    }

    /** Whether the start is within the measurement or the warm-up, if late too. */
    private boolean isWithin() {
        if (due >= timeline.measureEnd()) {
            return false;
        }
        if (start >= timeline.measureEnd() && due >= timeline.measureStart()) {
            schedule.late(1);
        }
        return true;
    }

    /** Waits for a scheduled start, or for the end of its phase if that is earlier. */
    private void waitUntil(long scheduled, boolean isMeasured) throws InterruptedException {
        while (true) {
            long until = Math.min(scheduled, isMeasured ? timeline.measureEnd() : timeline.measureStart());
            long left = until - clock.nanoTime();
            if (left <= 0) {
                return;
            }
            LockSupport.parkNanos(this, Math.min(left, LONGEST_PARK_NANOS));
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /** When the operation that was taken last is due, in the clock's nanoseconds. */
    long due() {
        return due;
    }

    /** When it can start: when its client had waited. */
    long start() {
        return start;
    }
}
