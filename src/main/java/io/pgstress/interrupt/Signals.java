package io.pgstress.interrupt;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

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

    /**
     * Handles the signals until closed. One that came before ends the process without a word, as it has done nothing yet: the hook, which
     * cannot know which signal it was, does not run.
     */
    public static Signals to(Interruption interruption) {
        Signals signals = new Signals(interruption);
        NAMES.forEach(signals::handle);
        try {
            Runtime.getRuntime().addShutdownHook(signals.hook);
        } catch (IllegalStateException e) {
            // the JVM is already shutting down
        }
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

    /**
     * What a signal to this process does. {@code sun.misc.Signal} is in the documented module {@code jdk.unsupported} (JEP 260). It
     * is called by reflection because javac's warning about it cannot be turned off and warnings fail the build.
     */
    public static final class SignalAction {
        private SignalAction() {}

        /**
         * Handles a signal from now on, in a thread of the JVM's; the handler before it is replaced.
         *
         * @param name the signal without {@code SIG}
         * @param action takes the signal's number
         * @return whether the signal can be handled here
         */
        public static boolean on(String name, IntConsumer action) {
            try {
                Class<?> signal = Class.forName("sun.misc.Signal");
                Class<?> handler = Class.forName("sun.misc.SignalHandler");
                Object own = signal.getConstructor(String.class).newInstance(name);
                int number = (int) signal.getMethod("getNumber").invoke(own);
                InvocationHandler calls = (proxy, method, arguments) -> switch (method.getName()) {
                    case "handle" -> {
                        action.accept(number);
                        yield null;
                    }
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "signal handler";
                };
                Object proxy =
                        Proxy.newProxyInstance(SignalAction.class.getClassLoader(), new Class<?>[] {handler}, calls);
                signal.getMethod("handle", signal, handler).invoke(null, own, proxy);
                return true;
            } catch (ReflectiveOperationException e) {
                return false; // the JVM reserves this signal, or the system lacks it
            }
        }
    }
}
