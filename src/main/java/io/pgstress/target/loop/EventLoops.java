package io.pgstress.target.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Several loops, over which threads are spread in turn. Thread-safe. */
public final class EventLoops implements ThreadFactory, AutoCloseable {
    private final List<EventLoop> loops = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    /**
     * @param count at least 1; more than the cores are of no use
     * @param broke told where a loop cannot go on: its threads stand still then
     * @throws IllegalStateException where this JVM does not have {@link #areAvailable them}
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

    /** Whether this JVM lets virtual threads have a scheduler of ours, and they do not pin it in {@code synchronized}. */
    public static boolean areAvailable() {
        return VirtualThreads.areOurs();
    }

    /**
     * How often threads waited how long for their turn once what they waited for had come, so far. Where a loop looked in passing, that
     * is taken as come in the middle between two looks.
     *
     * @return at place n the number of waits of less than 2 to the power of n nanoseconds, and not less than half of that
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

    /** Ends each loop as soon as its threads have ended. */
    @Override
    public void close() {
        loops.forEach(EventLoop::close);
    }
}
