package io.pgstress.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM: asks the command to stop, and keeps the JVM alive until it has reported. A command that is done
 * by itself closes it. Thread-safe.
 */
final class Interruption implements AutoCloseable {
    /** What a report may take after all else. */
    private static final long LAST_WORD_SECONDS = 60;

    private final CountDownLatch done = new CountDownLatch(1);
    private volatile Runnable stop;
    private volatile long mostSeconds = LAST_WORD_SECONDS;
    private final Thread hook;

    Interruption(Runnable stop) {
        this.stop = stop;
        this.hook = new Thread(this::interrupted, "interruption");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** What stops the command from now on. */
    void stopsBy(Runnable newStop) {
        stop = newStop;
    }

    /** The report comes only after a time that the user has set, such as that of the drain. */
    void waitsLonger(Duration more) {
        mostSeconds = LAST_WORD_SECONDS + more.toSeconds();
    }

    private void interrupted() {
        stop.run();
        try {
            if (!done.await(mostSeconds, TimeUnit.SECONDS)) {
                System.err.println("stress: gave up waiting for the report");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        done.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is going down already: the hook runs and ends, as nothing is left to wait for
        }
    }
}
