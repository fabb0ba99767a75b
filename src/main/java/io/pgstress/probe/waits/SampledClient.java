package io.pgstress.probe.waits;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.OperationAt.RunningOperation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The client of a recorder, its last operations, and the samples of all servers for which it has not answered. */
final class SampledClient {
    /** Samples of several servers may be under way. */
    private static final int MAX_LATEST = 256;

    private static final int UNKNOWN = -1;

    /**
     * Sessions that samples keep for a client that does not answer; beyond it, every second sample is dropped, by its number: clients
     * that hang keep the same samples.
     */
    static final int MAX_OPEN_SESSIONS = 100_000;

    final ClientRecorder recorder;
    final List<SessionSample> open = new ArrayList<>();

    /** In order. Operations without an answer are one whose number is unknown. */
    private final ArrayDeque<RunningOperation> latest = new ArrayDeque<>();

    private int taken;
    private long every = 1;

    SampledClient(ClientRecorder recorder) {
        this.recorder = recorder;
    }

    void ask(long nanos) {
        resolve();
        if (recorder.operationAt().isFull()) {
            long end = latest.getLast().end();
            latest.add(new RunningOperation(0, UNKNOWN, false, end, end, nanos));
        }
        recorder.operationAt().ask(nanos);
        taken = 0;
    }

    void add(SessionSample sample, int max) {
        open.add(sample);
        if (open.size() > Math.max(2, max)) {
            every *= 2;
        }
        open.removeIf(kept -> {
            boolean isDropped = kept.number % every != 0;
            if (isDropped) {
                kept.answered();
            }
            return isDropped;
        });
    }

    /** Joins the samples with the operations that have ended since. */
    void resolve() {
        boolean isFull = recorder.operationAt().isFull();
        List<RunningOperation> answer = recorder.operationAt().answer();
        latest.addAll(answer.subList(taken, answer.size()));
        taken = answer.size();
        while (latest.size() > MAX_LATEST) {
            latest.removeFirst();
        }
        long until = isFull
                ? Long.MAX_VALUE
                : latest.isEmpty() ? Long.MIN_VALUE : latest.getLast().end();
        open.removeIf(sample -> sample.time.nanos() <= until && isJoined(sample));
        if (open.isEmpty()) {
            every = 1;
        }
    }

    /** Always true. */
    private boolean isJoined(SessionSample sample) {
        for (Iterator<RunningOperation> all = latest.descendingIterator(); all.hasNext(); ) {
            RunningOperation running = all.next();
            if (running.contains(sample.time.nanos()) && running.operation() != UNKNOWN) {
                sample.join(this, running);
            }
            if (running.contains(sample.time.nanos()) || running.end() < sample.time.nanos()) {
                break;
            }
        }
        sample.answered();
        return true;
    }
}
