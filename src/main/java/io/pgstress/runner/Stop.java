package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.target.driver.TargetException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Ends the measurement early. Thread-safe; the first reason counts. */
public final class Stop {
    /** A cause with its details, which may be empty. */
    public record Reason(StopCause cause, String details) {
        public String text() {
            return cause.text() + details;
        }

        /**
         * The failure of a run that this reason ends before its load has begun.
         *
         * @param when follows the text
         */
        public TargetException before(String when) {
            return new TargetException(
                    text() + " " + when, cause == StopCause.INTERRUPTED ? new InterruptedException() : null);
        }

        /** Whether the figures are still valid. */
        public boolean isValid() {
            return cause.isValid();
        }
    }

    private final Timeline timeline;
    private final NanoClock clock;
    private final RunTiming timing;
    private final AtomicReference<@Nullable Reason> reason = new AtomicReference<>();
    private volatile boolean isInterrupted;

    Stop(Timeline timeline, NanoClock clock, RunTiming timing) {
        this.timing = timing;
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
            timeline.endMeasure(timing.measureEnds(clock.nanoTime()));
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
        boolean isAll = cause == StopCause.INTERRUPTED && clock.nanoTime() >= timeline.measureEnd();
        if (!isAll) { // what was to be measured was measured
            reason.compareAndSet(null, new Reason(cause, details));
        }
        timeline.endMeasure(timing.measureEnds(clock.nanoTime()));
    }

    /** Whether the user has asked the run to end, even if it was about to end for another reason. */
    public boolean isInterrupted() {
        return isInterrupted;
    }

    public @Nullable Reason reason() {
        return reason.get();
    }

    /** Why the measurement of a run ended early. */
    public enum StopCause {
        /** By the user, who waits for the report. */
        INTERRUPTED("interrupted", true),
        /** By the caller, who needs no more intervals. */
        MEASURED_ENOUGH("throughput is steady", true),
        /** By the caller, because the limit of a rate is broken anyway. */
        LIMIT_BROKEN("a limit is clearly broken", true),
        LOOP_FAILED("an event loop failed: ", true),
        IDS_USED_UP("the ids were used up (use a larger table or range of ids, or a shorter run)", false),
        ENDED_IN_WARMUP(
                "all operations ended during the warm-up, and nothing was measured (omit --warmup, or use a larger load)",
                false),
        LONG_RESET("resetting the ids took longer than 10 minutes", false),
        CLIENT_FAILED("client failed: ", false),
        /** The run's own work on the server, such as a reset, whose failure says what it was. */
        TARGET_FAILED("", false),
        FIRST_ERROR("first error, ", false),
        FOREIGN_SESSION("a transaction pooler ran a client's statement in another client's session ", false),
        /** The command that this host works for is silent. */
        COMMAND_LOST("the command that this host works for has been lost", false),
        /** All load generator hosts of the run have been lost. */
        HOSTS_LOST("all load generator hosts were lost", false),
        /** The run itself failed. */
        ABANDONED("the run was abandoned", false);

        private final String text;
        private final boolean isValid;

        StopCause(String text, boolean isValid) {
            this.text = text;
            this.isValid = isValid;
        }

        /** The cause in words; ends with a space if details follow. */
        String text() {
            return text;
        }

        /** Whether the figures are still valid. */
        boolean isValid() {
            return isValid;
        }
    }
}
