package io.pgstress.runner.client;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Ending;
import io.pgstress.target.driver.PoolerErrors;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.loop.LoadThreads;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One client, with one session and one operation at a time, on a thread of its own. */
public final class Client implements Runnable {
    /** Maximum sleep, because the end of a phase may be moved forward while a client waits; see {@link Warmup}. */
    private static final long LONGEST_PARK_NANOS = Warmup.NOTICE_NANOS;

    /**
     * On an event loop, a client continues on a new thread after this many operations, and then after three times as many each time.
     * What is at the bottom of a thread's stack was entered before it was compiled, and stays interpreted as long as the thread
     * lives. To switch between such threads takes the JVM several times as long (HotSpot's {@code Thaw::thaw_slow}).
     */
    private static final long FIRST_MOVE = 100;

    private static final int MOVE_FACTOR = 3;

    private final Course course;
    private final ClientRules rules;
    private final Timeline timeline;
    private final Pause pause;
    private final @Nullable Schedule schedule;
    private final boolean transaction;
    private final NanoClock clock;
    private final ClientSession session;
    private final ClientRecorder recorder;
    private final OperationMix mix;
    private final RetryDelay retryDelay;
    private final LoadThreads threads;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean ended;
    private boolean isConnected;
    private @Nullable Thread thread;
    private boolean isInterrupted;
    private long lastMove = FIRST_MOVE;
    private long untilMove = FIRST_MOVE;
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
        this.schedule = course.schedule();
        this.transaction = rules.transaction();
        this.clock = course.clock();
        this.session = session;
        this.recorder = recorder;
        this.mix = mix;
        this.retryDelay = retryDelay;
        this.threads = threads;
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
        synchronized (this) {
            thread = Thread.currentThread();
            if (isInterrupted) {
                thread.interrupt();
            }
        }
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
            if (--untilMove == 0) {
                lastMove *= MOVE_FACTOR;
                untilMove = lastMove;
                if (threads.continueAnew(this)) {
                    return true;
                }
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
        session.close();
        end.countDown();
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
        Schedule open = schedule;
        if (open != null) {
            return runDue(open, number, next);
        }
        long start = clock.nanoTime();
        if (start >= timeline.measureEnd()) {
            return false;
        }
        runOnce(number, next, false, start, start);
        return true;
    }

    /** Takes the next scheduled start and runs when it is due; returns false if the measurement is over. */
    private boolean runDue(Schedule open, int number, ClientOperation next) throws InterruptedException {
        while (!timeline.drainIsOver()) {
            boolean isMeasured = clock.nanoTime() >= timeline.measureStart();
            long due = isMeasured ? open.takeMeasured() : open.takeOfWarmup();
            waitUntil(due, isMeasured);
            long start = clock.nanoTime();
            if (!isMeasured && start >= timeline.measureStart()) {
                if (due < timeline.measureStart()) {
                    open.drop();
                }
                continue; // the warm-up has ended, and with it its schedule
            }
            return due < timeline.measureEnd() && runTaken(open, number, next, due, start);
        }
        return false;
    }

    private boolean runTaken(Schedule open, int number, ClientOperation next, long due, long start)
            throws InterruptedException {
        if (start >= timeline.measureEnd() && due >= timeline.measureStart()) {
            open.late(1);
        }
        if (timeline.drainIsOver()) {
            recorder.neverBegun(number, due, start);
            return false;
        }
        runOnce(number, next, true, due, start);
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

    /** Waits for a scheduled start, or for the end of its phase if that is earlier. */
    private void waitUntil(long due, boolean isMeasured) throws InterruptedException {
        while (true) {
            long until = Math.min(due, isMeasured ? timeline.measureEnd() : timeline.measureStart());
            long left = until - clock.nanoTime();
            if (left <= 0) {
                return;
            }
            LockSupport.parkNanos(this, Math.min(left, LONGEST_PARK_NANOS));
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    private void runOnce(int number, ClientOperation next, boolean open, long due, long start)
            throws InterruptedException {
        operation = number;
        scheduled = due;
        recorder.begin(start);
        long acquire = 0;
        int tries = 1;
        while (true) {
            try {
                acquire += session.acquire();
                Ending ending = next.execute();
                if (transaction) {
                    commit(number, next);
                }
                session.release();
                long rows = ending == Ending.OK ? next.rows() : 0;
                recorder.end(number, outcome(ending), open, due, start, acquire, clock.nanoTime(), rows, tries - 1);
                retryDelay.reset();
                return;
            } catch (SQLException e) {
                session.failed(e);
                if (tries < rules.maxTries() && RetryDelay.isRetryable(e) && !timeline.drainIsOver()) {
                    retryDelay.beforeRetry(tries++);
                } else {
                    recorder.end(number, Outcome.FAILED, open, due, start, acquire, clock.nanoTime(), 0, tries - 1);
                    fail(number, due, e);
                    return;
                }
            }
        }
    }

    private void commit(int number, ClientOperation operation) throws SQLException {
        try {
            session.commit(number);
        } catch (SQLException e) {
            operation.notCommitted(e);
            throw e;
        }
        operation.committed();
    }

    private void fail(int number, long due, SQLException e) throws InterruptedException {
        if (timeline.drainIsOver()) {
            return;
        }
        String state = ServerErrors.stateOf(e);
        recorder.error(number, due, state, ServerErrors.sampleOf(e));
        if (PoolerErrors.isOfForeignSession(e, rules.sharesSessions())) {
            course.stop().now(StopCause.FOREIGN_SESSION, PoolerErrors.words(e));
        } else if (rules.stopOnError()) {
            course.stop().now(StopCause.FIRST_ERROR, state + ": " + ServerErrors.sampleOf(e));
        } else if (!session.isAlive()) {
            retryDelay.beforeReconnect();
        }
    }

    private static Outcome outcome(Ending ending) {
        return switch (ending) {
            case OK -> Outcome.OK;
            case MISS -> Outcome.MISS;
            case DUPLICATE -> Outcome.DUPLICATE;
        };
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
    public synchronized void interrupt() {
        isInterrupted = true;
        if (thread != null) {
            thread.interrupt();
        }
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
