package io.pgstress.operation.load;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Which COPY is whose, and when a table has all of its rows. Thread-safe. */
final class LoadPlan {
    private static final int NOBODYS = 0;
    private static final int TAKEN = 1;
    private static final int MADE = 2;

    private final int tables;
    private final int copies;
    private final AtomicLong next = new AtomicLong();
    private final AtomicIntegerArray missing;
    /** By table: whether its indexes are nobody's, somebody's to make, or made. */
    private final AtomicIntegerArray indexes;

    /** @param copies of each table */
    LoadPlan(int tables, int copies) {
        this.tables = tables;
        this.copies = copies;
        this.missing = new AtomicIntegerArray(tables);
        this.indexes = new AtomicIntegerArray(tables);
        again();
    }

    /** Nothing is loaded; for when all clients stand still. */
    void again() {
        next.set(0);
        for (int t = 0; t < tables; t++) {
            missing.set(t, copies);
            indexes.set(t, NOBODYS);
        }
    }

    /** The number of a COPY that nobody has: {@code tables} in turn; -1 where there is none left. */
    long draw() {
        long drawn = next.getAndIncrement();
        return drawn < (long) tables * copies ? drawn : -1;
    }

    int table(long drawn) {
        return (int) (drawn % tables);
    }

    int copy(long drawn) {
        return (int) (drawn / tables);
    }

    /** A COPY of the table is in; whether it was the last. */
    boolean loaded(int table) {
        return missing.decrementAndGet(table) == 0;
    }

    /** A COPY of the table was in and is so no more. */
    void notLoaded(int table) {
        missing.incrementAndGet(table);
    }

    /** Whether the table's indexes are the caller's to make: nobody else has, or is about to. */
    boolean takeIndexes(int table) {
        return indexes.compareAndSet(table, NOBODYS, TAKEN);
    }

    void indexed(int table) {
        indexes.set(table, MADE);
    }

    /** Whoever had taken them has made none that is left. */
    void notIndexed(int table) {
        indexes.set(table, NOBODYS);
    }

    /** How many tables have not been told of by {@link #indexed}. */
    int unindexed() {
        return (int)
                IntStream.range(0, tables).filter(t -> indexes.get(t) != MADE).count();
    }

    /** How many COPYs are not in. */
    long missing() {
        long sum = 0;
        for (int t = 0; t < tables; t++) {
            sum += missing.get(t);
        }
        return sum;
    }

    long all() {
        return (long) tables * copies;
    }
}
