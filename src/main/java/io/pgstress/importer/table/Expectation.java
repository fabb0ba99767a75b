package io.pgstress.importer.table;

import io.pgstress.importer.verify.Checksum;
import io.pgstress.importer.verify.Verification;
import org.jspecify.annotations.Nullable;

/** What a table must hold in the end, by what it held and what the input has, and how that came out. Thread-safe. */
public final class Expectation {
    private Checksum input = Checksum.NONE;
    private Checksum base = Checksum.NONE;
    private @Nullable Checksum whole;
    private @Nullable Verification comparison;

    /** More of the input is in the table, now or since an earlier part of this import. */
    public synchronized void add(Checksum more) {
        input = input.plus(more);
    }

    /** What the input's rows come to. */
    synchronized Checksum input() {
        return input;
    }

    /** What the table held before this import. */
    synchronized void base(Checksum before) {
        base = before;
    }

    /** What the table must hold, where that is not just what it held and the input. */
    synchronized void whole(Checksum all) {
        whole = all;
    }

    /** Holds the table against it. */
    synchronized Verification compare(Checksum found) {
        Verification made = new Verification(whole == null ? base.plus(input) : whole, found);
        comparison = made;
        return made;
    }

    /** How that came out; null where it was not done. */
    public synchronized @Nullable Verification comparison() {
        return comparison;
    }
}
