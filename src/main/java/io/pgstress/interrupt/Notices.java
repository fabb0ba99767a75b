package io.pgstress.interrupt;

import java.io.PrintStream;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Prints what an interrupted command is waiting for: in the last line of a terminal, otherwise one line per second.
 * Thread-safe.
 */
public final class Notices implements AutoCloseable {
    private static final String CLEAR = "\r\u001b[K";

    private final @Nullable PrintStream err;
    private final boolean isTerminal;
    private @Nullable ScheduledExecutorService clock;
    private boolean isShown;
    private boolean isClosed;

    /** @param isTerminal whether {@code err} is a terminal that supports ECMA-48 escape sequences */
    public Notices(PrintStream err, boolean isTerminal) {
        this(isTerminal, err);
    }

    private Notices(boolean isTerminal, @Nullable PrintStream err) {
        this.err = err;
        this.isTerminal = isTerminal;
    }

    static Notices none() {
        return new Notices(false, null);
    }

    /** Prints a line; on a terminal it replaces the status line. */
    synchronized void line(String text) {
        if (err != null) {
            err.print((isTerminal ? CLEAR : "") + text + System.lineSeparator());
            err.flush();
            isShown = false;
        }
    }

    /** Shows the text every second until closed, unless it is empty. */
    synchronized void everySecond(Supplier<String> text) {
        if (isClosed || err == null) {
            return;
        }
        clock = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread daemon = new Thread(task, "interruption");
            daemon.setDaemon(true);
            return daemon;
        });
        var unused = clock.scheduleAtFixedRate(() -> show(text.get()), 1, 1, TimeUnit.SECONDS);
    }

    private synchronized void show(String text) {
        if (text.isEmpty() || isClosed || err == null) {
            return;
        }
        err.print(isTerminal ? CLEAR + text : text + System.lineSeparator());
        err.flush();
        isShown = true;
    }

    /** Stops the display and leaves the cursor at the start of an empty line. */
    @Override
    public synchronized void close() {
        isClosed = true;
        if (clock != null) {
            clock.shutdownNow();
        }
        if (isShown && isTerminal && err != null) {
            err.print(CLEAR);
            err.flush();
        }
    }
}
