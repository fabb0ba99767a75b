package io.pgstress.target.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Several loops, over which threads are spread in turn. Thread-safe. */
public final class EventLoops implements ThreadFactory, AutoCloseable {
    private final List<EventLoop> loops = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    /**
     * @param count at least 1; more than the cores are of no use
     * @throws IllegalStateException where this JVM does not have {@link #areAvailable them}
     */
    public EventLoops(int count) {
        for (int i = 0; i < count; i++) {
            loops.add(new EventLoop(i));
        }
    }

    /** Whether this JVM lets virtual threads have a scheduler of ours, and they do not pin it in {@code synchronized}. */
    public static boolean areAvailable() {
        return VirtualThreads.areOurs();
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
