package io.pgstress.operation.check;

import io.pgstress.dataset.RowSecurity;
import io.pgstress.operation.WriteTallies.WriteSums;
import io.pgstress.operation.Writes;
import io.pgstress.operation.Writes.Kind;
import io.pgstress.plan.TableName;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.dialect.TableStorage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    private final TableName table;
    private final List<Writes> writes;
    private final SideEffects effects;
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
    private boolean beganEmpty = true;
    private int resets;
    private Rows before = new Rows(0, 0);
    private TableFiles files = new TableFiles(0, Map.of());
    /** What changed the table when rows were missing; empty if nothing did. */
    private String change = "";

    private boolean isOpen;
    /** Why the rows could not be counted in time; null if they were. */
    private @Nullable Remark impossible;

    private final Object counting = new Object();
    private @Nullable Statement counter;
    private boolean isStopped;

    /**
     * @param writes all inserts into and deletes from this table
     * @param effects those of the run's statements
     * @param maxSeconds time limit of a count before the load or at a reset, while clients wait
     */
    RowCheck(TableName table, List<Writes> writes, SideEffects effects, int maxSeconds) {
        this.maxSeconds = maxSeconds;
        this.table = table;
        this.writes = List.copyOf(writes);
        this.effects = effects;
        this.who = writes.stream().map(Writes::operation).distinct().collect(Collectors.joining(", "));
        this.name = table.toString();
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
        if (impossible == null) {
            files = TableFiles.read(control, table);
            withinLimit("before the load", () -> before = rows(control, maxSeconds));
            writes.forEach(w -> w.tallies().reset());
            isOpen = true;
        }
    }

    /** Compares the writes since {@link #begin}; called while all clients are paused, before the table is reset. */
    void settleBeforeReset(Connection control) throws SQLException {
        if (isOpen && impossible == null) {
            withinLimit("at a reset", () -> settle(control, rows(control, maxSeconds)));
            resets++;
        }
    }

    /** The result at the end, after all clients have stopped. The caller enforces a time limit. */
    List<Remark> finish(Connection control) throws SQLException {
        Remark why = impossible;
        if (why != null) {
            return List.of(why);
        }
        settle(control, rows(control, 0));
        return verdict(control);
    }

    TableName table() {
        return table;
    }

    /** Why the check is not possible; null if it is. */
    @Nullable
    Remark impossible() {
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
            impossible = unchecked("counting its rows " + when
                    + (isStopped() ? " was stopped" : " took longer than " + maxSeconds + " s"));
        }
    }

    private Remark unchecked(String why) {
        return RemarkCode.WRITES_NOT_CHECKED
                .with("operations", who)
                .with("table", name)
                .with("why", why)
                .remark();
    }

    private boolean isStopped() {
        synchronized (counting) {
            return isStopped;
        }
    }

    private void settle(Connection control, Rows there) throws SQLException {
        isOpen = false;
        beganEmpty &= before.count() == 0;
        WriteSums in = sums(Kind.INSERT);
        WriteSums out = sums(Kind.DELETE);
        long due = before.count() + in.acknowledged() - out.acknowledged();
        long least = due - out.doubts();
        long most = due + in.doubts();
        inserted += in.acknowledged();
        deleted += out.acknowledged();
        doubts += in.doubts() + out.doubts();
        if (in.isUnbounded() || out.isUnbounded()) {
            unreported += Math.abs(there.count() - due);
        }
        if (there.count() < least) {
            missing += least - there.count();
            change = change.isEmpty() ? files.changeTo(TableFiles.read(control, table)) : change;
        }
        surplus += Math.max(0, there.count() - most);
        if (least == most && least == there.count()) {
            idsDiffer |= hasIds && before.ids() + in.ids() - out.ids() != there.ids();
        }
    }

    private WriteSums sums(Kind kind) {
        return of(kind).stream().map(w -> w.tallies().sums()).reduce(WriteSums.NONE, WriteSums::plus);
    }

    /** @param seconds time limit; 0: no limit, and it cannot be cancelled */
    private Rows rows(Connection control, int seconds) throws SQLException {
        try (Statement statement = control.createStatement()) {
            if (seconds > 0) {
                begin(statement, seconds);
            }
            try (ResultSet row = statement.executeQuery(
                    "select count(*), " + (hasIds ? "coalesce(sum(_id), 0)" : "0") + " from " + table.quoted())) {
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

    private List<Remark> verdict(Connection control) throws SQLException {
        boolean isLess = missing > 0 && (isExclusive || !onlyDeletes);
        boolean isMore = surplus > 0 && (isExclusive || !(onlyInserts || onlyDeletes)); // others may insert meanwhile
        boolean isOther = isLess || isMore || idsDiffer;
        String effect = isOther ? effects.on(List.of(table), control) : "";
        if (!effect.isEmpty()) {
            return List.of(unchecked(effect));
        }
        List<Remark> found = new ArrayList<>();
        if (isOther && RowSecurity.isActive(control, table)) {
            found.add(RemarkCode.ROWS_HIDDEN
                    .with("operations", who)
                    .with("table", name)
                    .with("missing", missing)
                    .with("surplus", surplus)
                    .remark());
        } else if (isLess && !change.isEmpty()) {
            found.add(RemarkCode.TABLE_CHANGED
                    .with("operations", who)
                    .with("table", name)
                    .with("missing", missing)
                    .with("change", change)
                    .remark());
        } else if (isLess && TableStorage.read(control, table).isUnlogged()) {
            found.add(RemarkCode.UNLOGGED_ROWS_LOST
                    .with("operations", who)
                    .with("table", name)
                    .with("missing", missing)
                    .remark());
        } else if (isLess || isMore) {
            found.add(difference());
        } else if (idsDiffer) {
            found.add(RemarkCode.IDS_DIFFER
                    .with("operations", who)
                    .with("table", name)
                    .remark());
        } else {
            found.add(agreement());
            if (Math.max(missing, surplus) > 0) {
                found.add(RemarkCode.OTHERS_WROTE
                        .with("operations", who)
                        .with("rows", Math.max(missing, surplus))
                        .with("table", name)
                        .remark());
            }
        }
        if (doubts >= WriteSums.UNBOUNDED) {
            found.add(RemarkCode.LOST_HOST_ROWS
                    .with("operations", who)
                    .with("rows", unreported)
                    .with("table", name)
                    .remark());
        } else if (doubts > 0) {
            found.add(RemarkCode.OUTCOMES_UNKNOWN
                    .with("check", who)
                    .with("rows", doubts)
                    .remark());
        }
        if (resets > 0) {
            found.add(RemarkCode.CHECKED_AT_RESETS
                    .with("operations", who)
                    .with("table", name)
                    .with("resets", resets)
                    .remark());
        }
        return found;
    }

    private Remark difference() {
        if (onlyInserts && missing > 0 && beganEmpty) { // otherwise rows of before may be missing
            return RemarkCode.INSERTS_MISSING
                    .with("operations", who)
                    .with("missing", missing)
                    .with("inserted", inserted)
                    .with("table", name)
                    .remark();
        }
        if (missing > 0 && surplus > 0) { // at different resets
            return RemarkCode.ROWS_DIFFER
                    .with("operations", who)
                    .with("table", name)
                    .with("missing", missing)
                    .with("surplus", surplus)
                    .with("inserted", inserted)
                    .with("deleted", deleted)
                    .remark();
        }
        return missing > 0
                ? RemarkCode.ROWS_MISSING
                        .with("operations", who)
                        .with("table", name)
                        .with("missing", missing)
                        .with("inserted", inserted)
                        .with("deleted", deleted)
                        .remark()
                : RemarkCode.ROWS_SURPLUS
                        .with("operations", who)
                        .with("table", name)
                        .with("surplus", surplus)
                        .with("inserted", inserted)
                        .with("deleted", deleted)
                        .remark();
    }

    private Remark agreement() {
        if (inserted == 0 && deleted == 0) {
            return RemarkCode.NOTHING_ACKNOWLEDGED
                    .with("operations", who)
                    .with("table", name)
                    .remark();
        }
        String by = hasIds && doubts == 0 ? "count(*) and sum(_id)" : "count(*)";
        if (onlyInserts) {
            return RemarkCode.INSERTS_FOUND
                    .with("operations", who)
                    .with("inserted", inserted)
                    .with("table", name)
                    .with("by", by)
                    .remark();
        }
        return onlyDeletes
                ? RemarkCode.DELETED_ROWS_GONE
                        .with("operations", who)
                        .with("deleted", deleted)
                        .with("table", name)
                        .with("by", by)
                        .remark()
                : RemarkCode.ROWS_AGREE
                        .with("operations", who)
                        .with("table", name)
                        .with("inserted", inserted)
                        .with("deleted", deleted)
                        .with("by", by)
                        .remark();
    }
}
