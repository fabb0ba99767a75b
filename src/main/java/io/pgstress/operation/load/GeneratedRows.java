package io.pgstress.operation.load;

import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.workload.SysbenchRows;

/** Generated sysbench rows with ids from 1. Belongs to its client's thread. */
final class GeneratedRows implements LoadRows {
    private static final int ROWS_PER_PORTION = 300;

    private final int rows;
    private final int copyRows;
    private final SysbenchRows made;
    private final byte[] bytes = new byte[ROWS_PER_PORTION * SysbenchRows.MAX_BYTES];
    private long next;
    private long end;

    /** @param rows number of rows of the table */
    GeneratedRows(int rows, int copyRows, SplitMix random) {
        this.rows = rows;
        this.copyRows = copyRows;
        this.made = new SysbenchRows(random, rows);
    }

    /** Number of COPYs. */
    static int copies(int rows, int copyRows) {
        return (int) (((long) rows + copyRows - 1) / copyRows);
    }

    /** Mean length of a row in bytes: id and k have as many digits as the numbers 1 to rows. */
    static double rowBytes(int rows) {
        double digits = 0;
        for (long from = 1; from <= rows; from *= 10) {
            digits += rows - from + 1;
        }
        return 2 * digits / rows + SysbenchRows.MAX_BYTES - 20;
    }

    @Override
    public void begin(int copy) {
        next = (long) copy * copyRows + 1;
        end = Math.min(rows, next + copyRows - 1);
    }

    @Override
    public int next() {
        int at = 0;
        for (int r = 0; r < ROWS_PER_PORTION && next <= end; r++) {
            at = made.write((int) next++, bytes, at);
        }
        return at;
    }

    @Override
    public byte[] bytes() {
        return bytes;
    }
}
