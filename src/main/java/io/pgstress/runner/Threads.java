package io.pgstress.runner;

import io.pgstress.plan.ClientThreads;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that clients run on. Virtual threads are reached by method handle, as the code is built for Java 17; before
 * JDK 24 they pin their carrier in {@code synchronized}, so {@code auto} leaves them alone there.
 */
final class Threads {
    private static final int FIRST_WITHOUT_PINNING = 24;

    /** From this many clients a core on, virtual threads are the faster ones: see docs/performance.md. */
    static final int CLIENTS_PER_CORE = 16;

    private Threads() {}

    /** What the request comes to here: {@link ClientThreads#PLATFORM} or {@link ClientThreads#VIRTUAL}. */
    static ClientThreads resolve(ClientThreads asked, int clients, int cores, int javaVersion) {
        if (asked != ClientThreads.AUTO) {
            return asked;
        }
        return javaVersion >= FIRST_WITHOUT_PINNING && clients >= cores * CLIENTS_PER_CORE
                ? ClientThreads.VIRTUAL
                : ClientThreads.PLATFORM;
    }

    /**
     * Makes threads of this kind, not {@link ClientThreads#AUTO}.
     *
     * @throws IllegalStateException where this JVM has no virtual threads
     */
    static ThreadFactory factory(ClientThreads kind) {
        return kind == ClientThreads.VIRTUAL ? virtual() : platform();
    }

    private static ThreadFactory platform() {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(null, task, "client-" + number.getAndIncrement(), 256 * 1024);
            thread.setDaemon(true);
            return thread;
        };
    }

    private static ThreadFactory virtual() {
        try {
            Class<?> builder = Class.forName("java.lang.Thread$Builder$OfVirtual");
            Class<?> builderInterface = Class.forName("java.lang.Thread$Builder");
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodHandle ofVirtual = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(builder));
            MethodHandle factory =
                    lookup.findVirtual(builderInterface, "factory", MethodType.methodType(ThreadFactory.class));
            return (ThreadFactory) factory.invoke(ofVirtual.invoke());
        } catch (Throwable e) {
            throw new IllegalStateException("this JVM has no virtual threads: JDK 21 or newer has", e);
        }
    }
}
