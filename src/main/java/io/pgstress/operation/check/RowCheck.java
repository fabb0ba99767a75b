package io.pgstress.operation.check;

import io.pgstress.operation.TableCheck.PostRunCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.WriteTallies.WriteSums;
import io.pgstress.operation.Writes;
import io.pgstress.operation.Writes.Kind;
import io.pgstress.text.Rounded;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a table's acknowledged inserts and deletes with its actual rows: before each reset of the table and at the
 * end. Belongs to one thread at a time.
 */
final class RowCheck {
    private static final Logger LOG = LoggerFactory.getLogger(RowCheck.class);

    private static final String QUERY_CANCELED = "57014";

    /** @param ids the sum of the ids modulo 2^64; 0 if ids are not compared */
    private record Rows(long count, long ids) {}

    private final String table;
    private final List<Writes> writes;
    private final int maxSeconds;
    /** The names of the operations. */
    private final String who;

    /** The table as shown. */
    private final String name;

    private final boolean onlyDeletes;
    private final boolean onlyInserts;
    /** Whether only this run writes to the table; if not, only losses are errors. */
    private final boolean isExclusive;

    /** Whether the sum of the ids is compared. */
    private final boolean hasIds;

    private long inserted;
    private long deleted;
    /** Upper bound of the rows whose outcome is unknown. */
    private long doubts;
    /** Rows missing, compared with the acknowledged writes. */
    private long missing;
    /** Surplus rows, compared with the acknowledged writes. */
    private long surplus;
    /** Rows by which a table differs from the reports of the hosts if one of them was lost. */
    private long unreported;

    private boolean idsDiffer;
    private int resets;
    private Rows before = new Rows(0, 0);
    private boolean isOpen;
    /** Why the rows could not be counted in time; empty if they were. */
    private String impossible = "";

    private final Object counting = new Object();
    private @Nullable Statement counter;
    private boolean isStopped;

    /**
     * @param table the table as written in SQL
     * @param writes all inserts into and deletes from this table
     * @param maxSeconds time limit of a count before the load or at a reset, while clients wait
     */
    RowCheck(String table, List<Writes> writes, int maxSeconds) {
        this.maxSeconds = maxSeconds;
        this.table = table;
        this.writes = List.copyOf(writes);
        this.who = writes.stream().map(Writes::operation).distinct().collect(Collectors.joining(", "));
        this.name = table.replace("\"", "");
        this.onlyDeletes = of(Kind.INSERT).isEmpty();
        this.onlyInserts = of(Kind.DELETE).isEmpty();
        this.isExclusive = writes.stream().allMatch(Writes::exclusive);
        this.hasIds = writes.stream().allMatch(Writes::ids);
    }

    private List<Writes> of(Kind kind) {
        return writes.stream().filter(w -> w.kind() == kind).toList();
    }

    /** Counts the rows of the initialized or reset table, before any client runs. */
    void begin(Connection control) throws SQLException {
        if (impossible.isEmpty()) {
            withinLimit("before the load", () -> before = rows(control, maxSeconds));
            writes.forEach(w -> w.tallies().reset());
            isOpen = true;
        }
    }

    /** Compares the writes since {@link #begin}; called while all clients are paused, before the table is reset. */
    void settleBeforeReset(Connection control) throws SQLException {
        if (isOpen && impossible.isEmpty()) {
            withinLimit("at a reset", () -> settle(rows(control, maxSeconds)));
            resets++;
        }
    }

    /** The result at the end, after all clients have stopped. The caller enforces a time limit. */
    PostRunCheck finish(Connection control) throws SQLException {
        if (!impossible.isEmpty()) {
            return PostRunCheck.notDone(impossible);
        }
        settle(rows(control, 0));
        return verdict();
    }

    /** Why the check is not possible; empty if it is. */
    String impossible() {
        return impossible;
    }

    /** Cancels the current and all later counts before the load and at resets; may be called by any thread. */
    void stop() {
        synchronized (counting) {
            isStopped = true;
            if (counter != null) {
                try {
                    counter.cancel();
                } catch (SQLException e) {
                    LOG.debug("a count could not be cancelled", e); // its time limit ends it
                }
            }
        }
    }

    private interface Count {
        void run() throws SQLException;
    }

    private void withinLimit(String when, Count count) throws SQLException {
        try {
            count.run();
        } catch (SQLException e) {
            if (!QUERY_CANCELED.equals(e.getSQLState())) {
                throw e;
            }
            impossible = Rounded.format(
                    "%s: the writes to %s were not checked: counting its rows %s %s",
                    who, name, when, isStopped() ? "was stopped" : "took longer than " + maxSeconds + " s");
        }
    }

