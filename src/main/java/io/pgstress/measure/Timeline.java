package io.pgstress.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The run's phases cut into intervals. An operation belongs to the phase of its start and to the interval of its end. One that
 * starts in the warm-up and ends within the measurement is carried over and counts in rates only. Thread-safe; clients read it
 * at their start, after each boundary and whenever the times change. No thread waits for another here: when platform and
 * virtual threads shared a monitor, the main thread waited for 10 s in one of two runs with 1000 virtual threads, because a
 * virtual thread next in the monitor's queue does not run while its carriers are busy.
 */
public final class Timeline {
    /** Twelve days of the shortest intervals. */
    private static final int MAX_INTERVALS = 10_000_000;

    private final IntervalGrid warmupGrid;
    private final IntervalGrid measureGrid;
    private final OperationShape[] shapes;
    private final int nodes;
    private final List<SuccessTimes> successes;
    private final AtomicReference<Times> times = new AtomicReference<>(Times.UNKNOWN);
    private final IntervalSequence warmup;
    private final IntervalSequence measure;
    private final IntervalData drain;
    private volatile boolean drainOver;

    /** @param measureGrid the intervals of the measurement; those of the warm-up have the same length */
    public Timeline(IntervalGrid measureGrid, List<OperationShape> shapes, int nodes) {
        this.warmupGrid = measureGrid.unsegmented();
        this.measureGrid = measureGrid;
        this.shapes = shapes.toArray(OperationShape[]::new);
        this.nodes = nodes;
        this.successes = Stream.generate(SuccessTimes::new).limit(nodes).toList();
        this.warmup = new IntervalSequence(index -> make(Phase.WARMUP, index));
        this.measure = new IntervalSequence(index -> make(Phase.MEASURE, index));
        this.drain = make(Phase.DRAIN, 0);
    }

    private IntervalData make(Phase phase, int index) {
        return new IntervalData(phase, index, shapes, nodes);
    }

    /** Sets when the load starts. Call it before any client starts. */
    public void start(long newOrigin) {
        times.updateAndGet(t -> t.startingAt(newOrigin));
    }

    /**
     * Sets when the measurement starts and ends. Operations that started before it count in its rates only. Has no effect after
     * the measurement was ended.
     */
    public void measure(long start, long end) {
        times.updateAndGet(t -> t.measuring(start, end));
    }

    /** Ends the measurement earlier than planned (interrupt, no ids left, first error). If it has not started, it is empty. */
    public void endMeasure(long now) {
        times.updateAndGet(t -> t.endingAt(now));
    }

    /** Begins a pause: time stands still until {@link #shift}. */
    public void pause(long now) {
        times.updateAndGet(t -> t.pausedAt(now));
    }

    /** Ends a pause and moves all later times by its length. */
    public void shift(long nanos) {
        times.updateAndGet(t -> t.shiftedBy(nanos));
    }

    /** The current times; a new object after each change. */
    Times times() {
        return Objects.requireNonNull(times.get());
    }

    public long origin() {
        return times().origin();
    }

    /** Nanoseconds from the start of the load to this instant, pauses excluded. */
    public long sinceStart(long nanos) {
        Times now = times();
        return Math.min(nanos, now.pausedAt()) - now.origin();
    }

    /** {@link #sinceStart}, but below 0 before the load, when its start may not be known yet. */
    public long sinceLoad(long nanos) {
        return times().origin() == Times.UNKNOWN.origin ? -1 : sinceStart(nanos);
    }

    public long measureStart() {
        return times().measureStart();
    }

    public long measureEnd() {
        return times().measureEnd();
    }

    /** Whether the measurement has ended by this instant. It does not end in a pause, whose length moves its end only afterwards. */
    public boolean isOver(long nanos) {
        Times now = times();
        return Math.min(nanos, now.pausedAt()) >= now.measureEnd();
    }

    /** Closes the drain: clients record nothing that ends later. */
    public void closeDrain() {
        drainOver = true;
    }

    public boolean drainIsOver() {
        return drainOver;
    }

    /** The times at which operations on this node succeeded. */
    public SuccessTimes successes(int node) {
        return successes.get(node);
    }

    public List<OperationShape> shapes() {
        return List.of(shapes);
    }

    /** The intervals of the measurement. */
    public IntervalGrid measureGrid() {
        return measureGrid;
    }

    /** The intervals of the warm-up. */
    public IntervalGrid warmupGrid() {
        return warmupGrid;
    }

    /** The interval that holds this instant. */
    public IntervalData at(long nanos) {
        return at(times(), nanos);
    }

    IntervalData at(Times now, long nanos) {
        return switch (now.phaseAt(nanos)) {
            case WARMUP -> warmup.get(warmupGrid.indexAt(nanos - now.origin()));
            case MEASURE -> measure.get(measureGrid.indexAt(nanos - now.measureStart()));
            default -> drain;
        };
    }

    /**
     * An interval of a phase by its number, created if it does not exist yet; the drain is one interval.
     *
     * @throws IllegalArgumentException if the number is below 0 or beyond any run
     */
    public IntervalData interval(Phase phase, int index) {
        if (index < 0 || index > MAX_INTERVALS) {
            throw new IllegalArgumentException("interval " + index);
        }
        return switch (phase) {
            case WARMUP -> warmup.get(index);
            case MEASURE -> measure.get(index);
            case DRAIN -> drain;
            case CONNECT, CHECK -> throw new IllegalArgumentException("no operations run in " + phase);
        };
    }

