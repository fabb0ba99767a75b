package io.pgstress.runner;

import io.pgstress.dataset.CopyTable;
import io.pgstress.dataset.CopyTable.CopyFill;
import io.pgstress.dataset.KeySlices;
import io.pgstress.dataset.RunLock;
import io.pgstress.dataset.Table;
import io.pgstress.measure.OperationShape;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.OperationTrait;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.SetUpWork;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.Writes;
import io.pgstress.operation.check.WriteChecks;
import io.pgstress.operation.workload.Operations;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.TableName;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.runner.RunOperations.ControlWork;
import io.pgstress.target.MissingGrants;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialect.PreparedTransaction;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.statement.Sql;
import io.pgstress.text.SqlVerb;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a run: created for its table without a connection, set up by {@link #setUp}, and reset before the load
 * and when their ids are used up. Belongs to one thread at a time, except {@link #stopCounting}.
 */
final class RunOperations implements AutoCloseable {
    private final RunSpec spec;
    private final Target target;
    private final ControlWork control;
    private final List<Operation> all = new ArrayList<>();
    private final List<OperationShape> shapes = new ArrayList<>();
    private final String run = UUID.randomUUID().toString().substring(0, 8);
    private final TableDuty duty;
    private final boolean mayReset;
    private final CopyReset copy;
    private final WriteChecks writes;
    private final double[] rowBytes;
    private @Nullable RunLock lock;

    /**
     * @param progress receives lines about a long set-up
     * @throws InvalidPlanException if the operations cannot run together or on these servers
     */
    RunOperations(RunSpec spec, Target target, Table table, HostShare share, Consumer<String> progress) {
        this.spec = spec;
        this.target = target;
        this.control = new ControlWork(target, table.name());
        this.duty = share.isPart() ? new TablesOfCommand() : new TableDuty();
        this.mayReset = !spec.get(RunOptions.NO_RESET);
        this.rowBytes = new double[spec.mix().size()];
        OperationType.Context context = new OperationType.Context(
                table,
                target.dialect(),
                spec.options(),
                spec.seed(),
                share,
                duty.ifMissing(),
                new SetUpWork(() -> target.first().connector().open(SessionPurpose.DDL), progress));
        for (WeightedOperation weighted : spec.mix()) {
            Operation operation = Operations.create(weighted.name(), context);
            all.add(operation);
            shapes.add(shape(weighted.name(), operation));
        }
        checkIndexes();
        List<OperationProfile> profiles = all.stream().map(Operation::profile).toList();
        this.copy = new CopyReset(table, target, control, profiles, run, spec, share);
        this.writes =
                new WriteChecks(all.stream().flatMap(o -> o.checks().stream()).toList(), target.dialect());
    }

    private OperationShape shape(String name, Operation operation) {
        List<String> names = new ArrayList<>();
        operation.statements(0).forEach(s -> names.add(s.name()));
        if (spec.get(RunOptions.TRANSACTION)) {
            names.add("commit");
        }
        if (names.size() > OperationShape.MAX_STATEMENTS) {
            throw new InvalidPlanException("tables: " + name + " would have " + names.size()
                    + " statements, and at most " + OperationShape.MAX_STATEMENTS
                    + " can be counted; use fewer --tables");
        }
        return new OperationShape(name, names);
    }

    private void checkIndexes() {
        boolean isOverall = target.nodes().size() > 1 && target.dialect().definesThroughFirstOnly();
        if (isOverall && all.stream().anyMatch(o -> o.profile().has(OperationTrait.DEFINES_TABLES))) {
            throw new InvalidPlanException("index-when: with after, the client that loads the last rows"
                    + " builds the indexes, and " + target.dialect().name()
                    + " cannot build them through a worker; use the"
                    + " coordinator alone (one --url), or --index-when before");
        }
    }

    /** Locks the tables that the run needs for itself, and creates those that are missing; called once. */
    void setUp() {
        duty.lockAndCreate();
        onControl(all, operation -> operation::setUp);
        Arrays.setAll(rowBytes, o -> all.get(o).profile().rowBytes());
    }

    private void onControl(List<Operation> some, Function<Operation, ControlWork.Work> work) {
        onControl(connection -> {
            for (Operation operation : some) {
                work.apply(operation).on(connection);
            }
        });
    }

    private void onControl(ControlWork.Work work) {
        control.run("the operations could not be prepared", work);
    }

    /** In the order of the mix. */
    List<Operation> all() {
        return all;
    }

    List<OperationShape> shapes() {
        return shapes;
    }

    /** Bytes of a row's values of the operation with this number; 0 if byte rates are not reported. Known after the set-up. */
    double rowBytes(int operation) {
        return rowBytes[operation];
    }

    /** One client's statements, by operation, without commits. */
    List<List<Sql>> statements(int client) {
        return all.stream().map(o -> o.statements(client)).toList();
    }

    /** The queries that check the operations' own tables after the load. */
    List<TableCheck.Query> checks() {
        List<TableCheck.Query> checks = new ArrayList<>(duty.ofTables());
        all.stream().flatMap(o -> o.checks().stream()).flatMap(duty::queries).forEach(checks::add);
        return checks;
    }

    /** Cancels counts before the load and at resets when the run is to stop; may be called by any thread. */
    void stopCounting() {
        writes.stopCounting();
    }

    /** Warnings: write checks that are not possible, and known problems of this load on this kind of server. */
    List<Remark> warnings() {
        return duty.warnings();
    }

    /**
     * Known problems of inserts and updates on this kind of server, which a session of the load reads before the load, one line each;
     * empty if the operations neither insert nor update.
     */
    private List<Remark> hazards() {
        Set<String> verbs = all.stream()
                .flatMap(o -> o.statements(0).stream())
                .map(s -> SqlVerb.of(s.text()).word())
                .collect(Collectors.toSet());
        if (Collections.disjoint(verbs, Set.of("insert", "update", "delete"))) {
            return List.of();
        }
        boolean isTransaction = spec.get(RunOptions.TRANSACTION)
                || all.stream()
                        .anyMatch(o -> o.profile().has(OperationTrait.TRANSACTION)
                                && o.checks().stream().anyMatch(RunOperations::isInsert));
        try (Connection load = target.first().connector().open(SessionPurpose.LOAD)) {
            Dialect sessions = target.dialect();
            List<Remark> found = new ArrayList<>();
            if (verbs.contains("insert")) {
                found.addAll(sessions.hazards(load, spec.statement(), isTransaction));
            }
            if (verbs.contains("update") || verbs.contains("delete")) {
                found.addAll(sessions.changeHazards(load));
            }
            if (verbs.contains("update")) {
                found.addAll(sessions.updateHazards(load, target.nodes().size()));
            }
            return found;
        } catch (SQLException e) {
            throw Target.unreachable(target.first().connector().endpoint(), e);
        }
    }

    private static boolean isInsert(TableCheck check) {
        return check instanceof Writes writes && writes.kind() == Writes.Kind.INSERT;
    }

    /** The table under load after the set-up: an operation may have created it. */
    Table reread(Table table) {
        if (table.keys().size() > 0) {
            return table;
        }
        try (Connection connection = target.first().connector().open(SessionPurpose.CONTROL)) {
            long known = all.stream().mapToLong(Operation::knownRows).max().orElse(-1);
            return table.reread(connection, target.dialect(), known);
        } catch (SQLException e) {
            throw new TargetException("table " + table.name() + " cannot be read: " + ServerErrors.sampleOf(e), e);
        }
    }

    /** Whether used-up ids can be made available again. */
    boolean canReset() {
        return copy.isReset() || (mayReset && all.stream().anyMatch(o -> is(o, WhenUsedUp.REPLENISH)));
    }

    private static boolean is(Operation operation, WhenUsedUp rule) {
        return operation.profile().whenUsedUp() == rule;
    }

    /** Forgets the ids that were drawn and the writes that were counted since the last reset. */
    void rewind() {
        all.forEach(Operation::rewind);
        writes.forget();
    }

    /** Resets all tables before the load. */
    void reset() {
        duty.reset(all);
    }

    /** Makes used-up ids available again while all clients are paused; some operations continue instead. */
    void resetUsedUp() {
        duty.reset(all.stream().filter(o -> !is(o, WhenUsedUp.CONTINUE)).toList());
    }

    @Override
    public void close() {
        control.close();
        if (lock != null) {
            lock.close();
        }
    }

    /** What this process does with the tables of the run: it prepares, resets and checks them. */
    private class TableDuty {
        /** Called with the name of an object that is missing; null: the operations create it. */
        @Nullable
        Consumer<String> ifMissing() {
            return null;
        }

        void lockAndCreate() {
            lock = RunLock.take(
                    target.first().connector(),
                    run,
                    all.stream()
                            .flatMap(o -> o.profile().claims().stream())
                            .distinct()
                            .toList());
            copy.create();
        }

        /** Makes the ids of these operations available again. */
        void reset(List<Operation> some) {
            if (!writes.isEmpty()) {
                control.close(); // the server may count what a session did only when the session ends
                onControl(writes::settleBeforeReset);
            }
            copy.reset();
            if (mayReset) {
                onControl(some, operation -> operation::resetTables);
            }
            control.close();
            some.forEach(Operation::rewind);
            if (!writes.isEmpty()) {
                onControl(writes::begin);
                control.close();
            }
        }

        /** The queries that check the tables after the load, in addition to those of single checks. */
        List<TableCheck.Query> ofTables() {
            List<TableCheck.Query> checks = new ArrayList<>();
            if (!writes.isEmpty()) {
                checks.add(writes::finish);
            }
            if (copy.isReset()) {
                checks.add(copy.conflict());
            }
            return checks;
        }

        Stream<TableCheck.Query> queries(TableCheck check) {
            if (check instanceof TableCheck.ByQuery own) {
                return Stream.of(own.query());
            }
            return check instanceof TableCheck.Local local ? Stream.of(unused -> local.found()) : Stream.of();
        }

        List<Remark> warnings() {
            List<Remark> warnings = new ArrayList<>();
            warnings.addAll(writes.impossible());
            warnings.addAll(hazards());
            return warnings;
        }
    }

    /** Finds the tables as the command of a fleet has prepared them; the command also resets and checks them. */
    private final class TablesOfCommand extends TableDuty {
        @Override
        Consumer<String> ifMissing() {
            return object -> {
                throw new TargetException(
                        object + " is missing, although the command has prepared the tables: does this host use"
                                + " the same database and search_path?");
            };
        }

        @Override
        void lockAndCreate() {}

        @Override
        void reset(List<Operation> some) {
            copy.takeSlice();
            some.forEach(Operation::rewind);
            WriteChecks.forgetRows(all);
        }

        @Override
        List<TableCheck.Query> ofTables() {
            return List.of();
        }

        @Override
        Stream<TableCheck.Query> queries(TableCheck check) {
            return check instanceof TableCheck.Local local ? Stream.of(unused -> local.found()) : Stream.of();
        }

        @Override
        List<Remark> warnings() {
            return List.of();
        }
    }

    /**
     * Runs statements that define or reset tables on the first server, on a control connection that is opened when it is needed and
     * again after {@link #close}. Used by one thread at a time.
     */
    static final class ControlWork implements AutoCloseable {
        private static final String LOCK_NOT_AVAILABLE = "55P03";

        private final Target target;
        private final TableName table;
        private @Nullable Connection open;

        /** @param table the table under load */
        ControlWork(Target target, TableName table) {
            this.target = target;
            this.table = table;
        }

        /** What to do on the connection. */
        interface Work {
            void on(Connection control) throws SQLException;
        }

        /**
         * Does the work.
         *
         * @param failure begins the message if the work fails
         * @throws TargetException if it fails; says which prepared transactions hold locks that it waited for, and which
         *     grant is missing
         */
        void run(String failure, Work work) {
            try {
                Connection control = open == null ? target.first().connector().open(SessionPurpose.DDL) : open;
                open = control;
                work.on(control);
            } catch (SQLException e) {
                close();
                throw new TargetException(
                        failure + ": " + ServerErrors.sampleOf(e) + lockHolders(e)
                                + MissingGrants.words(target.first().connector(), e, table),
                        e);
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        /**
         * A suffix for the message of a lock timeout that lists prepared transactions that were never ended: they hold their locks beyond
         * the end of their session, and across restarts. Empty if there are none.
         */
        private String lockHolders(SQLException failure) {
            if (!LOCK_NOT_AVAILABLE.equals(failure.getSQLState())) {
                return "";
            }
            Dialect transactions = target.dialect();
            try (Connection connection = target.first().connector().open(SessionPurpose.LOOKUP)) {
                List<PreparedTransaction> all = transactions.prepared(connection);
                return all.isEmpty() ? "" : "; " + PreparedTransaction.words(all, transactions.endOfPrepared());
            } catch (SQLException e) {
                return "; pg_prepared_xacts could not be read: " + ServerErrors.sampleOf(e);
            }
        }

        /** Ends the session, and so lets the server count what it did. */
        @Override
        public void close() {
            Connection control = open;
            open = null;
            try {
                if (control != null) {
                    control.close();
                }
            } catch (SQLException e) {
                DriverSession.abort(control);
            }
        }
    }

    /** The copy table of a run: created before the load, and brought into the state that the operations need. */
    static final class CopyReset {
        private final CopyTable table;
        private final Table original;
        private final ControlWork control;
        private final String run;
        private final boolean isUsed;
        private final Set<CopyState> states;
        private final boolean mayReset;

        /** What the table is filled with in turn; null: all rows that can be drawn. */
        private final @Nullable KeySlices slices;

        /**
         * @param control does the work
         * @param profiles the operations, whose states of the table {@code plan} has found to agree
         * @param run the run's ID, which marks the table
         */
        CopyReset(
                Table table,
                Target target,
                ControlWork control,
                List<OperationProfile> profiles,
                String run,
                RunSpec spec,
                HostShare share) {
            this.original = table;
            this.table = new CopyTable(table.name(), table.keyType(), target.dialect());
            this.control = control;
            this.run = run;
            this.mayReset = !spec.get(RunOptions.NO_RESET);
            this.isUsed = profiles.stream().anyMatch(p -> p.copy() != CopyState.UNUSED);
            this.states = profiles.stream().map(OperationProfile::copy).collect(Collectors.toCollection(TreeSet::new));
            boolean isSliced = mayReset && states.stream().allMatch(s -> s == CopyState.UNUSED || s == CopyState.DRAWN);
            this.slices = isSliced ? slices(profiles, spec, share) : null;
            this.states.removeIf(s -> !s.isReset());
        }

        /** The slices of the only operation that has some, as this run needs them; null if there is none, or several. */
        private static @Nullable KeySlices slices(List<OperationProfile> profiles, RunSpec spec, HostShare share) {
            KeySlices only = null;
            for (int o = 0; o < profiles.size(); o++) {
                KeySlices slices = profiles.get(o).copied().slices();
                if (slices != null && only != null) {
                    return null;
                }
                if (slices != null) {
                    slices.divide(spec, o, share);
                    only = slices;
                }
            }
            return only;
        }

        /** Creates the table if an operation uses it and it is missing. */
        void create() {
            if (!mayReset && !states.isEmpty() && states.stream().allMatch(CopyState::isFilled)) {
                work("examined", this::requireFilled);
            }
            if (isUsed) {
                work("made", table::createFitting);
            }
        }

        /** Rejects a run that needs a full copy table but may not fill it. */
        private void requireFilled(Connection connection) throws SQLException {
            if (!table.isFilled(connection)) {
                throw new TargetException("no-reset: table " + table.name() + ", which the operation needs filled, "
                        + "is missing or empty; leave out --no-reset to fill it");
            }
        }

        /** Whether the run itself brings the table into a state. */
        boolean isReset() {
            return mayReset && !states.isEmpty();
        }

        /** Moves to the rows that the next reset fills the table with; on one host of several, the command resets it. */
        void takeSlice() {
            if (slices != null) {
                slices.take();
            }
        }

        void reset() {
            takeSlice();
            if (isReset()) {
                work("reset", connection -> table.reset(connection, fill(), run));
            }
        }

        private CopyFill fill() {
            if (states.contains(CopyState.FULL)) {
                return CopyFill.ALL;
            }
            if (!states.contains(CopyState.DRAWN)) {
                return CopyFill.NONE;
            }
            KeySlices ids = slices;
            return ids == null
                    ? CopyFill.drawn(original)
                    : CopyFill.drawn(original, ids.end() - ids.begin(), i -> ids.at(ids.begin() + i));
        }

        /** Checks after the load that no other run has reset the table. */
        TableCheck.Query conflict() {
            return connection -> table.wasTaken(connection)
                    ? List.of(RemarkCode.COPY_TABLE_RESET
                            .with("table", table.name().toString())
                            .remark())
                    : List.of();
        }

        private void work(String what, ControlWork.Work work) {
            control.run("table " + table.name() + " could not be " + what, work);
        }
    }
}
