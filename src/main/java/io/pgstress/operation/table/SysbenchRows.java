package io.pgstress.operation.table;

import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.OperationType.SetUpWork;
import io.pgstress.operation.custom.DigitText;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/** Rows of sysbench's table, in COPY's text format; column c can be made longer or shorter. Not thread-safe. */
public final class SysbenchRows {
    /** The number of groups of digits in sysbench's column c. */
    public static final int C_GROUPS = 10;

    /** The column definitions, without the primary key. */
    public static final String COLUMNS = columns(C_GROUPS);

    /** The column list of a COPY or an INSERT. */
    public static final String NAMES = "(id, k, c, pad)";

    /** Maximum length of a row in bytes. */
    public static final int MAX_BYTES = maxBytes(C_GROUPS);

    private static final int PAD_GROUPS = 5;
    private static final int PORTION = 100_000;
    private static final int GROUP_BYTES = 12;

    private final SplitMix random;
    private final int maxK;
    private final DigitText c;
    private final DigitText pad;

    /** @param maxK the greatest value of column k, which the row with id 1 has; the least is 1 */
    public SysbenchRows(SplitMix random, int maxK) {
        this(random, maxK, C_GROUPS);
    }

    /** @param cGroups the number of groups of 12 bytes in column c */
    public SysbenchRows(SplitMix random, int maxK, int cGroups) {
        this.random = random;
        this.maxK = maxK;
        this.c = new DigitText(random, groups(cGroups));
        this.pad = new DigitText(random, groups(PAD_GROUPS));
    }

    /** Groups of 11 digits. */
    private static String groups(int count) {
        return String.join("-", Collections.nCopies(count, "###########"));
    }

    /** The column definitions for rows with another length of column c. */
    public static String columns(int cGroups) {
        return "id integer not null, k integer default 0 not null, c char(" + GROUP_BYTES * cGroups
                + ") default '' not null, pad char(60) default '' not null";
    }

    /** The number of groups in column c of rows whose values have about this many bytes, at least 1. */
    public static int cGroups(int rowBytes) {
        return Math.max(1, (rowBytes - GROUP_BYTES * PAD_GROUPS - 2 * Integer.BYTES) / GROUP_BYTES);
    }

    /** Maximum length of a row in bytes, with its separators. */
    public static int maxBytes(int cGroups) {
        return 10 + 10 + GROUP_BYTES * (cGroups + PAD_GROUPS) - 2 + 4;
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

    /** Writes a positive number and a tab, and returns their end. */
    public static int number(long value, byte[] to, int from) {
        int tab = from + 1;
        for (long rest = value; rest >= 10; rest /= 10) {
            tab++;
        }
        long rest = value;
        for (int at = tab - 1; at >= from; at--) {
            to[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        to[tab] = '\t';
        return tab + 1;
    }

    /**
     * Loads rows with the ids from 1 to {@code count} into an empty table, then vacuums and analyzes it.
     *
     * @param work where further connections come from; null: only {@code control} is used
     * @param maxK the greatest value of column k
     */
    public static void fill(Connection control, @Nullable SetUpWork work, String table, int count, int maxK, long seed)
            throws SQLException {
        PortionedCopy.fill(
                control,
                work,
                new PortionedCopy.Content(
                        table + " " + SysbenchRows.NAMES,
                        count,
                        PORTION,
                        SysbenchRows.MAX_BYTES,
                        portion -> rows(new SysbenchRows(new SplitMix(seed, portion), maxK))));
        ControlSql.execute(control, "vacuum analyze " + table);
    }

    private static PortionedCopy.Rows rows(SysbenchRows made) {
        return (id, to, from) -> made.write((int) id, to, from);
    }
}
