package io.pgstress.measure;

import io.pgstress.measure.IntervalData.Phase;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * The run's phases cut into intervals. An operation belongs to the phase of its start and to the interval of its end: those that
 * the warm-up began and that end within the measurement count there as carried over, in rates only. Thread-safe; clients ask it at their start, after each boundary and whenever the times change, never in between. No thread waits for
 * another here: when platform and virtual threads shared a monitor, one of two runs with 1000 virtual threads had its own
 * thread wait for 10 s, as a virtual thread that is next in the monitor's queue does not run while the carriers have others.
 */
public final class Timeline {
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

    public Timeline(long intervalNanos, List<OperationShape> shapes, int nodes) {
        this(IntervalGrid.of(intervalNanos), shapes, nodes);
    }

    /** @param measureGrid how the measurement is cut; the warm-up has intervals of the same length */
    public Timeline(IntervalGrid measureGrid, List<OperationShape> shapes, int nodes) {
        this.warmupGrid = IntervalGrid.of(measureGrid.intervalNanos());
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

    /** Sets when the load starts; to be called before any client asks. */
    public void start(long newOrigin) {
        times.updateAndGet(t -> t.startingAt(newOrigin));
    }

    /**
     * Says when the measurement starts and ends. Operations that started before count in its rates only. Of no effect once it was
     * ended.
     */
    public void measure(long start, long end) {
        times.updateAndGet(t -> t.measuring(start, end));
    }

    /**
     * Ends the measurement earlier than planned (interrupted, used up, first error); where it has not started, it is empty.
     */
    public void endMeasure(long now) {
        times.updateAndGet(t -> t.endingAt(now));
    }

    /** A pause begins: no time passes until {@link #shift}. */
    public void pause(long now) {
        times.updateAndGet(t -> t.pausedAt(now));
    }

    /** Ends a pause: moves everything to come by its length. */
    public void shift(long nanos) {
        times.updateAndGet(t -> t.shiftedBy(nanos));
    }

    /** The times as they stand; another object as soon as one of them changes. */
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

    public long measureStart() {
        return times().measureStart();
    }

    public long measureEnd() {
        return times().measureEnd();
    }

    /** Nothing that ends from now on is recorded by the clients any more. */
    public void closeDrain() {
        drainOver = true;
    }

    public boolean drainIsOver() {
        return drainOver;
    }

    /** When operations on this node succeeded. */
    public SuccessTimes successes(int node) {
        return successes.get(node);
    }

    public int nodes() {
        return nodes;
    }

    public List<OperationShape> shapes() {
        return List.of(shapes);
    }

    /** How the measurement is cut. */
    public IntervalGrid measureGrid() {
        return measureGrid;
    }

    /** How the warm-up is cut. */
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
            case DRAIN -> drain;
        };
    }

    /** The end of the interval that holds this instant. */
    public long boundary(long nanos) {
        return boundary(times(), nanos);
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
            case DRAIN -> Long.MAX_VALUE;
        };
    }

    /** The intervals of a phase so far, without holes. */
    public List<IntervalData> intervals(Phase phase) {
        return switch (phase) {
            case WARMUP -> warmup.soFar();
            case MEASURE -> measure.soFar();
            case DRAIN -> List.of(drain);
        };
    }

    /** The sum of all measured intervals and the drain, of one operation on one node. */
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
}
