package io.pgstress.target.loop;

import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** The threads of one kind that clients run on. The defaults are those of threads that the system or the JDK schedules. Thread-safe. */
@FunctionalInterface
public interface LoadThreads extends ThreadFactory, AutoCloseable {
    /** Number of threads of ours over which clients are distributed in turn; 1 if the system or the JDK schedules them. */
    default int schedulers() {
        return 1;
    }

    /**
     * How long clients waited for their turn after their data had arrived, so far; null if unknown.
     *
     * @return at index n the number of waits below 2^n nanoseconds and not below half of that
     */
    default long @Nullable [] turnWaits() {
        return null;
    }

    /** How event loops wait for their clients' sockets, as named in results; null if there are none. */
    default @Nullable String polling() {
        return null;
    }

    /** Whether a thread of the system with this name runs clients. False if such threads run other work, too. */
    default boolean isOurs(String name) {
        return name.startsWith(JdkThreads.NAME);
    }

    /**
     * Starts a client's work on a new thread beside the calling one, which then has to end. Does nothing and returns false if a new
     * thread is no better than the old one.
     */
    default boolean continueAnew(Runnable client) {
        return false;
    }

    /** Lets the threads end when their tasks have ended. */
    @Override
    default void close() {}
}
