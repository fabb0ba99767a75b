package io.pgstress.target.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Several loops, over which threads are spread round-robin. Thread-safe. */
public final class EventLoops implements LoadThreads {
    static {
        startPollers();
    }

    /** Set to true, no loop uses an io_uring: to find out what that gains, or should it ever fail. */
    private static final String SELECTORS_ONLY = "pgstress.selectors";

    private final List<EventLoop> loops = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    /**
     * @param count at least 1; more loops than cores are useless
     * @param broke called if a loop fails, in which case its threads hang
     * @throws IllegalStateException if event loops are not {@link #areAvailable available}
     */
    public EventLoops(int count, Consumer<Throwable> broke) {
        this(
                count,
                Boolean.getBoolean(SELECTORS_ONLY) ? (ready, waits) -> new SelectorPolling(ready) : RingPolling::open,
                broke);
    }

    EventLoops(int count, Polling.Opener opener, Consumer<Throwable> broke) {
        try {
            for (int i = 0; i < count; i++) {
                EventLoop loop = new EventLoop(i, opener, broke);
                loops.add(loop);
                loop.start();
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * Starts the virtual threads by which the JDK wakes others that wait for a socket (JDK 21 to 25: sun.nio.ch.Poller). The JDK starts
     * them with the first wait, and a virtual thread has the scheduler of the one that creates it: those that a loop's thread started
     * would end with the loop, and later waits in this JVM would never end. The thread that makes the first loops is not virtual, which
     * gives them the JDK's scheduler.
     */
    private static void startPollers() {
        try {
            Class.forName("sun.nio.ch.Poller", true, null);
        } catch (ClassNotFoundException e) {
            // a JDK that wakes threads by other means
        }
    }

    /** Whether this JVM accepts our scheduler for virtual threads, and they do not pin it in {@code synchronized}. */
    public static boolean areAvailable() {
        return VirtualThreads.areOurs();
    }

    /** How the loops wait for their clients' sockets: {@code selector} or {@code io_uring}; both if they differ. */
    @Override
    public String polling() {
        return loops.stream().map(loop -> loop.polling().name()).distinct().collect(Collectors.joining(", "));
    }

    @Override
    public int schedulers() {
        return loops.size();
    }

    /** {@inheritDoc} If a loop polled without waiting, data it found counts as having arrived halfway between two polls. */
    @Override
    public long[] turnWaits() {
        long[] sum = new long[Long.SIZE];
        loops.forEach(loop -> loop.waits().addTo(sum));
        return sum;
    }

    @Override
    public boolean isOurs(String name) {
        return name.startsWith(EventLoop.NAME);
    }

    @Override
    public Thread newThread(Runnable task) {
        return loops.get(next.getAndIncrement() % loops.size()).newThread(task);
    }

    /** {@inheritDoc} The new thread is on the calling thread's loop. */
    @Override
    public boolean continueAnew(Runnable client) {
        EventLoop loop = EventLoop.current();
        if (loop != null) {
            loop.newThread(client).start();
        }
        return loop != null;
    }

    /** Ends each loop as soon as its threads have ended. */
    @Override
    public void close() {
        loops.forEach(EventLoop::close);
    }
}
