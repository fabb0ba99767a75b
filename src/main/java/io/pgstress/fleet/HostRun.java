package io.pgstress.fleet;

import io.pgstress.dataset.Keys;
import io.pgstress.fleet.HostReports.Acknowledged;
import io.pgstress.fleet.Message.Handlers;
import io.pgstress.measure.NanoClock;
import io.pgstress.plan.HostShare;
import io.pgstress.result.RunResult;
import io.pgstress.runner.Clients;
import io.pgstress.runner.Coordination;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.runner.RunTiming.Window;
import io.pgstress.runner.Runner;
import io.pgstress.runner.Stop;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.target.Target;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.loop.LoadThreads;
import io.pgstress.verdict.LongTimes.Suspect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An agent's part of a test: follows the command, and sends it what was recorded. The run's thread calls the methods of
 * {@link Coordination}, the group's thread {@link #received}.
 */
public final class HostRun implements Coordination {
    /** An agent that hears nothing from its command for this long ends its load, which so stops within 10 s. */
    static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(8);

    /** The run prepares the load this long before its start. */
    private static final long READY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long UNKNOWN = Long.MIN_VALUE;

    private static final Handlers<HostRun> HANDLERS = new Handlers<HostRun>()
            .on(Message.Pong.class, (run, pong) -> run.commandClock.answered(pong))
            .on(Message.Start.class, (run, start) -> run.start.complete(start.origin()))
            .on(Message.Lease.class, (run, lease) -> run.leased = Math.max(run.leased, lease.from()))
            .on(Message.Measure.class, (run, measure) -> run.sinceOrigin = measure.sinceOrigin())
            .on(Message.Pause.class, (run, pause) -> run.pauseClients(pause.number()))
            .on(Message.Resume.class, (run, resume) -> run.pause.resume(resume))
            .on(Message.Stop.class, HostRun::stop);

    /** The run's state and what is sent of it; known before its clients connect. */
    private record Started(RunContext run, HostReports reports) {}

    private final Message.Work work;
    private final ProbeFactory probes;
    private final Consumer<Message> send;
    private final NanoClock clock;
    private final CommandClock commandClock;
    private final HostPause pause;
    private final CompletableFuture<Long> start = new CompletableFuture<>();
    private volatile long heard;
    private volatile long leased = UNKNOWN;
    private volatile boolean hasLapsed;
    private volatile long sinceOrigin = UNKNOWN;
    private volatile long measureEnd = UNKNOWN;
    private volatile boolean isWarm;
    private volatile @Nullable Started started;
    private volatile @Nullable Runner runner;
    private volatile StopCause stopped = StopCause.ABANDONED;
    private volatile boolean isStopped;
    private volatile boolean isAborted;
    private volatile List<Suspect> stalls = List.of();

    /**
     * @param probes creates the probes of this host
     * @param send sends a message to the command
     */
    HostRun(Message.Work work, ProbeFactory probes, Consumer<Message> send, NanoClock clock) {
        this.work = work;
        this.probes = probes;
        this.clock = clock;
        this.send = send;
        this.commandClock = new CommandClock(clock, send);
        this.pause = new HostPause(clock, commandClock::ours);
        this.heard = clock.nanoTime();
    }

    /** Registers the runner, so that the command can stop it. */
    public void runs(Runner itsRunner) {
        runner = itsRunner;
        if (isStopped) {
            stop(stopped, isAborted);
        }
    }

    @Override
    public List<Probe> probes(RunContext run, LoadThreads threads) {
        List<Probe> all = new ArrayList<>(probes.create(run, threads));
        all.add(findings -> stalls = findings.evidence().suspectsOfClient());
        return all;
    }

    @Override
    public Clients clients(RunContext run, LoadThreads threads) {
        Clients own = Coordination.super.clients(run, threads);
        HostReports reports = new HostReports(
                new HostReports.HostLoad(
                        work.nodes(),
                        run.timeline(),
                        run.extras(),
                        Acknowledged.of(run.operations()),
                        own,
                        run.spec().phases().warmupExecutions()),
                send);
        started = new Started(run, reports);
        return own;
    }

    private Started started() {
        Started known = started;
        if (known == null) {
            throw new IllegalStateException("the run has not begun");
        }
        return known;
    }

    /** Handles a message of the command; returns at once. */
    void received(Message message) {
        heard = clock.nanoTime();
        HANDLERS.handle(this, message);
    }

    private void pauseClients(int number) {
        Started known = started;
        if (known != null) {
            known.run().signals().pause().request(number);
        }
    }

    private void stop(Message.Stop message) {
        if (!message.isNow()) {
            measureEnd = commandClock.ours(message.at());
        }
        stop(StopCause.INTERRUPTED, message.isNow());
    }

    /** Ends the load. */
    void stop(StopCause cause, boolean isNow) {
        stopped = cause;
        isAborted |= isNow;
        isStopped = true;
        start.completeExceptionally(new TargetException("stopped by the command"));
        Runner current = runner;
        if (current != null) {
            current.stop(cause);
            if (isNow) {
                current.abort();
            }
        }
        pause.stop();
    }

    /** Whether the load has to end because nothing was heard of the command, or the command has heard nothing of this host. */
    boolean isCommandSilent() {
        return !isStopped && (clock.nanoTime() - heard > MAX_SILENCE_NANOS || (hasStarted() && !isLeased()));
    }

    private boolean isLeased() {
        long from = leased;
        return from != UNKNOWN && clock.nanoTime() - commandClock.ours(from) <= Message.Lease.NANOS;
    }

    /** After its lease, the command takes this host for lost, and checks what it has written. */
    @Override
    public boolean mayBegin() {
        boolean isLeased = isLeased();
        if (!isLeased) {
            hasLapsed = true;
        }
        return isLeased && !isAborted;
    }

