package io.pgstress.runner.client;

import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Ends the measurement early. Thread-safe; the first reason counts. */
public final class Stop {
    /** The reason, and whether the figures are still valid. */
    public record Reason(String text, boolean isValid) {}

    private final Timeline timeline;
    private final NanoClock clock;
    private final AtomicReference<@Nullable Reason> reason = new AtomicReference<>();

    Stop(Timeline timeline, NanoClock clock) {
        this.timeline = timeline;
        this.clock = clock;
    }

    /** The ids are used up: each client finishes the ids it has drawn, and the last one ends the measurement. */
    void usedUp() {
        reason.compareAndSet(null, new Reason("the ids were used up: use a larger table or a shorter run", false));
    }

    /**
     * All clients have ended.
     *
     * @param inWarmup whether this happened before the measurement
     */
    public void allEnded(boolean inWarmup) {
        if (inWarmup) {
            reason.compareAndSet(
                    null,
                    new Reason(
                            "all operations ended during the warm-up, so nothing was measured; omit --warmup, or use a"
                                    + " larger load",
                            false));
        }
        timeline.endMeasure(clock.nanoTime());
    }

    /** Ends it immediately, even if it was about to end for another reason. */
    public void now(String text, boolean isValid) {
        reason.compareAndSet(null, new Reason(text, isValid));
        timeline.endMeasure(clock.nanoTime());
    }

    public @Nullable Reason reason() {
        return reason.get();
    }
}
