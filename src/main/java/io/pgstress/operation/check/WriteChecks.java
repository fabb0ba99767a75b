package io.pgstress.operation.check;

import io.pgstress.operation.Operation;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.Writes;
import io.pgstress.operation.Writes.Kind;
import io.pgstress.plan.TableName;
import io.pgstress.plan.sql.Quoting;
import io.pgstress.target.dialect.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Compares all writes of a run with the tables. Each table is checked on its own, for all operations that write to it.
 * Belongs to one thread at a time, while no client runs.
 */
public final class WriteChecks {
    private static final String TABLE = """
        select case when pg_table_is_visible(c.oid) then '' else n.nspname end, c.relname, c.relkind = 'r'
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and c.oid = to_regclass(%s)
        """;

    /** Clients wait meanwhile. Enough for 10^8 rows if a server counts two million per second. */
    private static final int MAX_COUNT_SECONDS = 60;

    /** @param isWhole whether it has no partitions, which have counters of their own */
    private record Found(TableName name, boolean isWhole) {}

    private final List<Writes> writes;
    private final boolean hasUnchecked;
    private final Dialect dialect;
    private final int maxSeconds;
    private final List<RowCheck> rows = new CopyOnWriteArrayList<>();
    private final List<UpdateCheck> updates = new ArrayList<>();
    private final List<PostRunCheck> notes = new ArrayList<>();
    private final LeftBehind leftBehind;
    private final long[] discarded;
    private boolean hasBegun;
    private volatile boolean isStopped;

    /** @param checks the checks of all operations of the run */
    public WriteChecks(List<TableCheck> checks, Dialect dialect) {
        this(checks, dialect, MAX_COUNT_SECONDS);
    }

    /** @param maxSeconds time limit of a count before the load or at a reset */
    WriteChecks(List<TableCheck> checks, Dialect dialect, int maxSeconds) {
        this.maxSeconds = maxSeconds;
        this.writes = only(Writes.class, checks);
        List<TableCheck.Unchecked> unchecked = only(TableCheck.Unchecked.class, checks);
        this.hasUnchecked = !unchecked.isEmpty();
        this.dialect = dialect;
        this.leftBehind = new LeftBehind(dialect.transactions());
        this.discarded = new long[writes.size()];
        unchecked.forEach(one -> notes.add(new PostRunCheck(true, one.text())));
    }

    private static <T> List<T> only(Class<T> kind, List<TableCheck> checks) {
        return checks.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public boolean isEmpty() {
        return writes.isEmpty() && notes.isEmpty();
    }

    /** Called when the tables have been initialized or reset. */
    public void begin(Connection control) throws SQLException {
        if (!hasBegun) {
            hasBegun = true;
            WriteRights.check(control, writes);
            leftBehind.begin(control);
            find(control);
            for (UpdateCheck check : updates) {
                check.begin(control);
            }
        }
        for (RowCheck check : rows) {
            if (isStopped) {
                check.stop();
            }
            check.begin(control);
        }
    }

    /** Called before the tables are reset. */
    public void settleBeforeReset(Connection control) throws SQLException {
        for (int w = 0; w < discarded.length; w++) {
            if (writes.get(w).kind() != Kind.UPDATE) {
                discarded[w] += writes.get(w).tallies().discarded();
            }
        }
        for (RowCheck check : rows) {
            check.settleBeforeReset(control);
        }
    }

    /** Cancels counts before the load and at resets when the run is to stop; may be called by any thread. */
    public void stopCounting() {
        isStopped = true;
        rows.forEach(RowCheck::stop);
    }

    /** The checks that are not possible, one line each. */
    public List<String> impossible() {
        return rows.stream()
                .map(RowCheck::impossible)
                .filter(why -> !why.isEmpty())
                .toList();
    }

    /** Forgets writes that were drawn but only explained, not executed. */
    public void forget() {
        writes.forEach(w -> w.tallies().reset());
        updates.forEach(UpdateCheck::clear);
    }

    /** Forgets the acknowledged inserts and deletes, as {@link #begin} does, on a host whose command checks the tables. */
    public static void forgetRows(List<Operation> operations) {
        only(Writes.class, operations.stream().flatMap(o -> o.checks().stream()).toList()).stream()
                .filter(w -> w.kind() != Kind.UPDATE)
                .forEach(w -> w.tallies().reset());
    }

    private void find(Connection control) throws SQLException {
        Map<TableName, List<Writes>> ofRows = new LinkedHashMap<>();
        Map<TableName, List<Writes>> ofUpdates = new LinkedHashMap<>();
        for (Writes one : writes) {
            Found found = table(control, one.table());
            boolean isUpdate = one.kind() == Kind.UPDATE;
            if (found == null || (isUpdate && !found.isWhole())) {
                notes.add(new PostRunCheck(true, unchecked(one, found == null ? "is not a table" : "is partitioned")));
            } else {
                (isUpdate ? ofUpdates : ofRows)
                        .computeIfAbsent(found.name(), name -> new ArrayList<>())
                        .add(one);
            }
        }
        ofRows.forEach((name, all) -> {
            if (hasUnchecked && !all.stream().allMatch(Writes::exclusive)) {
                all.forEach(one -> notes.add(new PostRunCheck(
                        true, unchecked(one, "may hold rows that the run writes in ways that cannot be counted"))));
            } else {
                rows.add(new RowCheck(name.quoted(), all, maxSeconds));
            }
        });
        ofUpdates.forEach((name, all) -> {
            boolean isDeletedFrom =
                    ofRows.getOrDefault(name, List.of()).stream().anyMatch(w -> w.kind() == Kind.DELETE);
            updates.add(new UpdateCheck(name, all, isDeletedFrom, dialect));
        });
    }

    private static String unchecked(Writes one, String why) {
        return one.operation() + ": the " + one.kind().word() + "s of "
                + one.table().replace("\"", "") + " were not checked: it " + why;
    }

    private static @Nullable Found table(Connection control, String table) throws SQLException {
        try (Statement statement = control.createStatement();
                ResultSet row = statement.executeQuery(TABLE.replace("%s", Quoting.literal(table)))) {
            return row.next() ? new Found(new TableName(row.getString(1), row.getString(2)), row.getBoolean(3)) : null;
        }
    }

    /** Whether another operation of the run may delete rows that this one is about to change. */
    private boolean mayBeTaken(Writes one) {
        return one.kind() != Kind.INSERT
                && writes.stream().filter(w -> w.kind() == Kind.DELETE).count() > (one.kind() == Kind.DELETE ? 1 : 0);
    }

    /** The results at the end, after all clients have stopped. */
    public List<PostRunCheck> finish(Connection control) throws SQLException {
        List<PostRunCheck> found = new ArrayList<>();
        for (int w = 0; w < discarded.length; w++) {
            Writes one = writes.get(w);
            long rowsDiscarded = discarded[w] + one.tallies().discarded();
            if (rowsDiscarded > 0 && !mayBeTaken(one)) {
                found.add(new PostRunCheck(
                        false,
                        String.format(
                                Locale.ROOT,
                                "%s: %,d %ss changed no row, although the server reported no error (a trigger or"
                                        + " rule?)",
                                one.operation(),
                                rowsDiscarded,
                                one.kind().word())));
            }
        }
        for (RowCheck check : rows) {
            found.add(check.finish(control));
        }
        for (UpdateCheck check : updates) {
            found.addAll(check.finish(control));
        }
        found.addAll(notes);
        found.addAll(leftBehind.finish(control));
        return found;
    }
}
