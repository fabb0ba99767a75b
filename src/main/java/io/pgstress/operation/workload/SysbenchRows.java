package io.pgstress.operation.workload;

import io.pgstress.dataset.SplitMix;

/** Rows of sysbench's form, as COPY takes them in its text format. Not thread-safe. */
public final class SysbenchRows {
    /** Of the table, without the primary key. */
    public static final String COLUMNS = "id integer not null, k integer default 0 not null,"
            + " c char(120) default '' not null, pad char(60) default '' not null";

    /** As columns of a COPY or an INSERT. */
    public static final String NAMES = "(id, k, c, pad)";

    /** The most that a row takes. */
    public static final int MAX_BYTES = 10 + 10 + 119 + 59 + 4;

    private final SplitMix random;
    private final int mostK;
    private final Digits c;
    private final Digits pad;

    /** @param mostK the greatest value of column k, the least is 1 */
    public SysbenchRows(SplitMix random, int mostK) {
        this.random = random;
        this.mostK = mostK;
        this.c = new Digits(random, 10);
        this.pad = new Digits(random, 5);
    }

    /** Writes the row of this id; where it ends. */
    public int write(int id, byte[] to, int from) {
        int at = number(id, to, from);
        at = number(random.below(mostK) + 1, to, at);
        at = c.write(to, at);
        to[at++] = '\t';
        at = pad.write(to, at);
        to[at++] = '\n';
        return at;
    }

    /** A positive number and a tab. */
    private static int number(int value, byte[] to, int from) {
        int digits = 1;
        for (int rest = value; rest >= 10; rest /= 10) {
            digits++;
        }
        int rest = value;
        for (int at = from + digits - 1; at >= from; at--) {
            to[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        to[from + digits] = '\t';
        return from + digits + 1;
    }
}
