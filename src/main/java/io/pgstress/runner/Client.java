package io.pgstress.runner;

import io.pgstress.dataset.SplitMix;
import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.plan.ThinkTime;
import io.pgstress.runner.Client.WeightedDraw;
import io.pgstress.runner.ClientSession.PlanCounts;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.PoolerErrors;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.loop.ClientThread;
import io.pgstress.target.loop.Gate;
import io.pgstress.target.loop.LoadThreads;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One client, with one session and one operation at a time, on a thread of its own. */
public final class Client implements Runnable {
    /** Maximum sleep, because the end of a phase may be moved forward while a client waits; see {@link Warmup}. */
    private static final long LONGEST_PARK_NANOS = Warmup.NOTICE_NANOS;

    private final RunSignals signals;
    private final ClientRules rules;
    private final Timeline timeline;
    private final Pause pause;

    /** Null in a closed loop. */
    private final @Nullable ScheduledStarts schedule;

    private final NanoClock clock;
    private final ClientSession session;
    private final ClientRecorder recorder;
    private final ClientOperation[] operations;
    private final WeightedDraw mix;
    private final Execution execution;
    private final @Nullable Thinking thinking;
    private final ClientThread thread;
    private final Gate go;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean ended;
    private boolean isConnected;
    private int operation;
    private long scheduled;
    private @Nullable Throwable failure;

    /**
     * What the clients of a run share.
     *
     * @param go opens when they may begin
     * @param threads run them
     */
    public record ClientGroup(RunSignals signals, Gate go, ClientRules rules, LoadThreads threads) {}

    public Client(
            ClientGroup group,
            ClientSession session,
            ClientRecorder recorder,
            ClientOperation[] operations,
            Draws draws) {
        RunSignals signals = group.signals();
        ClientRules rules = group.rules();
        this.signals = signals;
        this.go = group.go();
        this.rules = rules;
        this.timeline = signals.timeline();
        this.pause = signals.pause();
        Schedule open = signals.schedule();
        this.schedule = open == null ? null : new ScheduledStarts(open, signals, recorder);
        this.clock = signals.clock();
        this.session = session;
        this.recorder = recorder;
        this.operations = operations;
        this.mix = draws.operations();
        this.execution = new Execution(signals, rules, session, recorder, draws.retries());
        this.thinking =
                rules.think().nanos() == 0 ? null : new Thinking(rules.think(), draws.thoughts(), signals, recorder);
        this.thread = new ClientThread(this, group.threads());
    }

