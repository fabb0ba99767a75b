package io.pgstress.interrupt;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the signals of a command and acts on them. The first ends the current {@link CommandPart}. A command that has not begun
 * with its first part is ended by it soon: it has done nothing yet, and may wait for something that cannot be interrupted, such as a
 * file that is a pipe without a writer. The second aborts it, and ends the
 * process if the command does not end in time; the third ends the process at once. Thread-safe.
 */
public final class Interruption {
    /** An exit code after a signal is 128 plus the signal's number, as in a shell. */
    private static final int SIGNAL_CODES = 128;

    private final Notices notices;
    private final IntConsumer halt;
    private final Deque<Runnable> cleanups = new ArrayDeque<>();
    private final List<Supplier<List<String>>> remains = new ArrayList<>();
    private final CommandPart start = CommandPart.uninterruptible("the command to start", "nothing was done");
    private CommandPart part = start;
    private int signals;
    private int code;
    private boolean hasEnded;

    /** @param halt ends the process at once with an exit code */
    public Interruption(Notices notices, IntConsumer halt) {
        this.notices = notices;
        this.halt = halt;
    }

    /** An interruption that receives no signal and prints nothing, for commands that run inside another process. */
    public static Interruption none() {
        return new Interruption(new Notices(null, false), code -> {});
    }

    /** Enters the next part. Clears an interrupt of the previous part; an earlier signal acts on the new part at once. */
    public synchronized void enter(CommandPart next) {
        boolean unused = Thread.interrupted();
        part = next;
        if (signals > 0) {
            next.stop();
        }
        if (signals > 1) {
            next.abort();
        }
    }

    /**
     * Ends the command between two parts if a signal was received.
     *
     * @throws InterruptedCommandException if so, with what the current part keeps
     */
    public synchronized void check() {
        if (signals > 0) {
            throw new InterruptedCommandException("interrupted; " + part.kept());
        }
    }

    /** Adds a cleanup to run if the process is ended by force; the last one added runs first. */
    public synchronized void atForcedEnd(Runnable cleanup) {
        cleanups.push(cleanup);
    }

    /** Adds what a command that is ended by force leaves behind, one line each, besides what its part says. */
    public synchronized void remains(Supplier<List<String>> what) {
        remains.add(what);
    }

    /** Whether a signal was received. */
    public synchronized boolean isRequested() {
        return signals > 0;
    }

    /** What remains of the part that was interrupted, and how to continue. */
    public synchronized String kept() {
        return part.kept();
    }

    /** The exit code of an interrupted command, or else {@code otherwise}. */
    public synchronized int exitCode(int otherwise) {
        return signals == 0 ? otherwise : code;
    }

    /** Handles a signal, such as {@code INT} or {@code TERM}. */
    public void signal(String name, int number) {
        synchronized (this) {
            if (hasEnded) {
                return;
            }
            signals++;
            if (signals == 1) {
                code = SIGNAL_CODES + number;
                firstSignal(name.equals("INT") ? "press Ctrl-C again" : "send SIG" + name + " again");
                return;
            }
            if (signals == 2) {
                secondSignal();
                return;
            }
        }
        forceEnd("ended at once", false);
    }

    /** Called under the lock, so that the part it stops is still the current one. */
    private void firstSignal(String again) {
        String waiting = part.waitingFor();
        notices.line("interrupted: " + (waiting.isEmpty() ? "ending" : "waiting for " + waiting) + "; " + again
                + " to abort");
        notices.everySecond(this::progress);
        part.stop();
        if (part.equals(start)) {
            watch("end-of-start", () -> awaitStart());
        }
    }

    private static void watch(String name, Runnable task) {
        Thread watchdog = new Thread(task, name);
        watchdog.setDaemon(true);
        watchdog.start();
    }

    private void awaitStart() {
        try {
            Thread.sleep(start.graceMillis());
        } catch (InterruptedException e) {
            return;
        }
        if (start.equals(current())) {
            forceEnd("interrupted", true);
        }
    }

