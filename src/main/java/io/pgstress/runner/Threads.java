package io.pgstress.runner;

import io.pgstress.plan.ClientThreads;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.RunSpec;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.loop.EventLoops;
import io.pgstress.target.loop.JdkThreads;
import io.pgstress.target.loop.LoadThreads;
import java.util.Locale;
import java.util.function.Consumer;

/** The choice of threads for the clients of a run. */
public final class Threads {
    /** Earlier virtual threads pin their carrier in {@code synchronized}, so {@code auto} does not choose them. */
    private static final int FIRST_WITHOUT_PINNING = 24;

    /** From this many clients per core on, event loops are as fast or faster: see docs/dev/performance.md. */
    static final int LOOP_CLIENTS_PER_CORE = 2;

    /** From this many clients per core on, virtual threads are, without event loops. */
    static final int VIRTUAL_CLIENTS_PER_CORE = 16;

    private Threads() {}

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
    public static LoadThreads of(RunSpec spec, HostShare share, Consumer<Throwable> broke) {
        return of(resolve(spec, share), Runtime.getRuntime().availableProcessors(), broke);
    }

    /**
     * Creates threads of this kind, which must not be {@link ClientThreads#AUTO}.
     *
     * @param cores number of event loops, at least 1
     * @param broke called if an event loop fails; its clients then stop
     * @throws TargetException if this JVM does not support the kind
     */
    public static LoadThreads of(ClientThreads kind, int cores, Consumer<Throwable> broke) {
        return switch (kind) {
            case LOOP -> loops(cores, broke);
            case VIRTUAL -> virtual();
            case PLATFORM -> JdkThreads.platform();
            case AUTO -> throw new IllegalArgumentException("not resolved");
        };
    }

    private static LoadThreads loops(int cores, Consumer<Throwable> broke) {
        if (!EventLoops.areAvailable()) {
            throw new TargetException("client-threads loop: this JVM, " + Runtime.version()
                    + ", has no custom schedulers for virtual threads; use `java -jar stress.jar` of JDK 24 or 25,"
                    + " or --client-threads virtual");
        }
        return new EventLoops(cores, broke);
    }

    private static LoadThreads virtual() {
        try {
            return JdkThreads.virtual();
        } catch (UnsupportedOperationException e) {
            throw new TargetException("client-threads virtual: " + e.getMessage(), e);
        }
    }
}
