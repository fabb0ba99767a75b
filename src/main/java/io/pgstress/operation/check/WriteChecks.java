package io.pgstress.operation.check;

import io.pgstress.dataset.TableAttachment;
import io.pgstress.operation.Operation;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.Writes;
import io.pgstress.operation.Writes.Kind;
import io.pgstress.operation.Writes.UpdatedIds;
import io.pgstress.plan.TableName;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialect.PreparedTransaction;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares all writes of a run with the tables. Each table is checked on its own, for all operations that write to it.
 * Belongs to one thread at a time, while no client runs.
 */
public final class WriteChecks {
    private static final String TABLE = """
        select case when pg_table_is_visible(c.oid) then '' else n.nspname end, c.relname, c.relkind in ('r', 'p'),
               c.relkind = 'r' and not exists (select 1 from pg_inherits where inhparent = c.oid)
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.oid = to_regclass(%s)
        """;

    /** Clients wait meanwhile. Enough for 10^8 rows if a server counts two million per second. */
    private static final int MAX_COUNT_SECONDS = 60;

    private static final String OTHER_WAYS = "the run may change its rows in other ways, which cannot be counted";

    /** The figure of remarks that names triggers and rules. */
    private static final String ATTACHED = "attached";

    /** What checks of operations' own find if rows are missing or surplus. */
    private static final Set<RemarkCode> DIFFERENCES =
            EnumSet.of(RemarkCode.COUNTS_DIFFER, RemarkCode.ROWS_DISCARDED, RemarkCode.BALANCES_DIFFER);

    /** A setting of type bool that is off, in the words that the server takes. */
    private static final Pattern OFF = Pattern.compile("(?i)off?|f|fa|fal|fals|false|no?|0");

    /**
     * A relation of the catalog.
     *
     * @param isWhole whether it is a table with neither partitions nor child tables, which have counters of their own
     */
    private record Found(TableName name, boolean isTable, boolean isWhole) {}

    private final List<Writes> writes;
    private final boolean isCounted;
    private final List<TableCheck.Unchecked> unchecked;
    private final List<TableCheck.ByQuery> own;
    private final SideEffects effects;
    private final Dialect dialect;
    private final int maxSeconds;
    private final List<RowCheck> rows = new CopyOnWriteArrayList<>();
    private final List<UpdateCheck> updates = new ArrayList<>();
    private final List<Remark> notes = new ArrayList<>();
    private final LeftBehind leftBehind;
    private final long[] discarded;
    private boolean hasBegun;
    private volatile boolean isStopped;

    /**
     * @param checks the checks of all operations of the run
     * @param statements the SQL of these operations
     * @param settings those of the load's sessions
     */
    public WriteChecks(
            List<TableCheck> checks, List<String> statements, Dialect dialect, Map<String, String> settings) {
        this(checks, statements, dialect, settings, MAX_COUNT_SECONDS);
    }