    private synchronized String progress() {
        String waiting = part.waitingFor();
        String atMost = part.atMost();
        return waiting.isEmpty() || signals > 1
                ? ""
                : "waiting for " + waiting + (atMost.isEmpty() ? "" : " (" + atMost + ")");
    }

    private void secondSignal() {
        notices.line("aborting");
        CommandPart aborted = part;
        watch("abort-watchdog", () -> awaitEnd(aborted));
        part.abort();
    }

    private void awaitEnd(CommandPart aborted) {
        CommandPart waited = aborted;
        while (true) {
            try {
                Thread.sleep(waited.graceMillis());
            } catch (InterruptedException e) {
                return;
            }
            CommandPart now = current();
            if (now == null) {
                return;
            }
            if (now.equals(waited)) {
                forceEnd("aborted", true);
                return;
            }
            waited = now;
        }
    }

    /** Null once the command has ended. */
    private synchronized @Nullable CommandPart current() {
        return hasEnded ? null : part;
    }

    /** Ignores signals from now on, and returns the exit code. Call it after the command's last message. */
    public synchronized int end(int otherwise) {
        hasEnded = true;
        notices.close();
        return exitCode(otherwise);
    }

    private void forceEnd(String how, boolean cleansUp) {
        notices.line("stress: " + how + "; " + kept() + " (exit code " + exitCode(0) + ")");
        List<Supplier<List<String>>> left;
        synchronized (this) {
            left = List.copyOf(remains);
        }
        left.forEach(each -> each.get().forEach(line -> notices.line("stress: " + line)));
        if (cleansUp) {
            Deque<Runnable> all;
            synchronized (this) {
                all = new ArrayDeque<>(cleanups);
            }
            all.forEach(Runnable::run);
        }
        halt.accept(exitCode(0));
    }

    /** Thrown when a signal ends a command between two of its parts. */
    public static final class InterruptedCommandException extends RuntimeException {
        private static final long serialVersionUID = 1;

        /** @param line says that the command was interrupted, what remains, and how to continue */
        public InterruptedCommandException(String line) {
            super(line);
        }
    }

    /**
     * Prints what an interrupted command is waiting for: in the last line of a terminal, otherwise one line per second.
     * Thread-safe.
     */
    public static final class Notices implements AutoCloseable {
        private static final String CLEAR = "\r\u001b[K";

        private final @Nullable PrintStream err;
        private final boolean isTerminal;
        private @Nullable ScheduledExecutorService clock;
        private boolean isShown;
        private boolean isClosed;

        /**
         * @param err null: prints nothing
         * @param isTerminal whether {@code err} is a terminal that supports ECMA-48 escape sequences
         */
        public Notices(@Nullable PrintStream err, boolean isTerminal) {
            this.err = err;
            this.isTerminal = isTerminal;
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

        synchronized void show(String text) {
            if (text.isEmpty() || isClosed || err == null) {
                return;
            }
            err.print(isTerminal ? CLEAR + text : text + System.lineSeparator());
            err.flush();
            isShown = true;
        }

        /** Leaves the cursor at the start of an empty line, until the next second. */
        private synchronized void clear() {
            if (isShown && isTerminal && err != null) {
                err.print(CLEAR);
                err.flush();
                isShown = false;
            }
        }

        /** What is written to the returned stream begins in an empty line, also if a status line is shown: that is cleared first. */
        public OutputStream clearedFor(OutputStream to) {
            return new FilterOutputStream(to) {
                @Override
                public void write(int b) throws IOException {
                    clear();
                    out.write(b);
                }

                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    clear();
                    out.write(bytes, from, length);
                }

                /** A {@link PrintStream} throws nothing: what it could not write would be lost without a word. */
                @Override
                public void flush() throws IOException {
                    if (out instanceof PrintStream printed && printed.checkError()) {
                        throw new IOException("not all of it could be written");
                    }
                    out.flush();
                }
            };
        }

        /** Stops the display and leaves the cursor at the start of an empty line. */
        @Override
        public synchronized void close() {
            isClosed = true;
            if (clock != null) {
                clock.shutdownNow();
            }
            clear();
        }
    }
}
