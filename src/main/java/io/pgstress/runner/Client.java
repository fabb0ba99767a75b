package io.pgstress.runner;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.ClientOperation;
import io.pgstress.target.loop.ClientThread;
import io.pgstress.target.loop.LoadThreads;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One client, with one session and one operation at a time, on a thread of its own. */
public final class Client implements Runnable {
    private final Course course;
    private final ClientRules rules;
    private final Timeline timeline;
    private final Pause pause;
    private final @Nullable ScheduledStarts schedule;
    private final NanoClock clock;
    private final ClientSession session;
    private final ClientRecorder recorder;
    private final OperationMix mix;
    private final Execution execution;
    private final ClientThread thread;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean ended;
    private boolean isConnected;
    private int operation;
    private long scheduled;
    private @Nullable Throwable failure;

    public Client(
            Course course,
            ClientRules rules,
            ClientSession session,
            ClientRecorder recorder,
            OperationMix mix,
            RetryDelay retryDelay,
            LoadThreads threads) {
        this.course = course;
        this.rules = rules;
        this.timeline = course.timeline();
        this.pause = course.pause();
        this.schedule = ScheduledStarts.of(course);
        this.clock = course.clock();
        this.session = session;
        this.recorder = recorder;
        this.mix = mix;
        this.execution = new Execution(course, rules, session, recorder, retryDelay);
        this.thread = new ClientThread(this, threads);
    }

    @Override
    public void run() {
        boolean moves = false;
        try {
            enter();
            moves = work();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException | RuntimeException | Error e) {
            failure = e;
            course.stop().now(StopCause.CLIENT_FAILED, e.toString());
        } finally {
            if (!moves) {
                finish();
            }
        }
    }

    /** Connects and waits for the start, unless it has moved from another thread. */
    private void enter() throws SQLException, InterruptedException {
        thread.enter();
        if (!isConnected) {
            isConnected = true;
            session.connect();
            course.ready().countDown();
            course.go().await();
            recorder.resume(clock.nanoTime());
        }
    }

    /** Works until the client has finished (false) or continues on a new thread (true). */
    private boolean work() throws InterruptedException {
        while (step()) {
            if (thread.movesOn()) {
                return true;
            }
        }
        return false;
    }

    private void finish() {
        ended = true;
        course.ready().countDown();
        recorder.flush();
        pause.leave();
        session.countPlans();
        try {
            if (failure == null) { // otherwise the session may hold locks, for which other clients wait
                course.exit().await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            session.close();
            end.countDown();
        }
    }

    /** One operation, or a pause; returns false if the client has finished. */
    private boolean step() throws InterruptedException {
        if (pause.isRequested()) {
            pause.await();
            long now = clock.nanoTime();
            recorder.resume(now);
            if (now >= timeline.measureEnd()) {
                return false;
            }
        }
        int number = mix.next();
        ClientOperation next = mix.operation(number);
        if (!next.draw()) {
            return !next.isDone() && usedUp();
        }
        ScheduledStarts open = schedule;
        if (open != null) {
            return open.await() && runDue(open, number, next);
        }
        long start = clock.nanoTime();
        if (start >= timeline.measureEnd()) {
            return false;
        }
        runOnce(number, next, false, start, start);
        return true;
    }

    /** Runs when the scheduled start has come; returns false if that is after the drain. */
    private boolean runDue(ScheduledStarts open, int number, ClientOperation next) throws InterruptedException {
        if (timeline.drainIsOver()) {
            recorder.neverBegun(number, open.due(), open.start());
            return false;
        }
        runOnce(number, next, true, open.due(), open.start());
        return true;
    }

    /** Requests a pause or ends the run; returns whether to continue. */
    private boolean usedUp() {
        if (rules.resets() && schedule == null) {
            pause.request();
            return true;
        }
        course.stop().usedUp();
        return false;
    }

    private void runOnce(int number, ClientOperation next, boolean open, long due, long start)
            throws InterruptedException {
        operation = number;
        scheduled = due;
        execution.run(number, next, open, due, start);
    }

    /** Whether the thread has finished. */
    public boolean hasEnded() {
        return ended;
    }

    /** Whether it has its connection, or does not keep one. */
    boolean isConnected() {
        return session.isConnected();
    }

    public ClientRecorder recorder() {
        return recorder;
    }

    /** The number of the current operation; read it after its recorder's start, which publishes it. */
    public int operation() {
        return operation;
    }

    /** The scheduled start of the current operation; read it after its recorder's start, which publishes it. */
    public long scheduled() {
        return scheduled;
    }

    /** Asks the server to cancel this client's statement; waits until the server has accepted the request. */
    void cancel() {
        session.cancel();
    }

    /** Aborts the client's work by closing its socket. */
    public void abort() {
        session.abort();
    }

    /** Interrupts its thread; a client that has not started will find itself interrupted. */
    public void interrupt() {
        thread.interrupt();
    }

    /** Waits for at most this many milliseconds; returns whether it has ended and closed its session. */
    public boolean awaitEnd(long millis) throws InterruptedException {
        return end.await(millis, TimeUnit.MILLISECONDS);
    }

    /** How the session planned its statements; null if unknown. */
    public @Nullable PlanCounts planCounts() {
        return session.planCounts();
    }

    /** The failure that ended the client, if any; read it after its thread has ended. */
    public @Nullable Throwable failure() {
        return failure;
    }
}
