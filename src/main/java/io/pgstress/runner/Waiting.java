package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a run that was stopped still waits for, in words. Thread-safe. */
final class Waiting {
    private final NanoClock clock;
    private volatile String stage = "the tables to be prepared";
    private volatile @Nullable Clients clients;
    private volatile long limit = Long.MAX_VALUE;

    Waiting(NanoClock clock) {
        this.clock = clock;
    }

    /** The run waits for something other than operations from now on. */
    void on(String newStage) {
        stage = newStage;
        clients = null;
        limit = Long.MAX_VALUE;
    }

    /** The run waits for the operations of these clients from now on. */
    void onOperations(Clients newCrew) {
        clients = newCrew;
    }

    /** The run waits for the operations until this time. */
    void until(long newLimit) {
        limit = newLimit;
    }

    /** E.g. {@code 4 operations}; empty if none is under way. */
    String words() {
        Clients current = clients;
        if (current == null) {
            return stage;
        }
        int operations = current.inFlight();
        return operations == 0 ? "" : operations == 1 ? "1 operation" : operations + " operations";
    }

    /** E.g. {@code 28 s until the drain limit}; empty if there is no limit. */
    String atMost() {
        long end = limit;
        return end == Long.MAX_VALUE
                ? ""
                : TimeUnit.NANOSECONDS.toSeconds(Math.max(0, end - clock.nanoTime())) + " s until the drain limit";
    }
}
