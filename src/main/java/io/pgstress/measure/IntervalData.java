package io.pgstress.measure;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What ended within one interval, by node and operation. Thread-safe: clients add what they gathered, in batches. */
public final class IntervalData {
    /** Which part of the run an interval belongs to. */
    public enum Phase {
        WARMUP,
        MEASURE,
        DRAIN
    }

    private final Phase phase;
    private final int index;
    private final OperationShape[] shapes;
    private final ReentrantLock lock = new ReentrantLock();
    private final @Nullable Cell[][] cells;

    IntervalData(Phase phase, int index, OperationShape[] shapes, int nodes) {
        this.phase = phase;
        this.index = index;
        this.shapes = shapes;
        this.cells = new Cell[nodes][shapes.length];
    }

    public Phase phase() {
        return phase;
    }

    /** Its number within its phase; those of the warm-up count up from 0 too. */
    public int index() {
        return index;
    }

    /** Takes the lock if it is free. */
    boolean tryEnter() {
        return lock.tryLock();
    }

    /**
     * Takes the lock. It is held for some microseconds, and waited for without a queue: in one, a platform thread stands
     * behind virtual threads, and a virtual thread that a platform thread wakes runs only when its carriers have nothing else.
     */
    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on the yield but how long the wait is
    void enter() {
        while (!lock.tryLock()) {
            Thread.yield();
        }
    }

    void leave() {
        lock.unlock();
    }

    /** The cell to add to; the caller holds the lock. */
    Cell cell(int node, int operation) {
        Cell cell = cells[node][operation];
        if (cell == null) {
            cell = new Cell(shapes[operation].statements().size());
            cells[node][operation] = cell;
        }
        return cell;
    }

    /** Keeps its histograms compressed: to be called when hardly anything is added to it any more. */
    public void pack() {
        enter();
        try {
            for (Cell[] ofNode : cells) {
                for (Cell cell : ofNode) {
                    if (cell != null) {
                        cell.pack();
                    }
                }
            }
        } finally {
            leave();
        }
    }

    /** A copy of the sum over the nodes, of one operation. */
    public Cell operation(int operation) {
        Cell sum = new Cell(shapes[operation].statements().size());
        for (int node = 0; node < cells.length; node++) {
            addTo(sum, node, operation);
        }
        return sum;
    }

    /** A copy of one operation on one node. */
    public Cell operation(int node, int operation) {
        Cell sum = new Cell(shapes[operation].statements().size());
        addTo(sum, node, operation);
        return sum;
    }

    /**
     * Counts operations of an open load that were due and never begun: they had no time but that of waiting.
     *
     * @param waitedNanos since each was due
     * @param latencyLimitNanos those that waited longer are late
     */
    public void neverBegun(int node, int operation, long waitedNanos, long count, long latencyLimitNanos) {
        enter();
        try {
            Cell cell = cell(node, operation);
            cell.outcomes[Outcome.UNFINISHED.ordinal()] += count;
            cell.time(Time.LAG, waitedNanos, count);
            cell.time(Time.RESPONSE, waitedNanos, count);
            cell.late += waitedNanos > latencyLimitNanos ? count : 0;
        } finally {
            leave();
        }
    }

    void addTo(Cell sum, int node, int operation) {
        enter();
        try {
            Cell cell = cells[node][operation];
            if (cell != null) {
                sum.add(cell);
            }
        } finally {
            leave();
        }
    }
}
