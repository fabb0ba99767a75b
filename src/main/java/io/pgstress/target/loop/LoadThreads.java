package io.pgstress.target.loop;

import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** The threads of one kind that clients run on. Thread-safe. */
public interface LoadThreads extends ThreadFactory, AutoCloseable {
    /** Number of threads of ours over which clients are distributed in turn; 1 if the system or the JDK schedules them. */
    int schedulers();

    /**
     * How long clients waited for their turn after their data had arrived, so far; null if unknown.
     *
     * @return at index n the number of waits below 2^n nanoseconds and not below half of that
     */
    long @Nullable [] turnWaits();

    /** Whether a thread of the system with this name runs clients. False if such threads run other work, too. */
    boolean isOurs(String name);

    /**
     * Starts a client's work on a new thread beside the calling one, which then has to end. Does nothing and returns false if a new
     * thread is no better than the old one.
     */
    boolean continueAnew(Runnable client);

    /** Lets the threads end when their tasks have ended. */
    @Override
    void close();
}
