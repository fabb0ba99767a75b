package io.pgstress.operation.table;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Hands out COPYs to clients and tracks when a table is complete. Thread-safe. */
final class LoadPlan {
    private static final int UNCLAIMED = 0;
    private static final int TAKEN = 1;
    private static final int MADE = 2;

    private final int tables;
    private final int copies;
    private final AtomicLong next = new AtomicLong();
    private final AtomicIntegerArray missing;
    /** By table: whether its indexes are unclaimed, claimed by a client, or built. */
    private final AtomicIntegerArray indexes;

    /** @param copies number of COPYs of each table */
    LoadPlan(int tables, int copies) {
        this.tables = tables;
        this.copies = copies;
        this.missing = new AtomicIntegerArray(tables);
        this.indexes = new AtomicIntegerArray(tables);
        again();
    }

    int tables() {
        return tables;
    }

    /** Nothing is loaded; called while all clients are paused. */
    void again() {
        next.set(0);
        for (int t = 0; t < tables; t++) {
            missing.set(t, copies);
            indexes.set(t, UNCLAIMED);
        }
    }

    /** The number of a COPY that no client has taken: the tables take turns; -1 if none is left. */
    long draw() {
        long drawn = next.getAndIncrement();
        return drawn < all() ? drawn : -1;
    }

    int table(long drawn) {
        return (int) (drawn % tables);
    }

    int copy(long drawn) {
        return (int) (drawn / tables);
    }

    /** Records a finished COPY of the table; returns whether it was the last. */
    boolean loaded(int table) {
        return missing.decrementAndGet(table) == 0;
    }

    /** Takes back a recorded COPY that was rolled back. */
    void notLoaded(int table) {
        missing.incrementAndGet(table);
    }

    /** Claims the table's indexes; whether the caller is to build them, as no other client has or is about to. */
    boolean takeIndexes(int table) {
        return indexes.compareAndSet(table, UNCLAIMED, TAKEN);
    }

    void indexed(int table) {
        indexes.set(table, MADE);
    }

    /** Gives back the table's indexes, which were not created or were rolled back. */
    void notIndexed(int table) {
        indexes.set(table, UNCLAIMED);
    }

    /** Number of tables without indexes recorded by {@link #indexed}. */
    int unindexed() {
        return (int)
                IntStream.range(0, tables).filter(t -> indexes.get(t) != MADE).count();
    }

    /** Number of COPYs not yet loaded. */
    long missing() {
        return IntStream.range(0, tables).mapToLong(missing::get).sum();
    }

    /** Number of COPYs that no client has taken. */
    long unbegun() {
        return Math.max(0, all() - next.get());
    }

    long all() {
        return (long) tables * copies;
    }
}
