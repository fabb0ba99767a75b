package io.pgstress.interrupt;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts the signals of a command and acts on them. The first ends the current {@link Part}; the second aborts it, and ends the
 * process where the command does not do so itself soon; the third ends the process at once. Thread-safe.
 */
public final class Interruption {
    /** Signals' exit codes are 128 and the signal's number, as in a shell. */
    private static final int SIGNAL_CODES = 128;

    private final Notices notices;
    private final IntConsumer halt;
    private final Deque<Runnable> cleanups = new ArrayDeque<>();
    private Part part = Part.uninterruptible("the command to start", "nothing was done");
    private int signals;
    private int code;
    private boolean hasEnded;

    /** @param halt ends the process at once with an exit code */
    public Interruption(Notices notices, IntConsumer halt) {
        this.notices = notices;
        this.halt = halt;
    }

    /** An interruption that no signal reaches and that prints nothing: for commands inside another process. */
    public static Interruption none() {
        return new Interruption(Notices.none(), code -> {});
    }

    /** The command goes on to this part. An interrupt of the part before is cleared; a signal of before acts on the next at once. */
    public synchronized void enter(Part next) {
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
     * Ends the command between two parts where a signal has come.
     *
     * @throws InterruptedCommandException with what the current part keeps
     */
    public synchronized void check() {
        if (signals > 0) {
            throw new InterruptedCommandException(part.kept());
        }
    }

    /** What has to be done even where the command's own thread cannot; the last one added comes first. */
    public synchronized void atForcedEnd(Runnable cleanup) {
        cleanups.push(cleanup);
    }

    /** Whether a signal has come. */
    public synchronized boolean isRequested() {
        return signals > 0;
    }

    /** Whether a second signal has come. */
    public synchronized boolean isAborted() {
        return signals > 1;
    }

    /** What remains of the part that was interrupted, and how to continue. */
    public synchronized String kept() {
        return part.kept();
    }

    /** The exit code of an interrupted command, or else {@code otherwise}. */
    public synchronized int exitCode(int otherwise) {
        return signals == 0 ? otherwise : code;
    }

    /** A signal has come: {@code INT}, {@code TERM} or another. */
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

    /** In the lock, as what it stops must still be the current part: an interrupt must not reach the next one. */
    private void firstSignal(String again) {
        String waiting = part.waitingFor();
        notices.line("interrupted: " + (waiting.isEmpty() ? "ending" : "waiting for " + waiting) + "; " + again
                + " to abort");
        notices.everySecond(this::progress);
        part.stop();
    }

    private synchronized String progress() {
        String waiting = part.waitingFor();
        String most = part.atMost();
        return waiting.isEmpty() || signals > 1
                ? ""
                : "waiting for " + waiting + (most.isEmpty() ? "" : " (" + most + ")");
    }

    private void secondSignal() {
        notices.line("aborting");
        Part aborted = part;
        Thread watchdog = new Thread(() -> awaitEnd(aborted), "abort-watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
        part.abort();
    }

    private void awaitEnd(Part aborted) {
        Part waited = aborted;
        while (true) {
            try {
                Thread.sleep(waited.graceMillis());
            } catch (InterruptedException e) {
                return;
            }
            Part now = current();
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
    private synchronized @Nullable Part current() {
        return hasEnded ? null : part;
    }

    /** The command has printed its last word: signals are ignored from now on. Returns its exit code. */
    public synchronized int end(int otherwise) {
        hasEnded = true;
        notices.close();
        return exitCode(otherwise);
    }

    private void forceEnd(String how, boolean cleansUp) {
        notices.line("stress: " + how + "; " + kept() + " (exit code " + exitCode(0) + ")");
        if (cleansUp) {
            Deque<Runnable> all;
            synchronized (this) {
                all = new ArrayDeque<>(cleanups);
            }
            all.forEach(Runnable::run);
        }
        halt.accept(exitCode(0));
    }
}
