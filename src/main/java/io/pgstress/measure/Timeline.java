package io.pgstress.measure;

import io.pgstress.measure.IntervalData.Phase;
import java.util.ArrayList;
import java.util.List;

/**
 * The run's phases cut into intervals. An operation belongs to the phase of its start and to the interval of its end.
 * Thread-safe; clients ask it at their start, after each boundary and after a halt, never in between.
 */
public final class Timeline {
    private final long intervalNanos;
    private final OperationShape[] shapes;
    private final int nodes;
    private final List<IntervalData> warmup = new ArrayList<>();
    private final List<IntervalData> measure = new ArrayList<>();
    private final IntervalData drain;
    private volatile long origin;
    private volatile long measureStart = Long.MAX_VALUE;
    private volatile long measureEnd = Long.MAX_VALUE;
    private volatile boolean drainOver;
    private boolean ended;
    private long pausedAt = Long.MAX_VALUE;

    public Timeline(long intervalNanos, List<OperationShape> shapes, int nodes) {
        this.intervalNanos = intervalNanos;
        this.shapes = shapes.toArray(OperationShape[]::new);
        this.nodes = nodes;
        this.drain = new IntervalData(Phase.DRAIN, 0, this.shapes, nodes);
    }

    /** Sets when the load starts; to be called before any client asks. */
    public synchronized void start(long newOrigin) {
        origin = newOrigin;
    }

    /**
     * Says when the measurement starts and ends. Operations that started before are in no figure. Of no effect once it was
     * ended.
     */
    public synchronized void measure(long start, long end) {
        if (!ended) {
            measureEnd = end;
            measureStart = start;
        }
    }

    /**
     * Ends the measurement earlier than planned (interrupted, used up, first error); where it has not started, it is empty.
     */
    public synchronized void endMeasure(long now) {
        long at = Math.min(now, pausedAt);
        ended = true;
        measureEnd = Math.min(measureEnd, at);
        measureStart = Math.min(measureStart, at);
    }

    /** A halt begins: no time passes until {@link #shift}; every client stands still meanwhile. */
    public synchronized void pause(long now) {
        pausedAt = now;
    }

    /** Ends a halt: moves all that is to come by its length. */
    public synchronized void shift(long nanos) {
        pausedAt = Long.MAX_VALUE;
        origin += nanos;
        if (measureStart != Long.MAX_VALUE) {
            measureStart += nanos;
            measureEnd += nanos;
        }
    }

    public long origin() {
        return origin;
    }

    public long measureStart() {
        return measureStart;
    }

    public long measureEnd() {
        return measureEnd;
    }

    /** Nothing that ends from now on is recorded by the clients any more. */
    public void closeDrain() {
        drainOver = true;
    }

    public boolean drainIsOver() {
        return drainOver;
    }

    public int nodes() {
        return nodes;
    }

    public List<OperationShape> shapes() {
        return List.of(shapes);
    }

    public long intervalNanos() {
        return intervalNanos;
    }

    /** The interval that holds this instant. */
    public synchronized IntervalData at(long nanos) {
        if (nanos >= measureEnd) {
            return drain;
        }
        if (nanos >= measureStart) {
            return get(measure, Phase.MEASURE, nanos - measureStart);
        }
        return get(warmup, Phase.WARMUP, nanos - origin);
    }

    /** The end of the interval that holds this instant. */
    public synchronized long boundary(long nanos) {
        if (nanos >= measureEnd) {
            return Long.MAX_VALUE;
        }
        boolean measuring = nanos >= measureStart;
        long start = measuring ? measureStart : origin;
        long end = measuring ? measureEnd : measureStart;
        return Math.min(end, start + (Math.max(0, nanos - start) / intervalNanos + 1) * intervalNanos);
    }

    private IntervalData get(List<IntervalData> list, Phase phase, long sinceStart) {
        int index = (int) (Math.max(0, sinceStart) / intervalNanos);
        while (list.size() <= index) {
            list.add(new IntervalData(phase, list.size(), shapes, nodes));
        }
        return list.get(index);
    }

    /** The intervals of a phase so far, without holes. */
    public synchronized List<IntervalData> intervals(Phase phase) {
        return switch (phase) {
            case WARMUP -> List.copyOf(warmup);
            case MEASURE -> List.copyOf(measure);
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
