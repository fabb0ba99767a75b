package io.pgstress.target.loop;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The JDK's own threads. Its public methods for virtual threads are called by reflection, because the code targets Java 17. */
public final class JdkThreads implements LoadThreads {
    private static final String NAME = "client-";
    private static final int STACK_BYTES = 256 * 1024;

    private final ThreadFactory factory;

    private JdkThreads(ThreadFactory factory) {
        this.factory = factory;
    }

    /** Threads of the operating system. */
    public static JdkThreads platform() {
        AtomicInteger number = new AtomicInteger();
        return new JdkThreads(task -> {
            Thread thread = new Thread(null, task, NAME + number.getAndIncrement(), STACK_BYTES);
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Virtual threads on the JDK's scheduler.
     *
     * @throws UnsupportedOperationException if this JVM has none
     */
    public static JdkThreads virtual() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return new JdkThreads(VirtualThreads.factory(builder));
        } catch (NoSuchMethodException e) {
            throw new UnsupportedOperationException("this JVM has no virtual threads; use JDK 21 or newer", e);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("virtual threads of this JVM cannot be created", e);
        }
    }

    @Override
    public Thread newThread(Runnable task) {
        return factory.newThread(task);
    }

    @Override
    public int schedulers() {
        return 1;
    }

    @Override
    public long @Nullable [] turnWaits() {
        return null;
    }

    @Override
    public boolean isOurs(String name) {
        return name.startsWith(NAME);
    }

    @Override
    public boolean continueAnew(Runnable client) {
        return false;
    }

    @Override
    public void close() {
        // the threads end by themselves
    }
}
