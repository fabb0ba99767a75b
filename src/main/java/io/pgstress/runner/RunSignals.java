package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.target.loop.Gate;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The clock, phases and signals shared by the clients of a run and its thread. Thread-safe. */
public final class RunSignals {
    private final Timeline timeline;
    private final NanoClock clock;
    private final @Nullable Schedule schedule;
    private final Stop stop;
    private final Pause pause;
    private final RunTiming timing;
    private final CountDownLatch ready;
    private final Gate go;
    private final Gate exit;

    /**
     * @param schedule null in a closed loop
     * @param reset makes used-up ids available again while all clients are paused
     */
    public RunSignals(
            Timeline timeline,
            NanoClock clock,
            @Nullable Schedule schedule,
            int clients,
            RunTiming timing,
            Runnable reset) {
        this.timeline = timeline;
        this.clock = clock;
        this.schedule = schedule;
        this.stop = new Stop(timeline, clock, timing);
        this.timing = timing;
        this.pause = new Pause(timeline, clock, timing.pausing(clients), start -> timing.pause(start, reset));
        this.ready = new CountDownLatch(clients);
        this.go = new Gate();
        this.exit = new Gate();
    }

    public Timeline timeline() {
        return timeline;
    }

    public NanoClock clock() {
        return clock;
    }

    /** Null in a closed loop. */
    public @Nullable Schedule schedule() {
        return schedule;
    }

    public Stop stop() {
        return stop;
    }

    public Pause pause() {
        return pause;
    }

    public RunTiming timing() {
        return timing;
    }

    /** Counted down by each client when it has connected. */
    CountDownLatch ready() {
        return ready;
    }

    /** Opens when the clients may begin. */
    public Gate go() {
        return go;
    }

    /**
     * Opens when no operation is in progress. Only then do the clients close their sessions, which takes the time of both client and
     * server, and would delay the last operations of the others.
     */
    public Gate exit() {
        return exit;
    }
}
