package io.pgstress.operation.table;

import io.pgstress.dataset.SplitMix;
import io.pgstress.target.statement.SqlStatement.CopyPortions;

/** Generated sysbench rows with ids from 1. Belongs to its client's thread. */
final class GeneratedRows implements CopyPortions {
    /** The bytes of a portion, if a row is not longer. */
    private static final int PORTION_BYTES = 300 * SysbenchRows.MAX_BYTES;

    private final int rows;
    private final int copyRows;
    private final SysbenchRows made;
    private final int portion;
    private final byte[] bytes;
    private long next;
    private long end;

    /**
     * @param rows number of rows of the table
     * @param cGroups the length of column c, see {@link SysbenchRows}
     */
    GeneratedRows(int rows, int copyRows, SplitMix random, int cGroups) {
        this.rows = rows;
        this.copyRows = copyRows;
        this.made = new SysbenchRows(random, rows, cGroups);
        this.portion = Math.max(1, PORTION_BYTES / SysbenchRows.maxBytes(cGroups));
        this.bytes = new byte[portion * SysbenchRows.maxBytes(cGroups)];
    }

    /** Number of COPYs. */
    static int copies(int rows, int copyRows) {
        return (int) (((long) rows + copyRows - 1) / copyRows);
    }

    /** Mean length of a row in bytes: id and k have as many digits as the numbers 1 to rows. */
    static double rowBytes(int rows, int cGroups) {
        double digits = 0;
        for (long from = 1; from <= rows; from *= 10) {
            digits += rows - from + 1;
        }
        return 2 * digits / rows + SysbenchRows.maxBytes(cGroups) - 20;
    }

    /** Moves to the first row of a COPY of any table; COPYs are numbered from 0. */
    void begin(int copy) {
        next = (long) copy * copyRows + 1;
        end = Math.min(rows, next + copyRows - 1);
    }

    @Override
    public int next() {
        int at = 0;
        for (int r = 0; r < portion && next <= end; r++) {
            at = made.write((int) next++, bytes, at);
        }
        return at;
    }

    @Override
    public byte[] bytes() {
        return bytes;
    }
}
