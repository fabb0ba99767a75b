package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.IntervalData.Phase;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.plan.ClientThreads;
import io.pgstress.plan.Load;
import io.pgstress.plan.Phases;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.RunResult;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
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
    private static final long SAMPLE_NANOS = 200_000_000;
    private static final long FLUSH_NANOS = 20_000_000;

    private static final long MOST_HALT_NANOS = 600_000_000_000L;
    private static final String TOO_SHORT = "the limit was too short to tell whether throughput is level";

    /** Younger intervals than that still get operations from slow clients, and are not compressed. */
    private static final int OPEN_INTERVALS = 5;

    private final RunSpec spec;
    private final Target target;
    private final Table table;
    private final RunListener listener;
    private final NanoClock clock = NanoClock.SYSTEM;
    private final Preparation preparation;
    private final Timeline timeline;
    private final Stop stop;
    private final Halt halt;
    private final @Nullable Schedule schedule;
    private final Snapshots snapshots;
    private final Intervals intervals;
    private Instant started = Instant.now();
    private @Nullable String warmupCut;
    private @Nullable Long backlog;
    private int hung;
    private volatile boolean isInterrupted;

    public Runner(RunSpec spec, Target target, Table table, RunListener listener) {
        this.spec = spec;
        this.target = target;
        this.table = table;
        this.listener = listener;
        this.preparation = new Preparation(spec, target, table);
        this.timeline = new Timeline(
                spec.phases().interval().toNanos(),
                preparation.shapes(),
                target.nodes().size());
        this.stop = new Stop(timeline, clock);
        this.halt = new Halt(timeline, clock, clients(), preparation::reset);
        this.schedule = spec.load() instanceof Load.Open open
                ? new Schedule(open, seconds(spec.phases().warmup()), spec.seed())
                : null;
        this.snapshots = new Snapshots(target.nodes(), halt::seconds);
        this.intervals = new Intervals(timeline, target.nodes(), snapshots, schedule);
    }

    private int clients() {
        return target.nodes().stream().mapToInt(Node::clients).sum();
    }

    /** Ends the measurement now; {@link #run} returns what there is. */
    public void stop(String reason) {
        isInterrupted |= reason.equals(INTERRUPTED);
        stop.now(reason, true);
    }

    /**
     * Runs, from connecting to the result.
     *
     * @throws io.pgstress.target.TargetException where the run cannot begin
     */
    public RunResult run() throws InterruptedException {
        try (preparation) {
            return prepareAndMeasure();
        }
    }

    private RunResult prepareAndMeasure() throws InterruptedException {
        MemoryCheck.check(spec, table);
        preparation.reset();
        Table prepared = preparation.prepared(table);
        RunPlans plans = RunPlans.ask(spec, target, prepared, preparation);
        preparation.handOutAgain();
        ClientThreads kind = Threads.resolve(
                spec.clientThreads(),
                spec.load().clients(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature());
        ThreadFactory factory = Threads.factory(kind);
        Client.Shared shared = new Client.Shared(
                timeline,
                clock,
                schedule,
                halt,
                stop,
                preparation.resets(),
                spec.operation().transaction(),
                spec.failures().maxTries(),
                spec.failures().stopOnError(),
                new CountDownLatch(clients()),
                new CountDownLatch(1));
        try (ServerWatch watch = new ServerWatch(target.nodes());
                ClusterWatch cluster = new ClusterWatch(target, prepared);
                Crew crew = new Crew(spec, preparation, shared, target.nodes())) {
            try {
                listener.phase("connect", 0);
                crew.start(factory);
                for (int n = 0; n < target.nodes().size(); n++) {
                    listener.pool(target.nodes().get(n).url(), crew.pools().get(n)::gauges);
                }
                watch.start();
                cluster.start();
                measure(crew, shared, watch, cluster);
                double drained = drain(crew);
                crew.breakOff();
                return new ResultBuilder(spec, target, prepared, preparation, timeline, intervals, snapshots)
                        .build(
                                crew,
                                watch,
                                cluster,
                                lastLook(),
                                plans,
                                halt,
                                schedule,
                                kind,
                                started,
                                new RunEnd(stop.reason(), warmupCut, backlog, hung, drained));
            } finally {
                timeline.closeDrain();
                stop.now("the run was given up", false);
                shared.go().countDown();
                crew.breakOff();
            }
        }
    }

    private LastLook lastLook() {
        return new LastLook(preparation.checks(), target.first().connector(), listener, () -> isInterrupted);
    }

    private void measure(Crew crew, Client.Shared shared, ServerWatch watch, ClusterWatch cluster) {
        Phases phases = spec.phases();
        long origin = clock.nanoTime();
        timeline.start(origin);
        started = Instant.now();
        if (schedule != null) {
            schedule.start(origin);
        }
        if (!isWarmupOpen()) {
            startMeasureAt(origin + phases.warmup().toNanos());
        } else if (mostWarmup() <= timeline.intervalNanos()) {
            warmupCut = TOO_SHORT;
            startMeasureAt(origin + mostWarmup());
        }
        boolean warms = !phases.warmup().isZero();
        listener.phase(warms ? "warmup" : "measure", seconds(warms ? phases.warmup() : phases.measure()));
        snapshots.measureStarts();
        cluster.measureStarts(origin);
        shared.go().countDown();
        new Progress(crew, watch, cluster, origin).watch();
    }

    /** Whether the end of the warm-up is found while it lasts. */
    private boolean isWarmupOpen() {
        return spec.phases().autoWarmup() || spec.phases().warmupExecutions() > 0;
    }

    /** The most that a warm-up may take whose end is found while it lasts, in nanoseconds. */
    private long mostWarmup() {
        Phases phases = spec.phases();
        return Math.max(phases.warmup().toNanos(), phases.warmupLimit().toNanos());
    }

    private void startMeasureAt(long start) {
        if (schedule != null) {
            schedule.measureStarts(start);
        }
        timeline.measure(start, start + spec.phases().measure().toNanos());
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** Follows the run on its thread up to the end of the measurement. */
    private final class Progress {
        private final Crew crew;
        private final ServerWatch watch;
        private final ClusterWatch cluster;
        private final WarmupJudge judge = new WarmupJudge();
        private IntervalData current;
        private @Nullable IntervalData before;
        private long nextSample;
        private long okBefore;

        Progress(Crew crew, ServerWatch watch, ClusterWatch cluster, long origin) {
            this.crew = crew;
            this.watch = watch;
            this.cluster = cluster;
            this.current = timeline.at(origin);
            this.nextSample = origin;
        }

        void watch() {
            while (true) {
                long now = clock.nanoTime();
                if (halt.isRunning() && stop.reason() == null) {
                    if (halt.isLongerThan(MOST_HALT_NANOS)) {
                        stop.now("making the ids available again took longer than 10 minutes", false);
                    }
                    parkFor(TICK_NANOS); // no time passes
                    continue;
                }
                IntervalData interval = timeline.at(now);
                boolean isOver = interval.phase() == Phase.DRAIN;
                if (isOver) {
                    snapshots.measureEnds();
                    backlog = schedule == null ? null : schedule.backlog(timeline.measureEnd());
                }
                if (interval != current) {
                    turnTo(interval, now);
                }
                if (isOver) {
                    return;
                }
                if (crew.haveAllEnded()) {
                    stop.allEnded(interval.phase() == Phase.WARMUP);
                    continue;
                }
                if (now >= nextSample && interval.phase() == Phase.MEASURE) {
                    watch.sample();
                    cluster.sample(now);
                    nextSample = now + SAMPLE_NANOS;
                }
                parkFor(Math.min(TICK_NANOS, Math.max(1, timeline.boundary(now) - now)));
            }
        }

        private void parkFor(long nanos) {
            LockSupport.parkNanos(nanos);
            if (Thread.interrupted()) {
                stop.now(INTERRUPTED, true);
            }
        }

        private void turnTo(IntervalData next, long now) {
            IntervalData over = current;
            current = next;
            List<IntervalData> past = timeline.intervals(over.phase());
            if (past.size() > OPEN_INTERVALS) {
                past.get(past.size() - OPEN_INTERVALS - 1).pack();
            }
            snapshots.intervalEnds(
                    over, schedule == null ? null : schedule.backlog(Math.min(now, timeline.measureEnd())));
            if (over.phase() == Phase.WARMUP && next.phase() == Phase.MEASURE) {
                snapshots.measureStarts();
                cluster.measureStarts(now);
                listener.phase("measure", seconds(spec.phases().measure()));
            }
            if (over.phase() == Phase.WARMUP && isWarmupOpen() && next.phase() == Phase.WARMUP) {
                judge(now);
            }
            // clients hand over what they gathered at their first operation's end after the border
            LockSupport.parkNanos(FLUSH_NANOS);
            listener.interval(name(over), intervals.of(over, intervals.length(over)));
            IntervalData settled = before;
            if (settled != null) {
                listener.settled(name(settled), () -> intervals.of(settled, intervals.length(settled)));
            }
            before = over;
        }

        private static String name(IntervalData interval) {
            return interval.phase() == Phase.WARMUP ? "warmup" : "measure";
        }

        /** Whether every client has done enough. */
        private boolean haveExecuted() {
            long enough = (long) spec.phases().warmupExecutions() * spec.mix().size();
            return crew.clients().stream().allMatch(c -> c.recorder().okSoFar() >= enough);
        }

        private void judge(long now) {
            long ok = crew.clients().stream()
                    .mapToLong(c -> c.recorder().okSoFar())
                    .sum();
            boolean level = judge.isLevelAfter((double) (ok - okBefore));
            okBefore = ok;
            Phases phases = spec.phases();
            boolean isWarm = phases.autoWarmup()
                    ? level && (schedule == null || schedule.isRampOver(now))
                    : now - timeline.origin() >= phases.warmup().toNanos();
            long next = timeline.boundary(now);
            if (isWarm && haveExecuted()) {
                startMeasureAt(next);
            } else if (next - timeline.origin() >= mostWarmup()) {
                warmupCut = haveExecuted()
                        ? "throughput was not level yet"
                        : "some client had not yet done its " + phases.warmupExecutions() + " executions";
                startMeasureAt(Math.max(now + TICK_NANOS, timeline.origin() + mostWarmup()));
            }
        }
    }

    /** Waits for what is in flight, at most as long as the drain may take; then counts the rest as unfinished. */
    private double drain(Crew crew) {
        long start = clock.nanoTime();
        long end = start + spec.phases().drain().toNanos();
        listener.phase("drain", seconds(spec.phases().drain()));
        while (!crew.haveAllEnded() && clock.nanoTime() < end) {
            LockSupport.parkNanos(TICK_NANOS / 4);
            if (Thread.interrupted()) {
                break;
            }
        }
        double seconds = (clock.nanoTime() - start) / 1e9;
        if (!crew.haveAllEnded()) {
            timeline.closeDrain();
            LockSupport.parkNanos(TICK_NANOS);
            hung = new Unfinished(spec, timeline, schedule, clock).count(crew.clients());
        }
        return seconds;
    }
}
