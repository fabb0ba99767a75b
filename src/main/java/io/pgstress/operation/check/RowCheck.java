package io.pgstress.operation.check;

import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.check.Writes.Kind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Compares the inserts and deletes of a table that were acknowledged with the rows that are there: between each reset of
 * the table and the next, and at the end. Belongs to one thread at a time.
 */
final class RowCheck {
    /** @param ids their sum modulo 2^64; 0 where they are not compared */
    private record Rows(long count, long ids) {}

    private final String table;
    private final List<Writes> writes;
    private final RowSums sums;
    private Rows before = new Rows(0, 0);
    private boolean isOpen;

    /**
     * @param table as it stands in SQL
     * @param writes all of them into this table, inserts and deletes
     */
    RowCheck(String table, List<Writes> writes) {
        this.table = table;
        this.writes = List.copyOf(writes);
        this.sums = new RowSums(
                writes.stream().map(Writes::operation).distinct().collect(Collectors.joining(", ")),
                table.replace("\"", ""),
                of(Kind.INSERT).isEmpty(),
                of(Kind.DELETE).isEmpty(),
                writes.stream().allMatch(Writes::exclusive),
                writes.stream().allMatch(Writes::ids));
    }

    private List<Writes> of(Kind kind) {
        return writes.stream().filter(w -> w.kind() == kind).toList();
    }

    /** The table is in its first state, or was reset, and no client has done anything since. */
    void begin(Connection control) throws SQLException {
        before = rows(control);
        writes.forEach(w -> w.tallies().reset());
        isOpen = true;
    }

    /** All clients stand still and the table is about to be reset: what they wrote since {@link #begin} is compared. */
    void settleBeforeReset(Connection control) throws SQLException {
        if (isOpen) {
            settle(control);
            sums.resets++;
        }
    }

    /** What holds at the end, in which no client does anything any more. */
    PostRunCheck finish(Connection control) throws SQLException {
        settle(control);
        return sums.verdict();
    }

    private void settle(Connection control) throws SQLException {
        Rows there = rows(control);
        isOpen = false;
        long in = sum(Kind.INSERT, WriteTallies::acknowledged);
        long out = sum(Kind.DELETE, WriteTallies::acknowledged);
        long doubtIn = sum(Kind.INSERT, WriteTallies::doubts);
        long doubtOut = sum(Kind.DELETE, WriteTallies::doubts);
        long least = before.count() + in - out - doubtOut;
        long most = before.count() + in + doubtIn - out;
        sums.inserted += in;
        sums.deleted += out;
        sums.doubts += doubtIn + doubtOut;
        sums.missing += Math.max(0, least - there.count());
        sums.surplus += Math.max(0, there.count() - most);
        if (least == most && least == there.count()) {
            long ids = sum(Kind.INSERT, WriteTallies::ids) - sum(Kind.DELETE, WriteTallies::ids);
            sums.idsDiffer |= sums.hasIds && before.ids() + ids != there.ids();
        }
    }

    private long sum(Kind kind, ToLongFunction<WriteTallies> what) {
        return of(kind).stream().map(Writes::tallies).mapToLong(what).sum();
    }

    private Rows rows(Connection control) throws SQLException {
        try (Statement statement = control.createStatement();
                ResultSet row = statement.executeQuery(
                        "select count(*), " + (sums.hasIds ? "coalesce(sum(_id), 0)" : "0") + " from " + table)) {
            row.next();
            return new Rows(row.getLong(1), row.getBigDecimal(2).toBigInteger().longValue());
        }
    }
}