    /** From now on, its clients begin no operation. */
    void beginNoMore() {
        isAborted = true;
    }

    /** Called twice a second: sends how far the run has come, and what was recorded, and asks for the command's clock. */
    void report() {
        Started known = started;
        if (known == null || !hasStarted()) {
            send.accept(new Message.Beat());
        } else {
            known.reports().progress(clock.nanoTime(), isWarm);
            commandClock.ask();
        }
    }

    private boolean hasStarted() {
        return start.isDone()
                && !start.isCompletedExceptionally()
                && clock.nanoTime() >= commandClock.ours(start.join());
    }

    /**
     * Sends the rest of what was recorded, and the result; called when the run has ended.
     *
     * @throws TargetException if its clients ended with the lease
     */
    public void ended(RunResult result) throws InterruptedException {
        if (stopped == StopCause.COMMAND_LOST) {
            return;
        }
        if (hasLapsed) {
            throw new TargetException("the command had heard nothing of this host for 8 s, and its clients ended");
        }
        ClockOffset now = commandClock.estimate();
        started().reports().ended(result, now == null ? commandClock.offset() : now, stalls);
    }

    /** Names the sessions of its clients, so that the command can end them on the servers. */
    public Target named(Target target) {
        return target.naming(work.sessions());
    }

    @Override
    public HostShare share(int clients) {
        return new HostShare(work.host(), work.hosts(), work.firstClient(), clients, work.allClients());
    }

    @Override
    public long loadStarts(long now) throws InterruptedException {
        ClockOffset found = commandClock.estimate();
        if (found == null) {
            throw new TargetException("the command does not answer");
        }
        Keys keys = started().run().table().keys();
        send.accept(new Message.Ready(-found.nanos(), found.boundNanos(), keys.size(), keys.checksum()));
        try {
            long origin = commandClock.ours(start.get());
            TimeUnit.NANOSECONDS.sleep(origin - READY_NANOS - clock.nanoTime());
            return origin;
        } catch (ExecutionException e) {
            throw new TargetException("stopped by the command before the load");
        }
    }

    @Override
    public OptionalLong measureStarts(boolean isNowWarm, long earliest) {
        isWarm = isNowWarm;
        long announced = sinceOrigin;
        return announced == UNKNOWN
                ? OptionalLong.empty()
                : OptionalLong.of(started().run().timeline().origin() + announced);
    }

    @Override
    public long measureEnds(long now) {
        Started known = started;
        Stop.Reason reason = known == null ? null : known.run().signals().stop().reason();
        if (reason != null && !isStopped && reason.cause() != StopCause.ABANDONED) {
            send.accept(new Message.Stopping(reason.cause().name(), reason.details()));
        }
        return Math.max(now, isAborted ? now : measureEnd);
    }

    @Override
    public Window pause(long from, Runnable reset) {
        HostReports reports = started().reports();
        reports.paused();
        try {
            return pause.await(from, reset);
        } finally {
            reports.resumed();
        }
    }

    /**
     * The command's clock, as estimated by an agent from the fastest of several round trips, and corrected by later ones: two clocks
     * may drift by half a second in an hour or less, and then a lease would end later than the command takes it to end. Thread-safe.
     */
    static final class CommandClock {
        private static final int ROUND_TRIPS = 15;

        /** Longest wait for an answer. A command that answers neither of the first two questions is lost. */
        private static final long MAX_MILLIS = 4_000;

        /** A question that was sent at a time of our clock. */
        private record Question(long sentAt, CountDownLatch answered) {}

        private final NanoClock clock;
        private final Consumer<Message> send;
        private final Map<Long, Question> questions = new ConcurrentHashMap<>();
        private final AtomicLong number = new AtomicLong();
        private volatile @Nullable ClockOffset best;
        private volatile @Nullable ClockOffset offset;

        CommandClock(NanoClock clock, Consumer<Message> send) {
            this.clock = clock;
            this.send = send;
        }

        /** Estimates the offset anew; null if the command does not answer. Belongs to one thread at a time. */
        @Nullable
        ClockOffset estimate() throws InterruptedException {
            forget();
            for (int i = 0; i < ROUND_TRIPS; i++) {
                if (!ask().await(MAX_MILLIS, TimeUnit.MILLISECONDS) && best == null && i > 0) {
                    return null;
                }
            }
            ClockOffset found = best;
            offset = found;
            return found;
        }

        private synchronized void forget() {
            best = null;
        }

        /** Asks for the command's time, whose answer corrects the offset; returns what counts down then. */
        CountDownLatch ask() {
            Question question = new Question(clock.nanoTime(), new CountDownLatch(1));
            long its = number.incrementAndGet();
            questions.put(its, question);
            send.accept(new Message.Ping(its));
            return question.answered;
        }

        /** Takes an answer; called by the thread that receives messages. */
        synchronized void answered(Message.Pong pong) {
            long received = clock.nanoTime();
            Question question = questions.remove(pong.number());
            if (question == null) {
                return;
            }
            ClockOffset one = ClockOffset.of(question.sentAt, pong.nanos(), received);
            ClockOffset known = best;
            best = known == null ? one : known.orBetter(one);
            ClockOffset used = offset;
            if (used != null) {
                offset = used.orLater(one);
            }
            question.answered.countDown();
        }

        /** The offset as it is known now; null before the first estimate. */
        @Nullable
        ClockOffset offset() {
            return offset;
        }

        /** Our time at this time of the command. */
        long ours(long command) {
            ClockOffset known = offset;
            return known == null ? command : known.toOurs(command);
        }
    }

    /** A pause of this host's clients, which ends when the command says so. Thread-safe. */
    static final class HostPause {
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
                throw new TargetException("interrupted while the ids were reset", e);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
    }
}