    private boolean isStopped() {
        synchronized (counting) {
            return isStopped;
        }
    }

    private void settle(Rows there) {
        isOpen = false;
        long in = sum(Kind.INSERT, WriteTallies::acknowledged);
        long out = sum(Kind.DELETE, WriteTallies::acknowledged);
        long doubtIn = sum(Kind.INSERT, WriteTallies::doubts);
        long doubtOut = sum(Kind.DELETE, WriteTallies::doubts);
        long least = before.count() + in - out - doubtOut;
        long most = before.count() + in + doubtIn - out;
        inserted += in;
        deleted += out;
        doubts += doubtIn + doubtOut;
        if (doubtIn + doubtOut >= WriteSums.UNBOUNDED) {
            unreported += Math.abs(there.count() - (before.count() + in - out));
        }
        missing += Math.max(0, least - there.count());
        surplus += Math.max(0, there.count() - most);
        if (least == most && least == there.count()) {
            long ids = sum(Kind.INSERT, WriteTallies::ids) - sum(Kind.DELETE, WriteTallies::ids);
            idsDiffer |= hasIds && before.ids() + ids != there.ids();
        }
    }

    private long sum(Kind kind, ToLongFunction<WriteTallies> what) {
        return of(kind).stream().map(Writes::tallies).mapToLong(what).sum();
    }

    /** @param seconds time limit; 0: no limit, and it cannot be cancelled */
    private Rows rows(Connection control, int seconds) throws SQLException {
        try (Statement statement = control.createStatement()) {
            if (seconds > 0) {
                begin(statement, seconds);
            }
            try (ResultSet row = statement.executeQuery(
                    "select count(*), " + (hasIds ? "coalesce(sum(_id), 0)" : "0") + " from " + table)) {
                row.next();
                return new Rows(
                        row.getLong(1), row.getBigDecimal(2).toBigInteger().longValue());
            } finally {
                synchronized (counting) {
                    counter = null;
                }
            }
        }
    }

    private void begin(Statement statement, int seconds) throws SQLException {
        statement.setQueryTimeout(seconds);
        synchronized (counting) {
            if (isStopped) {
                throw new SQLException("stopped", QUERY_CANCELED);
            }
            counter = statement;
        }
    }

    private PostRunCheck verdict() {
        boolean isLess = missing > 0 && (isExclusive || !onlyDeletes);
        boolean isMore = surplus > 0 && (isExclusive || !(onlyInserts || onlyDeletes)); // others may insert meanwhile
        String more = inDoubt() + atResets();
        if (isLess || isMore) {
            return new PostRunCheck(false, difference() + more);
        }
        if (idsDiffer) {
            return new PostRunCheck(
                    false, who + ": " + name + " has as many rows as acknowledged, but other ids (sum(_id))" + more);
        }
        return new PostRunCheck(true, agreement() + others() + more);
    }

    private String difference() {
        if (onlyInserts && missing > 0) {
            return text("%s: %,d of %,d acknowledged inserts are missing from %s", who, missing, inserted, name);
        }
        if (onlyDeletes && surplus > 0) {
            return text("%s: %,d of %,d deleted rows are still in %s", who, surplus, deleted, name);
        }
        if (onlyInserts) {
            return text("%s: %,d rows more than the %,d acknowledged inserts are in %s", who, surplus, inserted, name);
        }
        if (onlyDeletes) {
            return text("%s: %,d rows more than the %,d deleted ones are gone from %s", who, missing, deleted, name);
        }
        String difference = missing > 0 ? text("%,d rows fewer", missing) : text("%,d rows more", surplus);
        return text(
                "%s: %s has %s than %,d acknowledged inserts and %,d acknowledged deletes leave",
                who, name, difference, inserted, deleted);
    }

    private String agreement() {
        String by = hasIds && doubts == 0 ? "count(*) and sum(_id)" : "count(*) (ids not compared)";
        if (onlyInserts) {
            return text("%s: all %,d acknowledged inserts are in %s by %s", who, inserted, name, by);
        }
        if (onlyDeletes) {
            return text("%s: all %,d deleted rows are gone from %s by %s", who, deleted, name, by);
        }
        return text(
                "%s: %s has the rows that %,d acknowledged inserts and %,d acknowledged deletes leave by %s",
                who, name, inserted, deleted, by);
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
