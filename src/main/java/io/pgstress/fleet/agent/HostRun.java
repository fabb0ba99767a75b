package io.pgstress.fleet.agent;

import io.pgstress.fleet.clock.ClockOffset;
import io.pgstress.fleet.wire.Acknowledged;
import io.pgstress.fleet.wire.Message;
import io.pgstress.measure.CellIncrement;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Phase;
import io.pgstress.plan.HostShare;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunContext;
import io.pgstress.runner.Runner;
import io.pgstress.runner.client.Conductor;
import io.pgstress.runner.client.Stop;
import io.pgstress.runner.client.StopCause;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An agent's part of a test: follows the command, and sends it what was recorded. The run's thread calls the methods of
 * {@link Conductor}, the group's thread {@link #received}.
 */
public final class HostRun implements Conductor {
    /** An agent that hears nothing from its command for this long ends its load. */
    static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The run prepares the load this long before its start. */
    private static final long READY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Earlier intervals get nothing new, except at the end. */
    private static final int OPEN_INTERVALS = 5;

    private static final long OPEN_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final List<Phase> LOADED = List.of(Phase.WARMUP, Phase.MEASURE, Phase.DRAIN);

    private final Message.Work work;
    private final Consumer<Message> send;
    private final NanoClock clock = NanoClock.SYSTEM;
    private final CommandClock commandClock;
    private final CompletableFuture<Long> start = new CompletableFuture<>();
    private final ReentrantLock sending = new ReentrantLock();
    private volatile CompletableFuture<Message.Resume> resume = new CompletableFuture<>();
    private volatile long heard;
    private volatile long sinceOrigin = Long.MIN_VALUE;
    private volatile long measureEnd = Long.MIN_VALUE;
    private volatile boolean isWarm;
    private volatile boolean isPaused;
    private volatile @Nullable ClockOffset offset;
    private volatile @Nullable RunContext context;
    private volatile @Nullable Runner runner;
    private volatile @Nullable Acknowledged acknowledged;
    private volatile StopCause stopped = StopCause.ABANDONED;
    private volatile boolean isStopped;
    private volatile boolean isAborted;
    private long sequence;

    /** @param send sends a message to the command */
    HostRun(Message.Work work, Consumer<Message> send) {
        this.work = work;
        this.send = send;
        this.commandClock = new CommandClock(clock, send);
        this.heard = clock.nanoTime();
    }

    /** Registers the runner, so that the command can stop it. */
    public void runs(Runner itsRunner) {
        runner = itsRunner;
        if (isStopped) {
            stop(stopped, isAborted);
        }
    }

    /** Registers the run's state before its clients connect. */
    public void observes(RunContext run) {
        acknowledged = Acknowledged.of(run.operations());
        context = run;
    }

    /** Ends the load. */
    void stop(StopCause cause, boolean isNow) {
        stopped = cause;
        isAborted |= isNow;
        isStopped = true;
        start.completeExceptionally(new TargetException("stopped by the command"));
        Runner current = runner;
        if (current != null) {
            if (isNow) {
                current.abort();
            } else {
                current.stop(cause);
            }
        }
        resume.complete(new Message.Resume(0, 0));
    }

    /** Handles a message of the command; returns at once. */
    void received(Message message) {
        heard = clock.nanoTime();
        if (message instanceof Message.Pong pong) {
            commandClock.answered(pong);
        } else if (message instanceof Message.Start begin) {
            start.complete(begin.origin());
        } else if (message instanceof Message.Measure measure) {
            sinceOrigin = measure.sinceOrigin();
        } else if (message instanceof Message.Halt) {
            RunContext run = context;
            if (run != null) {
                run.course().pause().request();
            }
        } else if (message instanceof Message.Resume again) {
            resume.complete(again);
        } else if (message instanceof Message.Stop stop) {
            if (!stop.isNow()) {
                measureEnd = ours(stop.at());
            }
            stop(StopCause.INTERRUPTED, stop.isNow());
        }
    }

    /** Whether the load has to end because nothing was heard of the command. */
    boolean isCommandSilent() {
        return !isStopped && clock.nanoTime() - heard > MAX_SILENCE_NANOS;
    }

    /** Called twice a second: sends how far the run has come, and what was recorded. */
    void report() {
        RunContext run = context;
        Acknowledged writes = acknowledged;
        if (run == null || writes == null || !start.isDone() || start.isCompletedExceptionally()) {
            send.accept(new Message.Beat());
            return;
        }
        sending.lock();
        try {
            if (isPaused) {
                send.accept(new Message.Beat());
                return;
            }
            long now = clock.nanoTime();
            send.accept(new Message.Progress(
                    run.clients().okSoFar(),
                    isWarm,
                    run.clients().haveExecuted(run.spec().phases().warmupExecutions()),
                    run.clients().inFlight(),
                    run.clients().backlog(now),
                    writes.own()));
            int open = (int) Math.max(
                    OPEN_INTERVALS, OPEN_NANOS / run.timeline().measureGrid().endOf(0));
            for (Phase phase : LOADED) {
                List<IntervalData> all = run.timeline().intervals(phase);
                sendNew(all.subList(Math.max(0, all.size() - open), all.size()));
            }
        } finally {
            sending.unlock();
        }
    }

