package io.pgstress.operation.workload;

import io.pgstress.dataset.SplitMix;

/** Rows of sysbench's table, in COPY's text format. Not thread-safe. */
public final class SysbenchRows {
    /** The column definitions, without the primary key. */
    public static final String COLUMNS = "id integer not null, k integer default 0 not null,"
            + " c char(120) default '' not null, pad char(60) default '' not null";

    /** The column list of a COPY or an INSERT. */
    public static final String NAMES = "(id, k, c, pad)";

    /** Maximum length of a row in bytes. */
    public static final int MAX_BYTES = 10 + 10 + 119 + 59 + 4;

    private final SplitMix random;
    private final int maxK;
    private final Digits c;
    private final Digits pad;

    /** @param maxK the greatest value of column k, which the row with id 1 has; the least is 1 */
    public SysbenchRows(SplitMix random, int maxK) {
        this.random = random;
        this.maxK = maxK;
        this.c = new Digits(random, 10);
        this.pad = new Digits(random, 5);
    }

    /** Writes the row with this id and returns its end. */
    public int write(int id, byte[] to, int from) {
        int at = number(id, to, from);
        at = number(id == 1 ? maxK : random.below(maxK) + 1, to, at);
        at = c.write(to, at);
        to[at++] = '\t';
        at = pad.write(to, at);
        to[at++] = '\n';
        return at;
    }

    /** Writes a positive number and a tab. */
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
