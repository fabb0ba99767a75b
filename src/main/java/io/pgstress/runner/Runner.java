package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.Operation;
import io.pgstress.plan.Phases;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.Remark;
import io.pgstress.result.RunResult;
import io.pgstress.runner.ResultBuilder.RunEnd;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.target.Target;
import io.pgstress.target.loop.LoadThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One run: connects all clients, warms up, measures, waits for operations in progress, and returns the result. Probes observe
 * it. {@link #run} belongs to one thread; any thread may call {@link #stop}.
 */
public final class Runner {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** A measurement of at most this duration begins at once, without a collection of the heap. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final RunSpec spec;
    private final Table table;
    private final RunContext run;
    private final Coordination coordination;
    private final Timeline timeline;
    private final NanoClock clock;
    private final Warmup warmup;
    private final Intervals intervals;
    private final Announcer announcer;
    private final Waiting waiting;
    private volatile boolean isAborted;
    private volatile Runnable hurry = () -> {};

    /**
     * Connects to no server: all of that is done by {@link #run}.
     *
     * @param coordination decides when the parts of the run begin, and where its clients are
     */
    public Runner(RunSpec spec, Target target, Table table, Coordination coordination, RunListener listener) {
        this.spec = spec;
        this.table = table;
        this.run = new RunContext(spec, target, table, coordination, listener);
        this.coordination = coordination;
        this.timeline = run.timeline();
        this.clock = run.signals().clock();
        this.warmup = new Warmup(spec.phases(), run.signals());
        this.intervals = new Intervals(run);
        this.announcer = new Announcer(
                listener, timeline, intervals, spec.phases().interval().toNanos(), coordination.reportNanos());
        run.warnings(announcer::warning);
        this.waiting = new Waiting(clock);
    }

    /** Ends the measurement now; {@link #run} returns the result so far. */
    public void stop(StopCause cause) {
        run.signals().stop().now(cause);
        run.runOperations().stopCounting();
    }

    /** Ends the run now without waiting for operations and servers; {@link #run} returns the result so far. */
    public void abort() {
        isAborted = true;
        stop(StopCause.INTERRUPTED);
        hurry.run();
    }

    /** What a stopped run is waiting for, e.g. {@code 4 operations}; empty if unknown. Any thread may ask. */
    public String waitingFor() {
        return waiting.words();
    }

    /** The maximum remaining wait, e.g. {@code 28 s until the drain limit}; empty if unknown. Any thread may ask. */
    public String atMost() {
        return waiting.atMost();
    }

    /**
     * Performs the run, from connecting to the result.
     *
     * @throws io.pgstress.target.driver.TargetException if the run cannot start
     */
    public RunResult run() throws InterruptedException {
        try (run;
                announcer;
                LoadThreads threads = Threads.of(
                        spec, run.share(), e -> run.signals().stop().now(StopCause.LOOP_FAILED, e.toString()));
                RunProbes probes = setUp(threads)) {
            List<Remark> hazards = run.runOperations().warnings();
            hazards.forEach(announcer::warning);
            try (Clients clients = coordination.clients(run, threads)) {
                return measured(clients, probes, hazards);
            }
        }
    }

    /** Sets up and resets the tables, and lets the probes read them before the clients connect. */
    private RunProbes setUp(LoadThreads threads) {
        checkNotStopped();
        MemoryCheck.check(spec, table, run.operations());
        run.runOperations().setUp();
        checkNotStopped();
        run.resetTables();
        checkNotStopped();
        RunProbes probes = new RunProbes(coordination.probes(run, threads));
        try {
            probes.each(Probe::beforeConnect);
            run.runOperations().rewind(); // a probe may have drawn ids
            checkNotStopped();
            return probes;
        } catch (RuntimeException | Error e) {
            probes.close();
            throw e;
        }
    }

    private void checkNotStopped() {
        Stop.Reason reason = run.signals().stop().reason();
        if (reason != null) {
            throw reason.before("before the clients connected");
        }
    }

    private RunResult measured(Clients clients, RunProbes probes, List<Remark> hazards) throws InterruptedException {
        try {
            double connected = connect(clients, probes);
            Instant started = measure(clients, probes);
            long drainStart = clock.nanoTime();
            drain(clients, probes);
            double drained = (clock.nanoTime() - drainStart) / 1e9;
            probes.each(
                    probe -> probe.intervalEnds(timeline.intervals(Phase.DRAIN).get(0)));
            Map<String, Integer> hung = giveUp(clients, probes);
            waiting.on(run.checks().isEmpty() ? "the servers' counters" : "the check of the tables");
            probes.await(Probe::loadEnds);
            announcer.finish();
            RunEnd end = new RunEnd(started, hazards, warmup.cut(), hung, connected, clients.drainSeconds(drained));
            return new ResultBuilder(run, clients, intervals, end).build(probes);
        } finally {
            timeline.closeDrain();
            try {
                run.signals().stop().now(StopCause.ABANDONED);
                run.signals().go().open();
            } finally {
                clients.breakOff(isAborted);
            }
        }
    }

    /** Returns how many seconds the clients took. */
    private double connect(Clients clients, RunProbes probes) throws InterruptedException {
        hurry = () -> probes.each(Probe::hurry);
        if (isAborted) {
            hurry.run();
        }
        announcer.begins(() -> ResultBuilder.before(run));
        announcer.phase(Phase.CONNECT, 0);
        waiting.on("clients to connect");
        long start = clock.nanoTime();
        clients.connect();
        double connected = (clock.nanoTime() - start) / 1e9;
        clients.gauges().forEach(announcer::pool);
        probes.await(Probe::start);
        if (spec.phases().measure().compareTo(SHORT) > 0) {
            clients.collectGarbage();
        }
        return connected;
    }

    /** Returns the start of the load, at the end of the measurement. */
    private Instant measure(Clients clients, RunProbes probes) throws InterruptedException {
        Phases phases = spec.phases();
        long origin = coordination.loadStarts(clock.nanoTime());
        timeline.start(origin);
        Instant started = Instant.now().plusNanos(origin - clock.nanoTime());
        Schedule schedule = run.signals().schedule();
        if (schedule != null) {
            schedule.start(origin);
        }
        warmup.starts(origin);
        boolean warms = !phases.warmup().isZero();
        announcer.phase(warms ? Phase.WARMUP : Phase.MEASURE, seconds(warms ? phases.warmup() : phases.measure()));
        probes.each(Probe::measureStarts);
        waiting.onOperations(clients);
        clients.start(origin);
        watch(clients, probes, origin);
        return started;
    }

    /** Follows the run to the end of the measurement, and reports its intervals. */
    private void watch(Clients clients, RunProbes probes, long origin) {
        Stop stop = run.signals().stop();
        Pause pause = run.signals().pause();
        IntervalData current = timeline.at(origin);
        while (true) {
            long now = clock.nanoTime();
            if (pause.isRunning() && stop.reason() == null) {
                if (pause.isLongerThan(MAX_PAUSE_NANOS)) {
                    stop.now(StopCause.LONG_RESET);
                }
                parkFor(TICK_NANOS); // pauses are excluded
                continue;
            }
            boolean isRamping = clients.isRamping(now);
            IntervalData interval = timeline.at(now);
            boolean isOver = interval.phase() == Phase.DRAIN;
            if (interval != current) {
                countBacklog(current, now, clients); // before anything that takes time, in which clients go on
            }
            if (isOver) {
                probes.each(Probe::measureEnds);
            }
            if (interval != current) {
                turnTo(interval, current, probes);
                current = interval;
            }
            if (isOver) {
                return;
            }
            if (interval.phase() == Phase.WARMUP) {
                warmup.follow(now, isRamping, clients);
            }
            if (clients.haveAllEnded()) {
                long ended = clock.nanoTime(); // the phase may have ended meanwhile
                stop.allEnded(timeline.at(ended).phase() == Phase.WARMUP);
                continue;
            }
            if (interval.phase() == Phase.MEASURE) {
                probes.sample(now);
            }
            parkFor(Math.min(TICK_NANOS, Math.max(1, timeline.boundary(now) - now)));
        }
    }

    private void parkFor(long nanos) {
        LockSupport.parkNanos(nanos);
        if (Thread.interrupted()) {
            run.signals().stop().now(StopCause.INTERRUPTED);
        }
    }

    private void countBacklog(IntervalData over, long now, Clients clients) {
        if (run.signals().schedule() != null) {
            // at its own end: a moment later, the rate of the next step would already have made operations due
            long end = over.phase() == Phase.MEASURE ? timeline.endOf(over) : timeline.measureEnd();
            run.extras().backlog(over, clients.backlog(Math.min(now, end)));
        }
    }

    private void turnTo(IntervalData next, IntervalData over, RunProbes probes) {
        probes.each(probe -> probe.intervalEnds(over));
        boolean measures = over.phase() == Phase.WARMUP && next.phase() == Phase.MEASURE;
        if (measures) {
            probes.each(Probe::measureStarts);
        }
        announcer.over(over);
        if (measures) { // the last interval of the warm-up comes first
            announcer.phase(Phase.MEASURE, spec.phases().measure().toNanos() / 1e9);
        }
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** Waits for operations in progress, up to the drain limit. */
    private void drain(Clients clients, RunProbes probes) {
        long end = clock.nanoTime() + spec.phases().drain().toNanos();
        waiting.until(end);
        announcer.phase(Phase.DRAIN, seconds(spec.phases().drain()));
        while (!clients.haveAllEnded() && clock.nanoTime() < end && !isAborted) {
            probes.sample(clock.nanoTime());
            LockSupport.parkNanos(TICK_NANOS / 4);
            if (Thread.interrupted()) {
                return;
            }
        }
    }

    /** Counts operations still in progress as unfinished and ends all sessions; returns the hung clients by what they wait for. */
    private Map<String, Integer> giveUp(Clients clients, RunProbes probes) throws InterruptedException {
        Map<String, Integer> hung = Map.of();
        if (!clients.haveAllEnded()) {
            timeline.closeDrain();
            LockSupport.parkNanos(TICK_NANOS);
            hung = clients.countUnfinished();
            if (!clients.haveAllEnded()) {
                probes.await(Probe::clientsHang);
            }
        }
        clients.breakOff(isAborted);
        return hung;
    }

    /**
     * Rejects a run whose clients could not hold their rows in memory: without a fetch size, the driver reads all rows of a
     * statement at once.
     */
    static final class MemoryCheck {
        private static final double SHARE = 0.8;
        private static final int ROW_OVERHEAD = 100;

        private MemoryCheck() {}

        /** @param operations in the order of the mix */
        static void check(RunSpec spec, Table table, List<Operation> operations) {
            for (int o = 0; o < operations.size() && spec.get(RunOptions.FETCH_SIZE) == 0; o++) {
                check(
                        spec,
                        table,
                        spec.mix().get(o).name(),
                        operations.get(o).profile().maxRows());
            }
        }

        private static void check(RunSpec spec, Table table, String name, int maxRows) {
            if (maxRows == 0) {
                return;
            }
            double rowBytes = (double) table.bytes() / table.rows() + ROW_OVERHEAD;
            double rows = Math.min(maxRows, table.rows());
            double needed = rowBytes * rows * spec.load().clients();
            double have = Runtime.getRuntime().maxMemory();
            if (needed > have * SHARE) {
                throw new InvalidPlanException(String.format(
                        Locale.ROOT,
                        "op: %s with %d clients of up to %.0f rows of %.0f bytes needs about %.0f MiB, the heap has"
                                + " %.0f; use --fetch-size 1000 --transaction, fewer --clients, a smaller --limit-max or a"
                                + " larger heap (java -Xmx)",
                        name,
                        spec.load().clients(),
                        rows,
                        rowBytes,
                        needed / (1 << 20),
                        have / (1 << 20)));
            }
        }
    }

    /** Describes what a stopped run is waiting for. Thread-safe. */
    static final class Waiting {
        private final NanoClock clock;
        private volatile String stage = "the tables to be prepared";
        private volatile @Nullable Clients clients;
        private volatile long limit = Long.MAX_VALUE;

        Waiting(NanoClock clock) {
            this.clock = clock;
        }

        /** From now on the run waits for something other than operations. */
        void on(String newStage) {
            stage = newStage;
            clients = null;
            limit = Long.MAX_VALUE;
        }

        /** From now on the run waits for the operations of these clients. */
        void onOperations(Clients newClients) {
            clients = newClients;
        }

        /** The run waits for the operations until this time. */
        void until(long newLimit) {
            limit = newLimit;
        }

        /** E.g. {@code 4 operations}; empty if none is in progress. */
        String words() {
            Clients current = clients;
            if (current == null) {
                return stage;
            }
            int operations = current.inFlight();
            return operations == 0 ? "" : operations == 1 ? "1 operation" : operations + " operations";
        }

        /** E.g. {@code 28 s until the drain limit}; empty if there is no limit. */
        String atMost() {
            long end = limit;
            return end == Long.MAX_VALUE
                    ? ""
                    : TimeUnit.NANOSECONDS.toSeconds(Math.max(0, end - clock.nanoTime())) + " s until the drain limit";
        }
    }
}