    private void sendNew(List<IntervalData> intervals) {
        for (IntervalData interval : intervals) {
            List<CellIncrement> cells = interval.takeNew().stream()
                    .map(c -> new CellIncrement(work.nodes().get(c.node()), c.operation(), c.cell()))
                    .toList();
            if (!cells.isEmpty()) {
                send.accept(new Message.Increment(sequence++, interval.phase(), interval.index(), cells));
            }
        }
    }

    /** Sends the rest of what was recorded, and the result; called when the run has ended. */
    public void ended(RunResult result) throws InterruptedException {
        RunContext run = context;
        Acknowledged writes = acknowledged;
        if (run == null || writes == null) {
            throw new IllegalStateException("the run has not begun");
        }
        if (stopped == StopCause.COMMAND_LOST) {
            return;
        }
        ClockOffset now = commandClock.estimate();
        ClockOffset before = offset;
        ClockOffset last = now == null ? before : now;
        sending.lock();
        try {
            for (Phase phase : LOADED) {
                sendNew(run.timeline().intervals(phase));
            }
            send.accept(new Message.Ended(
                    Json.writeLine(result.withIntervals(List.of())),
                    last == null ? 0 : -last.nanos(),
                    last == null ? 0 : last.boundNanos(),
                    writes.own(),
                    writes.updated().stream().map(u -> u.bits()).toList(),
                    successes(run),
                    calls(run),
                    usage(result),
                    sequence));
        } finally {
            sending.unlock();
        }
    }

    private List<byte[]> successes(RunContext run) {
        List<byte[]> successes = new ArrayList<>();
        for (int n = 0; n < work.nodes().size(); n++) {
            successes.add(run.timeline().successes(n).encode());
        }
        return successes;
    }

    private List<List<List<Long>>> calls(RunContext run) {
        List<List<List<Long>>> calls = new ArrayList<>();
        for (int n = 0; n < work.nodes().size(); n++) {
            List<List<Long>> ofNode = new ArrayList<>();
            for (int o = 0; o < run.timeline().shapes().size(); o++) {
                List<Long> ofOperation = new ArrayList<>();
                for (int s = 0; s < run.timeline().shapes().get(o).statements().size(); s++) {
                    ofOperation.add(run.clients().calls(n, o, s));
                }
                ofNode.add(ofOperation);
            }
            calls.add(ofNode);
        }
        return calls;
    }

    private static List<List<Double>> usage(RunResult result) {
        return result.intervals().stream()
                .filter(i -> i.phase().equals(Phase.MEASURE.label()))
                .map(HostRun::usage)
                .toList();
    }

    private static List<Double> usage(IntervalResult interval) {
        return List.of(interval.clientCpuCores(), interval.inMbitPerSecond(), interval.outMbitPerSecond());
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
        offset = found;
        RunContext run = context;
        send.accept(new Message.Ready(
                -found.nanos(),
                found.boundNanos(),
                run == null ? 0 : run.table().keys().size()));
        try {
            long origin = ours(start.get());
            TimeUnit.NANOSECONDS.sleep(origin - READY_NANOS - clock.nanoTime());
            return origin;
        } catch (ExecutionException e) {
            throw new TargetException("stopped by the command before the load");
        }
    }

    private long ours(long command) {
        ClockOffset known = offset;
        return known == null ? command : known.toOurs(command);
    }

    @Override
    public long noticeNanos() {
        return 0;
    }

    @Override
    public OptionalLong measureStarts(boolean isNowWarm, long earliest) {
        isWarm = isNowWarm;
        long announced = sinceOrigin;
        RunContext run = context;
        return announced == Long.MIN_VALUE || run == null
                ? OptionalLong.empty()
                : OptionalLong.of(run.timeline().origin() + announced);
    }

    @Override
    public long measureEnds(long now) {
        RunContext run = context;
        Stop.Reason reason = run == null ? null : run.course().stop().reason();
        if (reason != null && !isStopped && reason.cause() != StopCause.ABANDONED) {
            send.accept(new Message.Stopping(reason.cause().name(), reason.details()));
        }
        return Math.max(now, isAborted ? now : measureEnd);
    }

    @Override
    public Window pause(long from, Runnable reset) {
        Acknowledged writes = acknowledged;
        sending.lock();
        try {
            isPaused = true;
            send.accept(new Message.Paused(writes == null ? List.of() : writes.own()));
        } finally {
            sending.unlock();
        }
        try {
            Message.Resume agreed = resume.get();
            resume = new CompletableFuture<>();
            if (agreed.end() == agreed.start()) { // the measurement is over: nothing was reset
                return new Window(from, from);
            }
            reset.run();
            long end = ours(agreed.end());
            TimeUnit.NANOSECONDS.sleep(end - clock.nanoTime());
            return new Window(ours(agreed.start()), end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("interrupted while the ids were reset");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            isPaused = false;
        }
    }
}
