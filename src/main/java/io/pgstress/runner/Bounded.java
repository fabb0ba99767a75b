package io.pgstress.runner;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks a server on a thread of its own and waits only so long: a server that is frozen must not hold up the run that
 * tells of it. What was not answered in time goes on in the background and is dropped with the process. Thread-safe.
 */
final class Bounded implements AutoCloseable {
    private final long seconds;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread daemon = new Thread(task, "server-watch");
        daemon.setDaemon(true);
        return daemon;
    });

    Bounded(long seconds) {
        this.seconds = seconds;
    }

    /** The answer, or {@code otherwise} where there is none in time. */
    <T> T ask(Callable<T> question, T otherwise) throws InterruptedException {
        Future<T> answer = thread.submit(question);
        try {
            return answer.get(seconds, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            return otherwise;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        }
    }

    /** Asks without waiting; a question that is still open is not asked again. */
    void tell(Runnable question) {
        thread.execute(question);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
