package io.pgstress.operation.check;

import io.pgstress.dataset.RowSecurity;
import io.pgstress.operation.Writes;
import io.pgstress.operation.Writes.UpdatedIds;
import io.pgstress.plan.TableName;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.TableStorage;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.DriverSession;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the acknowledged updates of a table. An update may leave the data unchanged, so the data prove nothing. Instead
 * it compares the server's count of updated rows ({@code n_tup_upd}), and counts row versions whose {@code xmin} is a
 * transaction of the run. Both are lower bounds, because others may update the table too. Belongs to one thread at a
 * time.
 */
final class UpdateCheck {
    /** For both counts together. Sessions report theirs when they end; servers before 15 show them half a second later. */
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** @param since changes when the server restarts its count */
    private record Counted(long rows, String since) {}

    private final TableName table;
    private final String who;
    /** The table as shown. */
    private final String name;

    private final List<Writes> writes;
    private final Dialect transactions;
    private final @Nullable String counter;
    private final @Nullable UpdatedIds touched;
    private @Nullable Counted before;
    private TableFiles files = new TableFiles(0, Map.of());
    /** The condition for rows that the run wrote; empty if they are not compared. */
    private String newer = "";

    private @Nullable Counted deletedBefore;

    /**
     * @param writes all updates of this table
     * @param isDeletedFrom whether the run deletes rows of the table, or may, so that updated rows may be gone
     * @param isCounted whether the server counts the updates of the load's sessions
     */
    UpdateCheck(TableName table, List<Writes> writes, boolean isDeletedFrom, boolean isCounted, Dialect dialect) {
        this.table = table;
        this.name = table.toString();
        this.transactions = dialect;
        this.who = writes.stream().map(Writes::operation).distinct().collect(Collectors.joining(", "));
        this.writes = List.copyOf(writes);
        this.counter = isCounted ? dialect.updateCounter(table) : null;
        this.touched = isDeletedFrom
                ? null
                : writes.stream()
                        .map(Writes::touched)
                        .filter(UpdatedIds::isNoted)
                        .findFirst()
                        .orElse(null);
    }

    /**
     * Called before any client runs. Behind a pooler the server's count is not compared: its sessions outlive the run's
     * connections and report their counts at any time.
     */
    void begin(Connection control) throws SQLException {
        before = DriverSession.isDirect(control) ? counted(control) : null;
        if (touched != null) {
            newer = transactions.newerThanNow(control, table);
            files = TableFiles.read(control, table);
            deletedBefore = deleted(control);
        }
        clear();
    }

    void clear() {
        writes.forEach(w -> {
            w.tallies().reset();
            w.touched().clear();
        });
    }

    TableName table() {
        return table;
    }

    /** The results at the end, after all clients have stopped. */
    List<Remark> finish(Connection control) throws SQLException {
        long acknowledged = writes.stream()
                .mapToLong(w -> w.tallies().sums().acknowledged())
                .sum();
        long until = System.nanoTime() + MAX_WAIT_NANOS;
        List<Remark> found = new ArrayList<>();
        Counted start = before;
        if (start != null) {
            found.add(byCounter(control, start, acknowledged, until));
        }
        UpdatedIds ids = touched;
        if (ids != null && !newer.isEmpty()) {
            found.add(byVersions(control, ids.count(), until));
        }
        if (found.isEmpty()) {
            found.add(RemarkCode.WRITES_NOT_CHECKED
                    .with("operations", who)
                    .with("table", name)
                    .with("why", "this server does not count updates, or is behind a pooler")
                    .remark());
        }
        return found;
    }

