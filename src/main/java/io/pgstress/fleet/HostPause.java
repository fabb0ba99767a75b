package io.pgstress.fleet;

import io.pgstress.measure.NanoClock;
import io.pgstress.runner.Conductor.Window;
import io.pgstress.target.driver.TargetException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/** A pause of this host's clients, which ends when the command says so. Thread-safe. */
final class HostPause {
    private static final Message.Resume OVER = new Message.Resume(0, 0);

    private final NanoClock clock;
    private final LongUnaryOperator ours;
    private volatile CompletableFuture<Message.Resume> resume = new CompletableFuture<>();
    private volatile boolean isStopped;

    /** @param ours converts a time of the command's clock to this one's */
    HostPause(NanoClock clock, LongUnaryOperator ours) {
        this.clock = clock;
        this.ours = ours;
    }

    /** The command has announced the end of the pause. */
    void resume(Message.Resume message) {
        resume.complete(message);
    }

    /** The load ends, and the current pause with it. */
    void stop() {
        isStopped = true;
        resume.complete(OVER);
    }

    /**
     * Waits for the end of the pause.
     *
     * @param from when the last client of this host stopped
     * @param reset forgets the ids that were drawn; not called if the load is over
     * @return the time to exclude
     */
    Window await(long from, Runnable reset) {
        if (isStopped) {
            return new Window(from, from);
        }
        try {
            Message.Resume agreed = resume.get();
            resume = new CompletableFuture<>();
            if (isStopped || agreed.equals(OVER)) { // nothing was reset
                return new Window(from, from);
            }
            reset.run();
            long end = ours.applyAsLong(agreed.end());
            TimeUnit.NANOSECONDS.sleep(end - clock.nanoTime());
            return new Window(ours.applyAsLong(agreed.start()), end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (isStopped) {
                return new Window(from, from);
            }
            throw new TargetException("interrupted while the ids were reset");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
