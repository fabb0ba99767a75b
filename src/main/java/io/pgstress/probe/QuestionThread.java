package io.pgstress.probe;

import io.pgstress.target.loop.Daemons;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A thread that asks one server or machine, with a time limit: a frozen server must not delay the run. A question not answered in
 * time continues in the background; until it ends, the run does not wait for other questions. Thread-safe.
 */
final class QuestionThread implements AutoCloseable {
    private static final long PROBE_SECONDS = 3;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The time limit after the user has aborted the run. */
    private static final long HURRIED_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final long seconds;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(Daemons.named("server-watch"));
    private volatile boolean isStuck;
    private volatile long hurriedAt = Long.MAX_VALUE;

    QuestionThread(long seconds) {
        this.seconds = seconds;
    }

    /** A question without an answer. */
    interface Task {
        void run() throws InterruptedException;
    }

    /** An open question. */
    final class Question<T> {
        private final Future<T> answer;
        private final long asked;
        private final long deadline;

        private Question(Callable<T> question, long mostSeconds) {
            asked = System.nanoTime();
            deadline = asked + TimeUnit.SECONDS.toNanos(mostSeconds);
            answer = thread.submit(question);
        }

        private T await() throws InterruptedException, ExecutionException, TimeoutException {
            long left = left();
            while (left > LOOK_NANOS) {
                try {
                    return answer.get(LOOK_NANOS, TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    left = left(); // shorter after hurry()
                }
            }
            return answer.get(left, TimeUnit.NANOSECONDS);
        }

        private long left() {
            long hurried = hurriedAt == Long.MAX_VALUE
                    ? Long.MAX_VALUE
                    : Math.max(hurriedAt, asked) + HURRIED_NANOS - System.nanoTime();
            return isStuck ? 0 : Math.max(0, Math.min(hurried, deadline - System.nanoTime()));
        }

        /** The answer, or {@code otherwise} if there was none in time. */
        T orElse(T otherwise) throws InterruptedException {
            try {
                return await();
            } catch (TimeoutException e) {
                answer.cancel(true);
                isStuck = true;
                thread.execute(() -> isStuck = false); // runs when the thread is free again
                return otherwise;
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException failure
                        ? failure
                        : new IllegalStateException(e.getCause());
            }
        }
    }

    /** From now on, waits only briefly for answers. */
    void hurry() {
        hurriedAt = System.nanoTime();
    }

    /** Asks a question; its time limit starts now. */
    <T> Question<T> begin(Callable<T> question) {
        return new Question<>(question, seconds);
    }

    /** Asks something that a working server answers immediately; await it before any later question. */
    Question<Boolean> probe(Callable<Boolean> question) {
        return new Question<>(question, PROBE_SECONDS);
    }

    /** Asks without waiting; does nothing if a question is still open. */
    void tell(Task task) {
        thread.execute(() -> {
            try {
                task.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // closed
            }
        });
    }

    /**
     * Asks without waiting, unless the previous question of this kind is still open.
     *
     * @param isOpen whether there is one
     */
    void tell(AtomicBoolean isOpen, Task task) {
        if (isOpen.compareAndSet(false, true)) {
            tell(() -> {
                try {
                    task.run();
                } finally {
                    isOpen.set(false);
                }
            });
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