    /** @param maxSeconds time limit of a count before the load or at a reset */
    WriteChecks(
            List<TableCheck> checks,
            List<String> statements,
            Dialect dialect,
            Map<String, String> settings,
            int maxSeconds) {
        this.maxSeconds = maxSeconds;
        this.isCounted =
                !OFF.matcher(settings.getOrDefault("track_counts", "on")).matches();
        this.writes = only(Writes.class, checks);
        this.unchecked = only(TableCheck.Unchecked.class, checks);
        this.own = only(TableCheck.ByQuery.class, checks);
        this.effects = new SideEffects(statements, writes);
        this.dialect = dialect;
        this.leftBehind = new LeftBehind(dialect);
        this.discarded = new long[writes.size()];
        unchecked.forEach(one -> notes.add(one.remark()));
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
            checkRights(control);
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
                discarded[w] += writes.get(w).tallies().sums().discarded();
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

    /** Why checks are not possible. */
    public List<Remark> impossible() {
        return rows.stream()
                .flatMap(check -> Stream.ofNullable(check.impossible()))
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
        List<Writes> ofViews = new ArrayList<>();
        for (Writes one : writes) {
            Found found = table(control, one.table());
            boolean isUpdate = one.kind() == Kind.UPDATE;
            if ((found == null || !found.isTable()) && !isUpdate) {
                ofViews.add(one);
            }
            if (found == null || !found.isTable() || (isUpdate && !found.isWhole())) {
                notes.add(unchecked(
                        List.of(one),
                        found == null
                                ? "there is no such table"
                                : found.isTable() ? "it has partitions or child tables" : "it is not a table"));
            } else {
                (isUpdate ? ofUpdates : ofRows)
                        .computeIfAbsent(found.name(), name -> new ArrayList<>())
                        .add(one);
            }
        }
        Set<TableName> elsewhere = comparedElsewhere(control, ofRows);
        ofRows.forEach((name, all) -> {
            boolean isExclusive = all.stream().allMatch(Writes::exclusive);
            boolean isTouched = isExclusive ? mayTouch(name) : !(unchecked.isEmpty() && ofViews.isEmpty());
            if (isTouched || elsewhere.contains(name)) {
                notes.add(unchecked(all, OTHER_WAYS));
            } else {
                rows.add(new RowCheck(name, all, effects, maxSeconds));
            }
        });
        ofUpdates.forEach((name, all) -> {
            boolean isDeletedFrom = mayTouch(name)
                    || ofRows.getOrDefault(name, List.of()).stream().anyMatch(w -> w.kind() == Kind.DELETE);
            updates.add(new UpdateCheck(name, all, isDeletedFrom, isCounted, dialect));
        });
    }

    /** The tables to which an operation writes, too, whose acknowledged writes are known only to a check of its own. */
    private Set<TableName> comparedElsewhere(Connection control, Map<TableName, List<Writes>> known)
            throws SQLException {
        Set<TableName> found = new HashSet<>();
        for (TableCheck.ByQuery check : own) {
            for (String table : check.tables()) {
                TableName name = name(control, table);
                boolean isKnown = known.getOrDefault(name, List.of()).stream()
                        .anyMatch(one -> one.operation().equals(check.operation()));
                if (!isKnown) {
                    found.add(name);
                }
            }
        }
        return found;
    }

    /**
     * The result of an operation's own check; what differs only counts if nothing else in the run may have changed the rows.
     *
     * @param control after all clients have stopped
     */
    public List<Remark> ofOwn(TableCheck.ByQuery check, Connection control) throws SQLException {
        List<Remark> found = new ArrayList<>(check.query().on(control));
        if (found.stream().noneMatch(remark -> DIFFERENCES.contains(remark.code()))) {
            return found;
        }
        List<TableName> tables = new ArrayList<>();
        for (String table : check.tables()) {
            tables.add(name(control, table));
        }
        boolean isTouched = unchecked.stream()
                .filter(other -> !other.operation().equals(check.operation()))
                .anyMatch(other -> tables.stream().anyMatch(other::mayTouch));
        for (Writes other : writes) {
            isTouched |= other.kind() != Kind.UPDATE
                    && !other.operation().equals(check.operation())
                    && tables.contains(name(control, other.table()));
        }
        String why = isTouched ? OTHER_WAYS : effects.on(tables, control);
        if (!why.isEmpty()) {
            found.removeIf(remark -> DIFFERENCES.contains(remark.code()));
            found.add(RemarkCode.WRITES_NOT_CHECKED
                    .with("operations", check.operation())
                    .with("table", tables.stream().map(TableName::toString).collect(Collectors.joining(", ")))
                    .with("why", why)
                    .remark());
        }
        return withAttached(found, tables, control);
    }

    /** Remarks on differences, which may come from triggers and rules of the tables, with the names of these. */
    private static List<Remark> withAttached(List<Remark> remarks, List<TableName> tables, Connection control)
            throws SQLException {
        List<Remark> found = new ArrayList<>();
        for (Remark remark : remarks) {
            Optional<String> attached = remark.code().figures().containsKey(ATTACHED)
                    ? TableAttachment.namesOf(control, tables)
                    : Optional.empty();
            found.add(attached.map(names -> remark.withFigure(ATTACHED, names)).orElse(remark));
        }
        return found;
    }

    /** Whether writes that cannot be counted may change rows of a table. */
    private boolean mayTouch(TableName table) {
        return unchecked.stream().anyMatch(one -> one.mayTouch(table));
    }

    /** @param all writes to one table */
    private static Remark unchecked(List<Writes> all, String why) {
        return RemarkCode.WRITES_NOT_CHECKED
                .with(
                        "operations",
                        all.stream().map(Writes::operation).distinct().collect(Collectors.joining(", ")))
                .with("table", TableName.parse(all.get(0).table()).toString())
                .with("why", why)
                .remark();
    }

    /** A table's name in the catalog; the name itself if it is none of a table. */
    private static TableName name(Connection control, String table) throws SQLException {
        Found found = table(control, table);
        return found == null || !found.isTable() ? TableName.parse(table) : found.name();
    }

    private static @Nullable Found table(Connection control, String table) throws SQLException {
        return ControlSql.first(
                        control,
                        TABLE.replace("%s", Quoting.literal(table)),
                        row -> new Found(
                                new TableName(row.getString(1), row.getString(2)),
                                row.getBoolean(3),
                                row.getBoolean(4)))
                .orElse(null);
    }

    /** Whether other statements of the run may delete rows that these are about to change. */
    private boolean mayBeTaken(Writes one, Connection control) throws SQLException {
        if (one.kind() == Kind.INSERT) {
            return false;
        }
        return !unchecked.isEmpty()
                || !effects.on(List.of(name(control, one.table())), control).isEmpty()
                || writes.stream().filter(w -> w.kind() == Kind.DELETE).count() > (one.kind() == Kind.DELETE ? 1 : 0);
    }

    /** The results at the end, after all clients have stopped. */
    public List<Remark> finish(Connection control) throws SQLException {
        List<Remark> found = new ArrayList<>();
        for (int w = 0; w < discarded.length; w++) {
            Writes one = writes.get(w);
            long rowsDiscarded = discarded[w] + one.tallies().sums().discarded();
            if (rowsDiscarded > 0 && !mayBeTaken(one, control)) {
                found.add(RemarkCode.WRITES_DISCARDED
                        .with("operation", one.operation())
                        .with("rows", rowsDiscarded)
                        .with("kind", one.kind().word())
                        .with("table", one.kind() == Kind.INSERT ? null : one.table())
                        .remark());
            }
        }
        for (RowCheck check : rows) {
            found.addAll(withAttached(check.finish(control), List.of(check.table()), control));
        }
        for (UpdateCheck check : updates) {
            found.addAll(withAttached(check.finish(control), List.of(check.table()), control));
        }
        found.addAll(notes);
        found.addAll(leftBehind.finish(control));
        return found;
    }

    /**
     * Refuses a load whose every write would fail because the role lacks a privilege. Covers the table under load and its copy; the
     * user's own operations may change their role.
     *
     * @throws TargetException with the missing grants of the first operation that lacks some
     */
    private void checkRights(Connection control) throws SQLException {
        for (Writes one : writes) {
            if (one.exclusive() || one.touched() != UpdatedIds.NONE) {
                checkRights(control, one);
            }
        }
    }

    /** A privilege on some columns counts: whether those are enough is left to the statements. */
    private static void checkRights(Connection control, Writes writes) throws SQLException {
        String word = writes.kind().word();
        String ofColumns =
                writes.kind() == Writes.Kind.DELETE ? "false" : "has_any_column_privilege(c.oid, '" + word + "')";
        String sql = String.format(
                Locale.ROOT,
                "select format('grant %1$s on %%s to %%I', c.oid::regclass, current_user)"
                        + " from pg_class c where c.oid = to_regclass(%2$s)"
                        + " and not (has_table_privilege(c.oid, '%1$s') or %3$s)",
                word,
                Quoting.literal(writes.table()),
                ofColumns);
        Optional<String> grant = ControlSql.text(control, sql);
        if (grant.isPresent()) {
            throw new TargetException(writes.operation() + ": the role may not " + word + " rows of " + writes.table()
                    + "; its owner must run: " + grant.get());
        }
    }

    /**
     * Transactions that the servers of a cluster prepared during a run and did not finish: they still hold locks.
     * Transactions prepared before the run are not reported. Belongs to one thread at a time.
     */
    static final class LeftBehind {
        private final Dialect transactions;
        private final Set<PreparedTransaction> before = new HashSet<>();

        LeftBehind(Dialect transactions) {
            this.transactions = transactions;
        }

        /** Called before the load. */
        void begin(Connection control) throws SQLException {
            before.addAll(ofServers(control));
        }

        /** Called after the load; empty if no prepared transaction remained. */
        List<Remark> finish(Connection control) throws SQLException {
            List<PreparedTransaction> left =
                    ofServers(control).stream().filter(t -> !before.contains(t)).toList();
            if (left.isEmpty()) {
                return List.of();
            }
            PreparedTransaction first = left.get(0);
            return List.of(RemarkCode.PREPARED_LEFT
                    .with("transactions", (long) left.size())
                    .with("gid", first.gid())
                    .with("node", first.node())
                    .with("since", first.since())
                    .with("end", transactions.endOfPrepared())
                    .remark());
        }

        private List<PreparedTransaction> ofServers(Connection control) throws SQLException {
            return transactions.prepared(control).stream()
                    .filter(transactions::isOfServers)
                    .toList();
        }
    }
}
