package io.pgstress.measure;

import io.pgstress.measure.CellCodec.CellIncrement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The operations that ended within one interval, by node and operation. Thread-safe; clients add theirs in batches. Readers see
 * everything; {@link #takeNew} sees what was added since its last call.
 */
public final class IntervalData {
    private final Phase phase;
    private final int index;
    private final OperationShape[] shapes;
    private final ReentrantLock lock = new ReentrantLock();
    private final @Nullable Cell[][] cells;

    /** Guards {@link #taken}. Clients never take it, so it may be held for long; it is taken before {@link #lock}. */
    private final ReentrantLock takenLock = new ReentrantLock();

    private final @Nullable Cell[][] taken;

    IntervalData(Phase phase, int index, OperationShape[] shapes, int nodes) {
        this.phase = phase;
        this.index = index;
        this.shapes = shapes;
        this.cells = new Cell[nodes][shapes.length];
        this.taken = new Cell[nodes][shapes.length];
    }

    public Phase phase() {
        return phase;
    }

    /** Its number within its phase, from 0. */
    public int index() {
        return index;
    }

    /** Takes the lock if it is free. */
    boolean tryEnter() {
        return lock.tryLock();
    }

    /**
     * Takes the lock. It is held for a few microseconds, so waiting spins. In a queue, a platform thread would wait behind
     * virtual threads, and a virtual thread woken by a platform thread runs only when its carriers are idle.
     */
    @SuppressWarnings("ThreadPriorityCheck") // the yield affects only the length of the wait
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

    /** Compresses its histograms. Call it when little more will be added. */
    public void pack() {
        takenLock.lock();
        try {
            pack(taken);
            enter();
            try {
                pack(cells);
            } finally {
                leave();
            }
        } finally {
            takenLock.unlock();
        }
    }

    private static void pack(@Nullable Cell[][] all) {
        for (@Nullable Cell[] ofNode : all) {
            for (Cell cell : ofNode) {
                if (cell != null) {
                    cell.pack();
                }
            }
        }
    }

    /** What was added since the last call, for another host. Clients do not wait while it is encoded. */
    public List<CellIncrement> takeNew() {
        List<CellIncrement> increments = new ArrayList<>();
        takenLock.lock();
        try {
            for (int node = 0; node < cells.length; node++) {
                for (int operation = 0; operation < shapes.length; operation++) {
                    Cell cell = take(node, operation);
                    if (cell != null) {
                        increments.add(new CellIncrement(node, operation, CellCodec.encode(cell)));
                        Cell earlier = taken[node][operation];
                        if (earlier == null) {
                            taken[node][operation] = cell;
                        } else {
                            earlier.add(cell);
                        }
                    }
                }
            }
        } finally {
            takenLock.unlock();
        }
        return increments;
    }

    private @Nullable Cell take(int node, int operation) {
        enter();
        try {
            Cell cell = cells[node][operation];
            cells[node][operation] = null;
            return cell;
        } finally {
            leave();
        }
    }

    /**
     * Adds what another host recorded.
     *
     * @throws IllegalArgumentException if it has other statements than the operation
     */
    public void add(int node, int operation, Cell other) {
        int expected = shapes[operation].statements().size();
        if (other.statements.length != expected) {
            throw new IllegalArgumentException(
                    shapes[operation].name() + " has " + expected + " statements, not " + other.statements.length);
        }
        enter();
        try {
            cell(node, operation).add(other);
        } finally {
            leave();
        }
    }

    /** A copy of the sum over all operations and nodes, without statements. */
    public Cell total() {
        Cell sum = new Cell(0);
        for (int node = 0; node < cells.length; node++) {
            for (int operation = 0; operation < shapes.length; operation++) {
                addTo(sum, node, operation);
            }
        }
        return sum;
    }

    /** A copy of one operation's sum over the nodes. */
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
     * Counts operations of an open loop that were due but never began; their only time is the wait.
     *
     * @param waitedNanos time since each was due
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
        takenLock.lock();
        try {
            Cell earlier = taken[node][operation];
            if (earlier != null) {
                sum.add(earlier);
            }
            enter();
            try {
                Cell cell = cells[node][operation];
                if (cell != null) {
                    sum.add(cell);
                }
            } finally {
                leave();
            }
        } finally {
            takenLock.unlock();
        }
    }
}
