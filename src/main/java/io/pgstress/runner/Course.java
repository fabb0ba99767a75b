package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.target.loop.Gate;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The clock, phases and signals shared by the clients of a run and its thread. Thread-safe. */
public final class Course {
    private final Timeline timeline;
    private final NanoClock clock;
    private final @Nullable Schedule schedule;
    private final Stop stop;
    private final Pause pause;
    private final Conductor conductor;
    private final CountDownLatch ready;
    private final Gate go;
    private final Gate exit;

    /**
     * @param schedule null in a closed load
     * @param reset makes used-up ids available again while all clients are paused
     */
    public Course(
            Timeline timeline,
            NanoClock clock,
            @Nullable Schedule schedule,
            int clients,
            Conductor conductor,
            Runnable reset) {
        this.timeline = timeline;
        this.clock = clock;
        this.schedule = schedule;
        this.stop = new Stop(timeline, clock, conductor);
        this.conductor = conductor;
        this.pause = new Pause(timeline, clock, conductor.pausing(clients), start -> conductor.pause(start, reset));
        this.ready = new CountDownLatch(clients);
        this.go = new Gate();
        this.exit = new Gate();
    }

    private Course(Course other, Gate go) {
        this.timeline = other.timeline;
        this.clock = other.clock;
        this.schedule = other.schedule;
        this.stop = other.stop;
        this.pause = other.pause;
        this.conductor = other.conductor;
        this.ready = other.ready;
        this.go = go;
        this.exit = other.exit;
    }

    /** The same for clients that begin when this gate opens. */
    Course with(Gate gate) {
        return new Course(this, gate);
    }

    public Timeline timeline() {
        return timeline;
    }

    public NanoClock clock() {
        return clock;
    }

    /** Null in a closed load. */
    public @Nullable Schedule schedule() {
        return schedule;
    }

    public Stop stop() {
        return stop;
    }

    public Pause pause() {
        return pause;
    }

    public Conductor conductor() {
        return conductor;
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
