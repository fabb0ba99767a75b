package io.pgstress.runner.client;

import io.pgstress.plan.ClientThreads;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.RunSpec;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.loop.EventLoops;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads that clients run on. Virtual threads are accessed by method handles, because the code targets Java 17. Before
 * JDK 24 they pin their carrier in {@code synchronized}, so {@code auto} does not choose them there.
 */
public final class Threads implements ThreadFactory, AutoCloseable {
    private static final int FIRST_WITHOUT_PINNING = 24;

    /** From this many clients per core on, event loops are as fast or faster: see docs/performance.md. */
    static final int LOOP_CLIENTS_PER_CORE = 2;

    /** From this many clients per core on, virtual threads are, without event loops. */
    static final int VIRTUAL_CLIENTS_PER_CORE = 16;

    private final ThreadFactory factory;
    private final int schedulers;
    private final @Nullable EventLoops loops;

    private Threads(ThreadFactory factory, int schedulers, @Nullable EventLoops loops) {
        this.factory = factory;
        this.schedulers = schedulers;
        this.loops = loops;
    }

    /** The kind to use here; never {@link ClientThreads#AUTO}. */
    static ClientThreads resolve(
            ClientThreads asked, int clients, int cores, int javaVersion, boolean areLoopsAvailable) {
        if (asked != ClientThreads.AUTO) {
            return asked;
        }
        if (areLoopsAvailable && clients >= cores * LOOP_CLIENTS_PER_CORE) {
            return ClientThreads.LOOP;
        }
        return javaVersion >= FIRST_WITHOUT_PINNING && clients >= cores * VIRTUAL_CLIENTS_PER_CORE
                ? ClientThreads.VIRTUAL
                : ClientThreads.PLATFORM;
    }

    private static ClientThreads resolve(RunSpec spec, HostShare share) {
        return resolve(
                spec.clientThreads(),
                (share.allClients() + share.hosts() - 1) / share.hosts(), // the same on all hosts
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature(),
                EventLoops.areAvailable());
    }

    /** The kind of client threads that such a run uses here, as named in results. */
    public static String name(RunSpec spec, HostShare share) {
        return resolve(spec, share).name().toLowerCase(Locale.ROOT);
    }

    /** Creates threads for the clients of a run. */
    public static Threads of(RunSpec spec, HostShare share, Consumer<Throwable> broke) {
        return of(resolve(spec, share), Runtime.getRuntime().availableProcessors(), broke);
    }

    /**
     * Creates threads of this kind, which must not be {@link ClientThreads#AUTO}.
     *
     * @param cores number of event loops, at least 1
     * @param broke called if an event loop fails; its clients then stop
     * @throws TargetException if this JVM does not support the kind
     */
    public static Threads of(ClientThreads kind, int cores, Consumer<Throwable> broke) {
        return switch (kind) {
            case LOOP -> loops(cores, broke);
            case VIRTUAL -> new Threads(virtual(), 1, null);
            case PLATFORM -> new Threads(platform(), 1, null);
            case AUTO -> throw new IllegalArgumentException("not resolved");
        };
    }

    private static Threads loops(int cores, Consumer<Throwable> broke) {
        if (!EventLoops.areAvailable()) {
            throw new TargetException("client-threads loop: this JVM, " + Runtime.version()
                    + ", has no custom schedulers for virtual threads; use `java -jar stress.jar` of JDK 24 or 25,"
                    + " or --client-threads virtual");
        }
        EventLoops loops = new EventLoops(cores, broke);
        return new Threads(loops, cores, loops);
    }

    /** Number of event loops over which threads are distributed in turn; 1 if the system or the JDK schedules them. */
    public int schedulers() {
        return schedulers;
    }

    /** See {@link EventLoops#turnWaits}; null if clients have no event loops. */
    public long @Nullable [] turnWaits() {
        return loops == null ? null : loops.turnWaits();
    }

    @Override
    public Thread newThread(Runnable task) {
        return factory.newThread(task);
    }

    /** Event loops end when their threads have ended. */
    @Override
    public void close() {
        if (loops != null) {
            loops.close();
        }
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
            throw new TargetException("this JVM has no virtual threads; use JDK 21 or newer", e);
        }
    }
}
