package io.pgstress.importer.table;

import io.pgstress.importer.verify.Checksum;
import io.pgstress.importer.verify.Verification;
import org.jspecify.annotations.Nullable;

/** The expected contents of a table, from its earlier contents and the input, and the result of the comparison. Thread-safe. */
public final class Expectation {
    private Checksum input = Checksum.NONE;
    private Checksum base = Checksum.NONE;
    private @Nullable Checksum whole;
    private @Nullable Verification comparison;

    /** Adds input rows that are in the table, loaded now or by an earlier part of this import. */
    public synchronized void add(Checksum more) {
        input = input.plus(more);
    }

    /** The checksum of the input's rows. */
    synchronized Checksum input() {
        return input;
    }

    /** Sets the contents of the table before this import. */
    synchronized void base(Checksum before) {
        base = before;
    }

    /** Sets the expected contents, if they are not just the earlier contents plus the input. */
    synchronized void whole(Checksum all) {
        whole = all;
    }

    private synchronized Checksum expected() {
        return whole == null ? base.plus(input) : whole;
    }

    /** The expected number of rows. */
    long rows() {
        return expected().rows();
    }

    /** Compares the table with the expectation. */
    synchronized Verification compare(Checksum found) {
        Verification made = new Verification(expected(), found);
        comparison = made;
        return made;
    }

    /** The result of the comparison; null if there was none. */
    public synchronized @Nullable Verification comparison() {
        return comparison;
    }
}
