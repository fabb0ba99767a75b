package io.pgstress.target.loop;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.atomic.AtomicInteger;

/** The JDK's own threads. Its public methods for virtual threads are called by reflection, because the code targets Java 17. */
public final class JdkThreads {
    /** What the names of clients' threads of the system begin with. */
    static final String NAME = "client-";

    private static final int STACK_BYTES = 256 * 1024;

    private JdkThreads() {}

    /** Threads of the operating system. */
    public static LoadThreads platform() {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(null, task, NAME + number.getAndIncrement(), STACK_BYTES);
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Virtual threads on the JDK's scheduler.
     *
     * @throws UnsupportedOperationException if this JVM has none
     */
    public static LoadThreads virtual() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return VirtualThreads.factory(builder)::newThread;
        } catch (NoSuchMethodException e) {
            throw new UnsupportedOperationException("this JVM has no virtual threads; use JDK 21 or newer", e);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("virtual threads of this JVM cannot be created", e);
        }
    }
}
