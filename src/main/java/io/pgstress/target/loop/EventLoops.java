package io.pgstress.target.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Several loops, over which threads are spread round-robin. Thread-safe. */
public final class EventLoops implements ThreadFactory, AutoCloseable {
    private final List<EventLoop> loops = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    /**
     * @param count at least 1; more loops than cores are useless
     * @param broke called if a loop fails, in which case its threads hang
     * @throws IllegalStateException if event loops are not {@link #areAvailable available}
     */
    public EventLoops(int count, Consumer<Throwable> broke) {
        try {
            for (int i = 0; i < count; i++) {
                EventLoop loop = new EventLoop(i, broke);
                loops.add(loop);
                loop.start();
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Whether this JVM accepts our scheduler for virtual threads, and they do not pin it in {@code synchronized}. */
    public static boolean areAvailable() {
        return VirtualThreads.areOurs();
    }

    /**
     * How long threads waited for their turn after their data had arrived, so far. If a loop polled without waiting, the data
     * counts as having arrived halfway between two polls.
     *
     * @return at index n the number of waits below 2^n nanoseconds and not below half of that
     */
    public long[] turnWaits() {
        long[] sum = new long[Long.SIZE];
        loops.forEach(loop -> loop.waits().addTo(sum));
        return sum;
    }

    @Override
    public Thread newThread(Runnable task) {
        return loops.get(next.getAndIncrement() % loops.size()).newThread(task);
    }

    /** Starts this task on a new thread of the calling thread's loop; does nothing and returns false if it has none. */
    public static boolean continueAnew(Runnable task) {
        EventLoop loop = EventLoop.current();
        if (loop != null) {
            loop.newThread(task).start();
        }
        return loop != null;
    }

    /** Ends each loop as soon as its threads have ended. */
    @Override
    public void close() {
        loops.forEach(EventLoop::close);
    }
}
