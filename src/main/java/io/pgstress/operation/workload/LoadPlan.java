package io.pgstress.operation.workload;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Which COPY is whose, and when a table has all of its rows. Thread-safe. */
final class LoadPlan {
    private final int tables;
    private final int copies;
    private final AtomicLong next = new AtomicLong();
    private final AtomicIntegerArray missing;

    /** @param copies of each table */
    LoadPlan(int tables, int copies) {
        this.tables = tables;
        this.copies = copies;
        this.missing = new AtomicIntegerArray(tables);
        again();
    }

    /** Nothing is loaded; for when all clients stand still. */
    void again() {
        next.set(0);
        for (int t = 0; t < tables; t++) {
            missing.set(t, copies);
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
