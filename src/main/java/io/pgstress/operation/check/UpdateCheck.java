package io.pgstress.operation.check;

import io.pgstress.operation.TableCheck.PostRunCheck;
import io.pgstress.operation.Writes;
import io.pgstress.operation.Writes.UpdatedIds;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.DriverSession;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
    /** Sessions report their counts when they end; servers before 15 show them half a second later. */
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** @param since changes when the server restarts its count */
    private record Counted(long updates, String since) {}

    private final String table;
    private final String literal;
    private final String who;
    private final List<Writes> writes;
    private final @Nullable String counter;
    private final @Nullable UpdatedIds touched;
    private @Nullable Counted before;
    private @Nullable String horizon;
    private long deletedBefore;

    /**
     * @param writes all updates of this table
     * @param isDeletedFrom whether the run deletes rows of the table, so that updated rows may be gone
     */
    UpdateCheck(TableName table, List<Writes> writes, boolean isDeletedFrom, Dialect dialect) {
        this.table = table.quoted();
        this.literal = table.literal();
        this.who = writes.stream().map(Writes::operation).distinct().collect(Collectors.joining(", "));
        this.writes = List.copyOf(writes);
        this.counter = dialect.updateCounter(table);
        this.touched = isDeletedFrom || !dialect.showsRowTransactions()
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
            horizon = ControlSql.text(control, "select txid_current() % 4294967296")
                    .orElse("");
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

    /** The results at the end, after all clients have stopped. */
    List<PostRunCheck> finish(Connection control) throws SQLException {
        long acknowledged =
                writes.stream().mapToLong(w -> w.tallies().acknowledged()).sum();
        List<PostRunCheck> found = new ArrayList<>();
        Counted start = before;
        if (start != null) {
            found.add(byCounter(control, start, acknowledged));
        }
        UpdatedIds ids = touched;
        String first = horizon;
        if (ids != null && first != null) {
            found.add(byVersions(control, ids.count(), first));
        }
        if (found.isEmpty()) {
            found.add(PostRunCheck.notDone(words(
                    "%,d acknowledged updates were not checked: this server does not count updates, or is behind a"
                            + " pooler",
                    acknowledged)));
        }
        return found;
    }

    private PostRunCheck byCounter(Connection control, Counted start, long acknowledged) throws SQLException {
        Counted end = counted(control);
        for (long until = System.nanoTime() + MAX_WAIT_NANOS;
                end != null && end.updates() - start.updates() < acknowledged && System.nanoTime() < until;
                end = counted(control)) {
            LockSupport.parkNanos(TICK_NANOS);
        }
        if (end == null || !end.since().equals(start.since())) {
            return PostRunCheck.notDone(words(
                    "the count of %,d acknowledged updates was not checked: the server restarted or reset its"
                            + " statistics",
                    acknowledged));
        }
        long missing = acknowledged - (end.updates() - start.updates());
        return missing > 0
                ? result(
                        false,
                        "%,d of %,d acknowledged updates are missing from the server's count (n_tup_upd)",
                        missing,
                        acknowledged)
                : result(true, "the server counted all %,d acknowledged updates (n_tup_upd)", acknowledged);
    }

    private PostRunCheck byVersions(Connection control, long ids, String first) throws SQLException {
        long there = ControlSql.number(
                control, "select count(*) from " + table + " where age(xmin) < age('" + first + "'::xid)");
        if (there >= ids) {
            return result(true, "all %,d updated ids have a new row version (xmin)", ids);
        }
        long missing = ids - there;
        long deleted = deleted(control) - deletedBefore;
        for (long until = System.nanoTime() + MAX_WAIT_NANOS;
                deleted < missing && System.nanoTime() < until;
                deleted = deleted(control) - deletedBefore) {
            LockSupport.parkNanos(TICK_NANOS);
        }
        if (deleted >= missing) {
            return result(
                    true,
                    "%,d of %,d updated ids have a new row version (xmin); the other rows may be gone, because other sessions"
                            + " deleted %,d rows of the table meanwhile",
                    there,
                    ids,
                    deleted);
        }
        return result(
                false,
                "%,d of %,d updated ids have no new row version (xmin)%s",
                missing,
                ids,
                deleted > 0 ? String.format(Locale.ROOT, ", and only %,d rows were deleted meanwhile", deleted) : "");
    }

    /** Rows of the table and its partitions that were ever deleted, by the server's count. */
    private long deleted(Connection control) throws SQLException {
        return ControlSql.number(
                control,
                "select coalesce(sum(pg_stat_get_tuples_deleted(part)), 0) from (select " + literal
                        + "::regclass::oid as part union select relid from pg_partition_tree(" + literal
                        + "::regclass)) parts");
    }

    private PostRunCheck result(boolean holds, String format, Object... values) {
        return new PostRunCheck(holds, words(format, values));
    }

    private String words(String format, Object... values) {
        return who + " of " + table.replace("\"", "") + ": " + String.format(Locale.ROOT, format, values);
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