    @Override
    public void run() {
        boolean moves = false;
        try {
            enter();
            moves = work();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TargetException e) {
            failure = e;
            signals.stop().now(StopCause.TARGET_FAILED, String.valueOf(e.getMessage()));
        } catch (SQLException e) {
            failure = e;
            signals.stop().now(StopCause.CLIENT_FAILED, ServerErrors.sampleWithState(e));
        } catch (RuntimeException | Error e) {
            failure = e;
            signals.stop().now(StopCause.CLIENT_FAILED, e.toString());
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
            signals.ready().countDown();
            go.await();
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

    /**
     * What the current operation waits for, in words: a connection, the server's answer, or else the method that the client's thread
     * is in. Any thread may ask.
     */
    String waitsFor() {
        String missing = session.awaitedConnection();
        if (missing != null) {
            return missing;
        }
        StackTraceElement[] stack = thread.stack();
        return stack.length == 0 || DriverSession.awaitsAnswer(stack)
                ? "an answer of the server"
                : stack[0].getClassName() + "." + stack[0].getMethodName();
    }

    private void finish() {
        ended = true;
        signals.ready().countDown();
        recorder.flush();
        pause.leave();
        session.countPlans();
        try {
            if (failure == null) { // otherwise the session may hold locks, for which other clients wait
                signals.exit().await();
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
        if (thinking != null) {
            thinking.await();
        }
        if (pause.isRequested()) {
            pause.await();
            long now = clock.nanoTime();
            recorder.resume(now);
            if (now >= timeline.measureEnd()) {
                return false;
            }
        }
        int number = mix.next();
        ClientOperation next = operations[number];
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
        signals.stop().usedUp();
        return false;
    }

    private void runOnce(int number, ClientOperation next, boolean open, long due, long start)
            throws InterruptedException {
        operation = number;
        scheduled = due;
        execution.run(number, next, open, due, start);
    }

    private static void parkAtMost(long nanos, Object blocker) throws InterruptedException {
        LockSupport.parkNanos(blocker, Math.min(nanos, LONGEST_PARK_NANOS));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
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

    /**
     * Runs and records a client's operations: one after the other, each with its connection, commit and retries. Belongs to the client's
     * thread.
     */
    static final class Execution {
        private final ClientRules rules;
        private final boolean transaction;
        private final Timeline timeline;
        private final Stop stop;
        private final RunTiming timing;
        private final NanoClock clock;
        private final ClientSession session;
        private final ClientRecorder recorder;
        private final RetryDelay retryDelay;

        /** The errors of the current operation after which it was tried again. */
        private final List<SQLException> retried = new ArrayList<>();

        Execution(
                RunSignals signals,
                ClientRules rules,
                ClientSession session,
                ClientRecorder recorder,
                RetryDelay retryDelay) {
            this.rules = rules;
            this.transaction = rules.transaction();
            this.timeline = signals.timeline();
            this.stop = signals.stop();
            this.timing = signals.timing();
            this.clock = signals.clock();
            this.session = session;
            this.recorder = recorder;
            this.retryDelay = retryDelay;
        }

        /**
         * Runs the operation until it succeeds or finally fails.
         *
         * @param open whether the load is open
         * @param due its scheduled start, or its start in a closed loop
         */
        void run(int number, ClientOperation next, boolean open, long due, long start) throws InterruptedException {
            recorder.begin(start);
            long acquire = 0;
            int tries = 1;
            while (true) {
                try {
                    acquire += session.acquire();
                    if (!timing.mayBegin()) {
                        throw new InterruptedException("the run goes on without this host");
                    }
                    Ending ending = next.execute();
                    if (transaction) {
                        commit(number, next);
                    }
                    session.release();
                    long rows = ending == Ending.OK ? next.rows() : 0;
                    recorder.end(number, outcome(ending), open, due, start, acquire, clock.nanoTime(), rows, tries - 1);
                    recordRetries(number, due);
                    retryDelay.reset();
                    return;
                } catch (SQLException e) {
                    session.failed(e);
                    if (tries < rules.maxTries() && RetryDelay.isRetryable(e) && !timeline.drainIsOver()) {
                        retried.add(e);
                        retryDelay.beforeRetry(tries++);
                    } else {
                        recorder.end(number, Outcome.FAILED, open, due, start, acquire, clock.nanoTime(), 0, tries - 1);
                        recordRetries(number, due);
                        fail(number, due, e);
                        return;
                    }
                }
            }
        }

        private void recordRetries(int number, long due) {
            if (!retried.isEmpty()) {
                retried.forEach(e -> recorder.retried(number, due, ServerErrors.stateOf(e), session.messageOf(e)));
                retried.clear();
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
            String message = session.messageOf(e);
            recorder.error(number, due, state, message, ServerErrors.sessionIsAlive(e));
            if (PoolerErrors.isOfForeignSession(e, rules.sharesSessions())) {
                stop.now(StopCause.FOREIGN_SESSION, PoolerErrors.words(e));
            } else if (rules.stopOnError()) {
                stop.now(StopCause.FIRST_ERROR, state + ": " + message);
            } else if (!session.isAlive()) {
                retryDelay.beforeReconnect(clock, recorder);
            }
        }

        private static Outcome outcome(Ending ending) {
            return switch (ending) {
                case OK -> Outcome.OK;
                case MISS -> Outcome.MISS;
                case DUPLICATE -> Outcome.DUPLICATE;
            };
        }
    }

    /** The scheduled starts of an open loop that one client takes. Belongs to the client's thread. */
    static final class ScheduledStarts {
        private final Schedule schedule;
        private final Timeline timeline;
        private final NanoClock clock;
        private final ClientRecorder recorder;
        private long due;
        private long start;

        ScheduledStarts(Schedule schedule, RunSignals signals, ClientRecorder recorder) {
            this.schedule = schedule;
            this.timeline = signals.timeline();
            this.clock = signals.clock();
            this.recorder = recorder;
        }

        /** Takes the next scheduled start and waits until it is due; returns false if the measurement is over. */
        boolean await() throws InterruptedException {
            while (!timeline.drainIsOver()) {
                boolean isMeasured = clock.nanoTime() >= timeline.measureStart();
                due = isMeasured ? schedule.takeMeasured() : schedule.takeOfWarmup();
                waitUntil(due, isMeasured);
                start = clock.nanoTime();
                if (isMeasured || start < timeline.measureStart()) {
                    return isWithin();
                }
                if (due < timeline.measureStart()) { // the warm-up has ended, and with it its schedule
                    schedule.drop();
                }
            }
            return false;
        }

        /** Whether the start is within the measurement or the warm-up, if late too. */
        private boolean isWithin() {
            if (due >= timeline.measureEnd()) {
                return false;
            }
            if (start >= timeline.measureEnd() && due >= timeline.measureStart()) {
                schedule.late(1);
            }
            return true;
        }

        /** Waits for a scheduled start, or for the end of its phase if that is earlier. */
        private void waitUntil(long scheduled, boolean isMeasured) throws InterruptedException {
            while (true) {
                long until = Math.min(scheduled, isMeasured ? timeline.measureEnd() : timeline.measureStart());
                long left = until - clock.nanoTime();
                if (left <= 0) {
                    return;
                }
                recorder.idleUntil(until);
                parkAtMost(left, this);
            }
        }

        /** When the operation that was taken last is due, in the clock's nanoseconds. */
        long due() {
            return due;
        }

        /** When it can start: when its client had waited. */
        long start() {
            return start;
        }
    }

    /**
     * How each client of a run behaves.
     *
     * @param resets whether used-up ids can be made available again
     * @param transaction whether each operation is a transaction
     * @param maxTries maximum executions of an operation that fails with a serialization failure or a deadlock
     * @param stopOnError whether the first failed operation ends the run
     * @param sharesSessions whether a pooler assigns sessions to connections per transaction
     * @param think the pause between two operations
     */
    public record ClientRules(
            boolean resets,
            boolean transaction,
            int maxTries,
            boolean stopOnError,
            boolean sharesSessions,
            ThinkTime think) {}

    /** The pauses of one client between its operations. Belongs to the client's thread. */
    static final class Thinking {
        private final ThinkTime time;
        private final SplitMix random;
        private final Timeline timeline;
        private final Pause pause;
        private final NanoClock clock;
        private final ClientRecorder recorder;
        private boolean hasBegun;

        Thinking(ThinkTime time, SplitMix random, RunSignals signals, ClientRecorder recorder) {
            this.time = time;
            this.random = random;
            this.timeline = signals.timeline();
            this.pause = signals.pause();
            this.clock = signals.clock();
            this.recorder = recorder;
        }

        /** Waits as long as the client thinks, at most until the measurement is over or all clients are to pause. */
        void await() throws InterruptedException {
            long start = clock.nanoTime();
            long length = next();
            while (!pause.isRequested()) {
                long now = clock.nanoTime();
                long left = Math.min(length - (now - start), timeline.measureEnd() - now);
                if (left <= 0) {
                    return;
                }
                recorder.idleUntil(now + left);
                parkAtMost(left, this);
            }
        }

        /** The next length in nanoseconds. The first one is a part of it, so that clients do not start at once. */
        private long next() {
            double share = time.isExponential() ? -Math.log1p(-random.unit()) : hasBegun ? 1 : random.unit();
            hasBegun = true;
            return (long) (share * time.nanos());
        }
    }

    /**
     * What a client draws at random.
     *
     * @param operations the numbers of its operations
     * @param retries the delays before retries
     * @param thoughts the lengths of its pauses
     */
    public record Draws(WeightedDraw operations, RetryDelay retries, SplitMix thoughts) {
        /** Independent sequences for each client of a run. */
        public static Draws of(long seed, int client, int[] weights) {
            return new Draws(
                    new WeightedDraw(weights, new SplitMix(seed, 1_000_000L + client)),
                    new RetryDelay(new SplitMix(seed, 2_000_000L + client)),
                    new SplitMix(seed, 3_000_000L + client));
        }
    }

    /** Draws numbers from 0 by weight. Not thread-safe. */
    public static final class WeightedDraw {
        private final int[] upTo;
        private final SplitMix random;

        /** @param weights at least 1 each */
        public WeightedDraw(int[] weights, SplitMix random) {
            this.random = random;
            this.upTo = new int[weights.length];
            int sum = 0;
            for (int i = 0; i < weights.length; i++) {
                sum = Math.addExact(sum, weights[i]);
                upTo[i] = sum;
            }
        }

        public int next() {
            if (upTo.length == 1) {
                return 0;
            }
            int drawn = random.below(upTo[upTo.length - 1]);
            int i = 0;
            while (drawn >= upTo[i]) {
                i++;
            }
            return i;
        }
    }

    /**
     * The wait before a retry: the limit doubles each time, and the wait is random between half the limit and the
     * whole limit (equal jitter; Brooker: Exponential Backoff and Jitter, 2015). Not thread-safe.
     */
    public static final class RetryDelay {
        private static final int FIRST_RETRY_MICROS = 1_000;
        private static final int MAX_RETRY_MICROS = 100_000;
        private static final int FIRST_RECONNECT_MICROS = 50_000;
        private static final int MAX_RECONNECT_MICROS = 1_000_000;

        private final SplitMix random;
        private int lost;

        public RetryDelay(SplitMix random) {
            this.random = random;
        }

        /** Whether a retry of the operation may succeed: serialization failure, deadlock. */
        static boolean isRetryable(SQLException e) {
            return "40001".equals(e.getSQLState()) || "40P01".equals(e.getSQLState());
        }

        /** @param tries number of executions so far, at least 1 */
        void beforeRetry(int tries) throws InterruptedException {
            sleep(Math.min(MAX_RETRY_MICROS, FIRST_RETRY_MICROS << Math.min(tries - 1, 10)));
        }

        void beforeReconnect(NanoClock clock, ClientRecorder recorder) throws InterruptedException {
            int limit = Math.min(MAX_RECONNECT_MICROS, FIRST_RECONNECT_MICROS << Math.min(lost, 10));
            recorder.idleUntil(clock.nanoTime() + TimeUnit.MICROSECONDS.toNanos(limit));
            sleep(limit);
            recorder.triedUntil(clock.nanoTime());
            lost++;
        }

        /** Resets the delay after a success. */
        void reset() {
            lost = 0;
        }

        private void sleep(int micros) throws InterruptedException {
            int length = micros / 2 + random.below(micros / 2 + 1);
            Thread.sleep(length / 1000, length % 1000 * 1000);
        }
    }
}
