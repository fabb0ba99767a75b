package io.pgstress.runner;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Timeline;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RunResult;
import io.pgstress.target.loop.Daemons;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls the listener of a run, in order, on its own thread. Computing the figures of an interval takes about 15 ms,
 * but 0.5 to 3 s with 80 platform threads and as many server processes on two cores, which would delay the run's own
 * thread. Its methods belong to the run's thread.
 */
final class Announcer implements AutoCloseable {
    /** Clients flush what they recorded at the end of the first operation after an interval; after a long operation, earlier. */
    private static final long FLUSH_NANOS = ClientRecorder.LONG_NANOS;

    /** The latest intervals still get operations from slow clients and are not compressed. */
    private static final int OPEN_INTERVALS = 5;

    /** If this many intervals wait to be reported beyond those that are not complete yet, the next one is skipped. */
    private static final int MAX_WAITING = 3;

    private final RunListener listener;
    private final Timeline timeline;
    private final Intervals intervals;
    private final long flushNanos;
    private final int maxWaiting;
    private final boolean hasReader;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(Daemons.named("announcer"));
    private final ReentrantLock telling = new ReentrantLock();
    private final AtomicInteger waiting = new AtomicInteger();
    private final int[] packed = new int[Phase.values().length];
    private @Nullable IntervalData before;
    private volatile @Nullable Throwable failure;

    /**
     * @param intervalNanos length of the intervals
     * @param reportNanos time that other hosts need to report an interval that has ended
     */
    Announcer(RunListener listener, Timeline timeline, Intervals intervals, long intervalNanos, long reportNanos) {
        this.listener = listener;
        this.hasReader = !listener.equals(RunListener.NONE);
        this.timeline = timeline;
        this.intervals = intervals;
        this.flushNanos = FLUSH_NANOS + reportNanos;
        this.maxWaiting = MAX_WAITING + Math.toIntExact(reportNanos / intervalNanos);
    }

    void begins(Supplier<RunResult> known) {
        if (hasReader) {
            execute(() -> tell(() -> listener.begins(known.get())));
        }
    }

    void phase(Phase phase, double seconds) {
        execute(() -> tell(() -> listener.phase(phase, seconds)));
    }

    /** Reports it at once, even if intervals wait. Any thread may call this; after the end of the run it does nothing. */
    void warning(Remark remark) {
        if (!thread.isShutdown()) {
            guarded(() -> tell(() -> listener.warning(remark)));
        }
    }

    /** The listener is called by one thread at a time. */
    private void tell(Runnable news) {
        telling.lock();
        try {
            news.run();
        } finally {
            telling.unlock();
        }
    }

    void pool(String node, Supplier<Map<String, Number>> gauges) {
        execute(() -> tell(() -> listener.pool(node, gauges)));
    }

    /** Reports an interval that has ended, or skips it if too many others are waiting. */
    void over(IntervalData interval) {
        if (hasReader && waiting.get() < maxWaiting) {
            waiting.incrementAndGet();
            long flushed = System.nanoTime() + flushNanos;
            execute(() -> {
                LockSupport.parkNanos(flushed - System.nanoTime());
                report(interval);
                waiting.decrementAndGet();
            });
        }
        execute(() -> pack(interval.phase()));
    }

    private void report(IntervalData over) {
        IntervalResult result = result(over);
        tell(() -> listener.interval(result));
        IntervalData settled = before;
        if (settled != null) {
            tell(() -> listener.settled(settled.phase(), () -> result(settled)));
        }
        before = over;
    }

    private IntervalResult result(IntervalData interval) {
        return intervals.of(interval, intervals.length(interval));
    }

    private void pack(Phase phase) {
        List<IntervalData> past = timeline.intervals(phase);
        int from = packed[phase.ordinal()];
        int to = Math.max(from, past.size() - OPEN_INTERVALS);
        past.subList(from, to).forEach(IntervalData::pack);
        packed[phase.ordinal()] = to;
    }

    private void execute(Runnable news) {
        thread.execute(() -> guarded(news));
    }

    private void guarded(Runnable news) {
        try {
            news.run();
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    /**
     * Returns when everything has been reported.
     *
     * @throws IllegalStateException if the listener failed
     */
    void finish() throws InterruptedException {
        thread.shutdown();
        thread.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        if (failure != null) {
            throw new IllegalStateException("the run's listener failed", failure);
        }
    }

    /** Ends after the current report. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