    /** The end of the interval that holds this instant. */
    public long boundary(long nanos) {
        return boundary(times(), nanos);
    }

    /** The end of an interval of the measurement. */
    public long endOf(IntervalData interval) {
        Times now = times();
        return Math.min(now.measureEnd(), now.measureStart() + measureGrid.endOf(interval.index()));
    }

    long boundary(Times now, long nanos) {
        return switch (now.phaseAt(nanos)) {
            case WARMUP -> {
                long end = warmupGrid.endOf(warmupGrid.indexAt(nanos - now.origin()));
                yield Math.min(now.measureStart(), now.origin() + end);
            }
            case MEASURE -> {
                long end = measureGrid.endOf(measureGrid.indexAt(nanos - now.measureStart()));
                yield Math.min(now.measureEnd(), now.measureStart() + end);
            }
            default -> Long.MAX_VALUE;
        };
    }

    /** The intervals of a phase in which operations run, so far, without gaps. */
    public List<IntervalData> intervals(Phase phase) {
        return switch (phase) {
            case WARMUP -> warmup.soFar();
            case MEASURE -> measure.soFar();
            case DRAIN -> List.of(drain);
            case CONNECT, CHECK -> throw new IllegalArgumentException("no operations run in " + phase);
        };
    }

    /** The sum of all measured intervals and the drain, for one operation on one node. */
    public Cell total(int node, int operation) {
        Cell sum = new Cell(shapes[operation].statements().size());
        for (IntervalData interval : intervals(Phase.MEASURE)) {
            interval.addTo(sum, node, operation);
        }
        drain.addTo(sum, node, operation);
        return sum;
    }

    /** The sum over all nodes of {@link #total(int, int)}. */
    public Cell total(int operation) {
        Cell sum = new Cell(shapes[operation].statements().size());
        for (int node = 0; node < nodes; node++) {
            sum.add(total(node, operation));
        }
        return sum;
    }

    /** The intervals of one phase, created on first use, without gaps. Thread-safe; finding an existing one takes no lock. */
    static final class IntervalSequence {
        private final ConcurrentMap<Integer, IntervalData> intervals = new ConcurrentHashMap<>();
        private final IntFunction<IntervalData> make;

        /** @param make creates the interval of a number; if two threads create it at once, one of the two is kept */
        IntervalSequence(IntFunction<IntervalData> make) {
            this.make = make;
        }

        IntervalData get(int index) {
            IntervalData existing = intervals.get(index);
            return existing != null ? existing : fillUpTo(index);
        }

        /** Adds missing intervals in ascending order, so that there is never a gap below an existing one. */
        private IntervalData fillUpTo(int index) {
            int missing = index;
            while (missing > 0 && !intervals.containsKey(missing - 1)) {
                missing--;
            }
            for (int i = missing; i < index; i++) {
                intervals.putIfAbsent(i, make.apply(i));
            }
            IntervalData mine = make.apply(index);
            @Nullable IntervalData other = intervals.putIfAbsent(index, mine);
            return other == null ? mine : other;
        }

        /** The intervals so far, in order. */
        List<IntervalData> soFar() {
            List<IntervalData> found = new ArrayList<>();
            for (IntervalData one = intervals.get(0); one != null; one = intervals.get(found.size())) {
                found.add(one);
            }
            return found;
        }
    }

    /**
     * When the phases of a run begin and end, in the clock's nanoseconds, as known at one moment. Immutable.
     *
     * @param origin when the load starts
     * @param measureStart start of the measurement; {@link Long#MAX_VALUE} while unknown
     * @param measureEnd end of the measurement; {@link Long#MAX_VALUE} while unknown
     * @param pausedAt when the current pause began; {@link Long#MAX_VALUE} if there is none
     * @param isEnded whether the measurement was ended early, so that its end is final
     */
    record Times(long origin, long measureStart, long measureEnd, long pausedAt, boolean isEnded) {
        static final Times UNKNOWN = new Times(0, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, false);

        Times startingAt(long newOrigin) {
            return new Times(newOrigin, measureStart, measureEnd, pausedAt, isEnded);
        }

        Times measuring(long start, long end) {
            return isEnded ? this : new Times(origin, start, end, pausedAt, false);
        }

        Times endingAt(long now) {
            long at = Math.min(now, pausedAt);
            return new Times(origin, Math.min(measureStart, at), Math.min(measureEnd, at), pausedAt, true);
        }

        Times pausedAt(long now) {
            return new Times(origin, measureStart, measureEnd, now, isEnded);
        }

        Times shiftedBy(long nanos) {
            boolean isOpen = measureStart == Long.MAX_VALUE;
            return new Times(
                    origin + nanos,
                    isOpen ? measureStart : measureStart + nanos,
                    isOpen ? measureEnd : measureEnd + nanos,
                    Long.MAX_VALUE,
                    isEnded);
        }

        Phase phaseAt(long nanos) {
            if (nanos >= measureEnd) {
                return Phase.DRAIN;
            }
            return nanos >= measureStart ? Phase.MEASURE : Phase.WARMUP;
        }
    }
}
