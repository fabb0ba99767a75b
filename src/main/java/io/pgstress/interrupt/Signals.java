package io.pgstress.interrupt;

import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Passes the process's signals to an {@link Interruption}. Shutdown hooks alone are not enough: they run once, so a second
 * Ctrl-C would go unnoticed, and the process might end before its last message. If the JVM does not release the signals ({@code -Xrs}), a shutdown hook handles the first signal
 * only.
 */
public final class Signals implements AutoCloseable {
    private static final List<String> NAMES = List.of("INT", "TERM", "HUP");
    private static final int TERM = 15;

    private final CountDownLatch done = new CountDownLatch(1);
    private final Interruption interruption;
    private final Thread hook;
    private volatile boolean isHandled;

    private Signals(Interruption interruption) {
        this.interruption = interruption;
        this.hook = new Thread(this::shutDown, "shutdown");
    }

    /** Handles the signals until closed. */
    public static Signals to(Interruption interruption) {
        Signals signals = new Signals(interruption);
        Runtime.getRuntime().addShutdownHook(signals.hook);
        NAMES.forEach(signals::handle);
        return signals;
    }

    private void handle(String name) {
        // if the JVM reserves this signal or the system lacks it, the shutdown hook is used
        boolean unused = SignalAction.on(name, number -> {
            isHandled = true;
            interruption.signal(name, number);
        });
    }

    /** Runs at JVM shutdown. The cause is a signal without a handler, because commands close this before they exit. */
    private void shutDown() {
        if (isHandled || done.getCount() == 0) {
            return;
        }
        interruption.signal("TERM", TERM);
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the process end, and ignores later signals. Call it after the command's last message. */
    @Override
    public void close() {
        done.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is already shutting down; the hook is released above
        }
    }
}