    private Remark byCounter(Connection control, Counted start, long acknowledged, long until) throws SQLException {
        Counted end = counted(control);
        while (end != null && end.rows() - start.rows() < acknowledged && System.nanoTime() < until) {
            LockSupport.parkNanos(TICK_NANOS);
            end = counted(control);
        }
        if (end == null || !end.since().equals(start.since())) {
            return RemarkCode.WRITES_NOT_CHECKED
                    .with("operations", who)
                    .with("table", name)
                    .with(
                            "why",
                            "the server restarted, reset its statistics, or moved a shard, or the table was created anew")
                    .remark();
        }
        if (acknowledged == 0 && end.rows() == start.rows()) {
            return nothing();
        }
        long counted = end.rows() - start.rows();
        long missing = acknowledged - counted;
        return missing > 0
                ? RemarkCode.UPDATES_NOT_COUNTED
                        .with("operations", who)
                        .with("table", name)
                        .with("missing", missing)
                        .with("updated", acknowledged)
                        .remark()
                : RemarkCode.UPDATES_COUNTED
                        .with("operations", who)
                        .with("table", name)
                        .with("updated", acknowledged)
                        .with("counted", counted > acknowledged ? counted : null)
                        .remark();
    }

    private Remark nothing() {
        return RemarkCode.NOTHING_ACKNOWLEDGED
                .with("operations", who)
                .with("table", name)
                .remark();
    }

    private Remark byVersions(Connection control, long ids, long until) throws SQLException {
        long there = ControlSql.number(control, "select count(*) from " + table.quoted() + " where " + newer);
        if (there == 0 && ids == 0) {
            return nothing();
        }
        if (there >= ids) {
            return RemarkCode.UPDATES_FOUND
                    .with("operations", who)
                    .with("table", name)
                    .with("ids", ids)
                    .remark();
        }
        long missing = ids - there;
        Long deleted = deletedSince(control);
        while (deleted != null && deleted < missing && System.nanoTime() < until) {
            LockSupport.parkNanos(TICK_NANOS);
            deleted = deletedSince(control);
        }
        if (deleted != null && deleted >= missing) {
            return RemarkCode.UPDATED_ROWS_DELETED
                    .with("operations", who)
                    .with("table", name)
                    .with("found", there)
                    .with("ids", ids)
                    .with("deleted", deleted)
                    .remark();
        }
        if (RowSecurity.isActive(control, table)) {
            return RemarkCode.ROWS_HIDDEN
                    .with("operations", who)
                    .with("table", name)
                    .with("missing", missing)
                    .with("surplus", 0L)
                    .remark();
        }
        String change = files.changeTo(TableFiles.read(control, table));
        if (!change.isEmpty()) {
            return RemarkCode.TABLE_CHANGED
                    .with("operations", who)
                    .with("table", name)
                    .with("missing", missing)
                    .with("change", change)
                    .remark();
        }
        if (TableStorage.read(control, table).isUnlogged()) {
            return RemarkCode.UNLOGGED_ROWS_LOST
                    .with("operations", who)
                    .with("table", name)
                    .with("missing", missing)
                    .remark();
        }
        return RemarkCode.UPDATES_MISSING
                .with("operations", who)
                .with("table", name)
                .with("missing", missing)
                .with("ids", ids)
                .with("deleted", deleted)
                .remark();
    }

    /** Rows of the table that were deleted since {@link #begin}, by the server's count; null if the count began again meanwhile. */
    private @Nullable Long deletedSince(Connection control) throws SQLException {
        Counted start = Objects.requireNonNull(deletedBefore);
        Counted end = deleted(control);
        return end.since().equals(start.since()) ? Long.valueOf(end.rows() - start.rows()) : null;
    }

    private Counted deleted(Connection control) throws SQLException {
        return ControlSql.first(
                        control,
                        "select pg_stat_get_tuples_deleted(" + table.literal() + "::regclass), "
                                + Dialect.STATISTICS_SINCE,
                        row -> new Counted(row.getLong(1), row.getString(2)))
                .orElseThrow();
    }

    private @Nullable Counted counted(Connection control) throws SQLException {
        if (counter == null) {
            return null;
        }
        try (Statement statement = control.createStatement();
                ResultSet row = statement.executeQuery(counter)) {
            return row.next() && row.getString(1) != null ? new Counted(row.getLong(1), row.getString(2)) : null;
        }
    }
}
