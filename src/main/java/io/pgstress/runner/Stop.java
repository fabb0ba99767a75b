package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Ends the measurement early. Thread-safe; the first reason counts. */
public final class Stop {
    /** A cause with its details, which may be empty. */
    public record Reason(StopCause cause, String details) {
        public String text() {
            return cause.text() + details;
        }

        /** Whether the figures are still valid. */
        public boolean isValid() {
            return cause.isValid();
        }
    }

    private final Timeline timeline;
    private final NanoClock clock;
    private final Conductor conductor;
    private final AtomicReference<@Nullable Reason> reason = new AtomicReference<>();
    private volatile boolean isInterrupted;

    Stop(Timeline timeline, NanoClock clock, Conductor conductor) {
        this.conductor = conductor;
        this.timeline = timeline;
        this.clock = clock;
    }

    /** The ids are used up: each client finishes the ids it has drawn, and the last one ends the measurement. */
    void usedUp() {
        reason.compareAndSet(null, new Reason(StopCause.IDS_USED_UP, ""));
    }

    /**
     * All clients have ended.
     *
     * @param inWarmup whether this happened before the measurement
     */
    public void allEnded(boolean inWarmup) {
        if (inWarmup) {
            now(StopCause.ENDED_IN_WARMUP);
        } else {
            timeline.endMeasure(conductor.measureEnds(clock.nanoTime()));
        }
    }

    /** Ends it immediately, even if it was about to end for another reason. */
    public void now(StopCause cause) {
        now(cause, "");
    }

    /** @param details follow the text of the cause */
    public void now(StopCause cause, String details) {
        if (cause == StopCause.INTERRUPTED) {
            isInterrupted = true;
        }
        reason.compareAndSet(null, new Reason(cause, details));
        timeline.endMeasure(conductor.measureEnds(clock.nanoTime()));
    }

    /** Whether the user has asked the run to end, even if it was about to end for another reason. */
    public boolean isInterrupted() {
        return isInterrupted;
    }

    public @Nullable Reason reason() {
        return reason.get();
    }
}
