package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Describes what a stopped run is waiting for. Thread-safe. */
final class Waiting {
    private final NanoClock clock;
    private volatile String stage = "the tables to be prepared";
    private volatile @Nullable Clients clients;
    private volatile long limit = Long.MAX_VALUE;

    Waiting(NanoClock clock) {
        this.clock = clock;
    }

    /** From now on the run waits for something other than operations. */
    void on(String newStage) {
        stage = newStage;
        clients = null;
        limit = Long.MAX_VALUE;
    }

    /** From now on the run waits for the operations of these clients. */
    void onOperations(Clients newClients) {
        clients = newClients;
    }

    /** The run waits for the operations until this time. */
    void until(long newLimit) {
        limit = newLimit;
    }

    /** E.g. {@code 4 operations}; empty if none is in progress. */
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
