package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.measure.IntervalData.Phase;
import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.plan.ClientThreads;
import io.pgstress.plan.Load;
import io.pgstress.plan.Phases;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.RunResult;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.loop.EventLoops;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One run: connects all clients, lets them warm up, measures, waits for what is in flight, and tells what was found.
 * {@link #run} belongs to one thread; {@link #stop} may be called by any.
 */
public final class Runner {
    /** The reason to stop where somebody waits for the report. */
    public static final String INTERRUPTED = "interrupted";

    private static final long TICK_NANOS = 20_000_000;

    private final RunSpec spec;
    private final Target target;
    private final Table table;
    private final RunListener listener;
    private final Announcer announcer;
    private final NanoClock clock = NanoClock.SYSTEM;
    private final Preparation preparation;
    private final Timeline timeline;
    private final Stop stop;
    private final Pause pause;
    private final @Nullable Schedule schedule;
    private final Warmup warmup;
    private final Snapshots snapshots;
    private final Intervals intervals;
    private Instant started = Instant.now();
    private int hung;
    private final Waiting waiting = new Waiting(clock);
    private volatile boolean isInterrupted;
    private volatile boolean isAborted;
    private volatile Runnable hurry = () -> {};

    public Runner(RunSpec spec, Target target, Table table, RunListener listener) {
        this.spec = spec;
        this.target = target;
        this.table = table;
        this.listener = listener;
        this.preparation = new Preparation(spec, target, table);
        this.timeline =
                new Timeline(grid(spec), preparation.shapes(), target.nodes().size());
        this.stop = new Stop(timeline, clock);
        this.pause = new Pause(timeline, clock, clients(), preparation::startOver);
        this.schedule = spec.load() instanceof Load.Open open
                ? new Schedule(open, seconds(spec.phases().warmup()), spec.seed())
                : null;
        this.warmup = new Warmup(spec.phases(), clock, timeline, schedule);
        this.snapshots = new Snapshots(target.nodes(), pause::seconds);
        this.intervals = new Intervals(timeline, target.nodes(), snapshots, schedule);
        this.announcer = new Announcer(listener, timeline, intervals);
    }

    /** Each step of a target rate is cut into intervals of its own. */
    private static IntervalGrid grid(RunSpec spec) {
        boolean hasSteps = spec.load() instanceof Load.Open open && open.rates().size() > 1;
        long step = hasSteps ? ((Load.Open) spec.load()).step().toNanos() : Long.MAX_VALUE;
        return new IntervalGrid(spec.phases().interval().toNanos(), step);
    }

    private int clients() {
        return target.nodes().stream().mapToInt(Node::clients).sum();
    }

    /** The kind of thread that the clients of such a run get here, as {@link ClientInfo#threadKind} names it. */
    public static String threadKind(RunSpec spec) {
        return HostFacts.name(kind(spec));
    }

    private static ClientThreads kind(RunSpec spec) {
        return Threads.resolve(
                spec.clientThreads(),
                spec.load().clients(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature(),
                EventLoops.areAvailable());
    }

    /** Ends the measurement now; {@link #run} returns what there is. */
    public void stop(String reason) {
        isInterrupted |= reason.equals(INTERRUPTED);
        stop.now(reason, true);
        preparation.stopCounting();
    }

    /** Ends the run now without waiting for operations and servers; {@link #run} returns what there is. */
    public void abort() {
        isAborted = true;
        stop(INTERRUPTED);
        hurry.run();
    }

    /** What a stopped run still waits for, e.g. {@code 4 operations}; empty where nothing is known. Any thread may ask. */
    public String waitingFor() {
        return waiting.words();
    }

    /** How long that may take, e.g. {@code 28 s until the drain limit}; empty where unknown. Any thread may ask. */
    public String atMost() {
        return waiting.atMost();
    }

    /**
     * Runs, from connecting to the result.
     *
     * @throws io.pgstress.target.driver.TargetException where the run cannot begin
     */
    public RunResult run() throws InterruptedException {
        try (preparation;
                announcer) {
            return prepareAndMeasure();
        }
    }

    private RunResult prepareAndMeasure() throws InterruptedException {
        MemoryCheck.check(spec, table);
        preparation.reset();
        checkNotStopped();
        Table prepared = preparation.prepared(table);
        RunPlans plans = RunPlans.ask(spec, target, prepared, preparation);
        preparation.handOutAgain();
        checkNotStopped();
        List<String> hazards = preparation.warnings(spec);
        hazards.forEach(announcer::warning);
        int cores = Runtime.getRuntime().availableProcessors();
        ClientThreads kind = kind(spec);
        Client.Shared shared = new Client.Shared(
                timeline,
                clock,
                schedule,
                pause,
                stop,
                preparation.resets(),
                spec.get(RunOptions.TRANSACTION),
                spec.failures().maxTries(),
                spec.failures().stopOnError(),
                target.nodes().stream().anyMatch(Node::sharesSessions),
                new CountDownLatch(clients()),
                new CountDownLatch(1));
        try (Threads threads = Threads.of(kind, cores, e -> stop.now("an event loop broke: " + e, true));
                ServerWatch watch = new ServerWatch(target.nodes());
                ClusterWatch cluster = new ClusterWatch(target, prepared);
                Clients clients = new Clients(spec, preparation, shared, target.nodes())) {
            PostRunChecks look = lastLook();
            try {
                hurry = () -> {
                    watch.hurry();
                    cluster.hurry();
                    look.abort();
                };
                if (isAborted) {
                    hurry.run();
                }
                announcer.phase("connect", 0);
                waiting.on("clients to connect");
                clients.start(threads);
                for (int n = 0; n < target.nodes().size(); n++) {
                    announcer.pool(target.nodes().get(n).url(), clients.pools().get(n)::gauges);
                }
                watch.start();
                cluster.start();
                measure(clients, shared, watch, cluster);
                double drained = drain(clients);
                if (!clients.haveAllEnded()) {
                    watch.probe();
                    cluster.probe();
                }
                clients.breakOff(isAborted);
                clients.closePools();
                waiting.on(preparation.checks().isEmpty() ? "the servers' counters" : "the check of the tables");
                announcer.finish();
                return new ResultBuilder(spec, target, prepared, preparation, timeline, intervals, snapshots)
                        .build(
                                clients,
                                watch,
                                cluster,
                                look,
                                plans,
                                hazards,
                                pause,
                                schedule,
                                kind,
                                started,
                                new RunEnd(
                                        stop.reason(),
                                        warmup.cut(),
                                        schedule == null ? null : schedule.begunLate(),
                                        hung,
                                        drained));
            } finally {
                timeline.closeDrain();
                stop.now("the run was given up", false);
                shared.go().countDown();
                clients.breakOff(isAborted);
            }
        }
    }

    private void checkNotStopped() {
        Stop.Reason reason = stop.reason();
        if (reason != null) {
            throw new TargetException(reason.text() + " before the clients connected");
        }
    }

    private PostRunChecks lastLook() {
        return new PostRunChecks(preparation.checks(), target.first().connector(), listener, () -> isInterrupted);
    }

    private void measure(Clients clients, Client.Shared shared, ServerWatch watch, ClusterWatch cluster) {
        Phases phases = spec.phases();
        long origin = clock.nanoTime();
        timeline.start(origin);
        started = Instant.now();
        if (schedule != null) {
            schedule.start(origin);
        }
        warmup.starts(origin);
        boolean warms = !phases.warmup().isZero();
        announcer.phase(warms ? "warmup" : "measure", seconds(warms ? phases.warmup() : phases.measure()));
        snapshots.measureStarts();
        clients.measureStarts();
        cluster.measureStarts(origin);
        waiting.onOperations(clients);
        shared.go().countDown();
        Course course =
                new Course(spec, clock, timeline, stop, pause, schedule, warmup, snapshots, intervals, announcer);
        new Progress(course, clients, watch, cluster, origin).watch();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** Waits for what is in flight, at most as long as the drain may take; then counts the rest as unfinished. */
    private double drain(Clients clients) {
        long start = clock.nanoTime();
        long end = start + spec.phases().drain().toNanos();
        waiting.until(end);
        announcer.phase("drain", seconds(spec.phases().drain()));
        while (!clients.haveAllEnded() && clock.nanoTime() < end && !isAborted) {
            LockSupport.parkNanos(TICK_NANOS / 4);
            if (Thread.interrupted()) {
                break;
            }
        }
        double seconds = (clock.nanoTime() - start) / 1e9;
        snapshots.intervalEnds(timeline.intervals(Phase.DRAIN).get(0), null);
        if (!clients.haveAllEnded()) {
            timeline.closeDrain();
            LockSupport.parkNanos(TICK_NANOS);
            hung = new Unfinished(spec, timeline, schedule, clock).count(clients.all());
        }
        return seconds;
    }
}
