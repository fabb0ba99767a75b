package io.pgstress.operation.check;

import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.WriteSums;
import java.util.Locale;

/** The counts of {@link RowCheck}, summed over all resets of the table, and the verdict on them. Not thread-safe. */
final class RowSums {
    private final String who;
    private final String table;
    private final boolean onlyDeletes;
    private final boolean onlyInserts;
    private final boolean isExclusive;
    final boolean hasIds;
    long inserted;
    long deleted;
    /** Upper bound of the rows whose outcome is unknown. */
    long doubts;
    /** Rows missing, compared with the acknowledged writes. */
    long missing;
    /** Surplus rows, compared with the acknowledged writes. */
    long surplus;

    /** Rows by which a table differs from the reports of the hosts if one of them was lost. */
    long unreported;

    boolean idsDiffer;
    int resets;

    /**
     * @param who names of the operations
     * @param isExclusive whether only this run writes to the table; if not, only losses are errors
     * @param hasIds whether the sum of the ids is compared
     */
    RowSums(String who, String table, boolean onlyDeletes, boolean onlyInserts, boolean isExclusive, boolean hasIds) {
        this.who = who;
        this.table = table;
        this.onlyDeletes = onlyDeletes;
        this.onlyInserts = onlyInserts;
        this.isExclusive = isExclusive;
        this.hasIds = hasIds;
    }

    String who() {
        return who;
    }

    String table() {
        return table;
    }

    PostRunCheck verdict() {
        boolean isLess = missing > 0 && (isExclusive || !onlyDeletes);
        boolean isMore = surplus > 0 && (isExclusive || !(onlyInserts || onlyDeletes)); // others may insert meanwhile
        String more = inDoubt() + atResets();
        if (isLess || isMore) {
            return new PostRunCheck(false, difference() + more);
        }
        if (idsDiffer) {
            return new PostRunCheck(
                    false, who + ": " + table + " has as many rows as acknowledged, but other ids (sum(_id))" + more);
        }
        return new PostRunCheck(true, agreement() + others() + more);
    }

    private String difference() {
        if (onlyInserts && missing > 0) {
            return text("%s: %,d of %,d acknowledged inserts are missing from %s", who, missing, inserted, table);
        }
        if (onlyDeletes && surplus > 0) {
            return text("%s: %,d of %,d deleted rows are still in %s", who, surplus, deleted, table);
        }
        if (onlyInserts) {
            return text("%s: %,d rows more than the %,d acknowledged inserts are in %s", who, surplus, inserted, table);
        }
        if (onlyDeletes) {
            return text("%s: %,d rows more than the %,d deleted ones are gone from %s", who, missing, deleted, table);
        }
        String difference = missing > 0 ? text("%,d rows fewer", missing) : text("%,d rows more", surplus);
        return text(
                "%s: %s has %s than %,d acknowledged inserts and %,d acknowledged deletes leave",
                who, table, difference, inserted, deleted);
    }

    private String agreement() {
        String by = hasIds && doubts == 0 ? "count(*) and sum(_id)" : "count(*)";
        if (onlyInserts) {
            return text("%s: all %,d acknowledged inserts are in %s by %s", who, inserted, table, by);
        }
        if (onlyDeletes) {
            return text("%s: all %,d deleted rows are gone from %s by %s", who, deleted, table, by);
        }
        return text(
                "%s: %s has the rows that %,d acknowledged inserts and %,d acknowledged deletes leave by %s",
                who, table, inserted, deleted, by);
    }

    private String inDoubt() {
        if (doubts >= WriteSums.UNBOUNDED) {
            return text("; a host was lost, and %,d rows differ by what it wrote after its last report", unreported);
        }
        return doubts == 0 ? "" : text("; the outcome of at most %,d more rows is unknown", doubts);
    }

    private String others() {
        long rows = Math.max(missing, surplus);
        return rows == 0 ? "" : text("; something else changed %,d rows too, which may hide losses", rows);
    }

    private String atResets() {
        return resets == 0 ? "" : text("; checked at %,d reset%s and at the end", resets, resets == 1 ? "" : "s");
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
