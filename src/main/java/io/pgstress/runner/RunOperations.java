package io.pgstress.runner;

import io.pgstress.dataset.RunLock;
import io.pgstress.dataset.Table;
import io.pgstress.measure.OperationShape;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.SetUpWork;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.catalog.Operations;
import io.pgstress.operation.check.WriteChecks;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.Target;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.statement.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
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
    private final boolean isPart;
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
        this.isPart = share.isPart();
        this.mayReset = !spec.get(RunOptions.NO_RESET);
        this.rowBytes = new double[spec.mix().size()];
        OperationType.Context context = new OperationType.Context(
                table,
                target.dialect(),
                spec.options(),
                spec.seed(),
                share,
                share.isPart() ? RunOperations::missing : null,
                new SetUpWork(target.first().connector()::openDdl, progress));
        try {
            for (WeightedOperation weighted : spec.mix()) {
                Operation operation = Operations.create(weighted.name(), context);
                all.add(operation);
                shapes.add(shape(weighted.name(), operation));
            }
            checkIndexes();
            List<OperationProfile> profiles =
                    all.stream().map(Operation::profile).toList();
            this.copy = new CopyReset(table, target, control, profiles, run, mayReset);
            copy.divide(spec, share, profiles);
            this.writes = new WriteChecks(
                    all.stream().flatMap(o -> o.checks().stream()).toList(), target.dialect());
        } catch (RuntimeException | Error e) {
            all.forEach(Operation::close);
            throw e;
        }
    }

    private static void missing(String object) {
        throw new TargetException(
                object + " is missing, although the command has prepared the tables: does this host use"
                        + " the same database and search_path?");
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
        boolean isOverall =
                target.nodes().size() > 1 && target.dialect().topology().definesThroughFirstOnly();
        if (isOverall && all.stream().anyMatch(o -> o.profile().definesTables())) {
            throw new InvalidPlanException("index-when: with after, the client that loads the last rows"
                    + " builds the indexes, and " + target.dialect().name()
                    + " cannot build them through a worker; use the"
                    + " coordinator alone (one --url), or --index-when before");
        }
    }

    /**
     * Locks the tables that the run needs for itself, and creates those that are missing; called once. On one host of several,
     * the command has done so.
     */
    void setUp() {
        if (!isPart) {
            lock = RunLock.take(
                    target.first().connector(),
                    run,
                    all.stream()
                            .flatMap(o -> o.profile().claims().stream())
                            .distinct()
                            .toList());
            copy.create();
        }
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
        List<TableCheck.Query> checks = new ArrayList<>();
        if (isPart) {
            all.stream()
                    .flatMap(o -> o.checks().stream())
                    .filter(TableCheck.Local.class::isInstance)
                    .forEach(check -> checks.add(control -> ((TableCheck.Local) check).found()));
            return checks;
        }
        if (!writes.isEmpty()) {
            checks.add(writes::finish);
        }
        if (copy.isReset()) {
            checks.add(copy.conflict());
        }
        all.stream().flatMap(o -> o.checks().stream()).forEach(check -> {
            if (check instanceof TableCheck.ByQuery own) {
                checks.add(own.query());
            } else if (check instanceof TableCheck.Local local) {
                checks.add(control -> local.found());
            }
        });
        return checks;
    }

    /** Cancels counts before the load and at resets when the run is to stop; may be called by any thread. */
    void stopCounting() {
        writes.stopCounting();
    }

    /** Warnings: write checks that are not possible, and known problems of this load on this kind of server. */
    List<String> warnings() {
        if (isPart) {
            return List.of();
        }
        List<String> warnings = new ArrayList<>(writes.impossible());
        warnings.addAll(Hazards.of(spec, target, all));
        return warnings;
    }

    /** The table under load after the set-up: an operation may have created it. */
    Table reread(Table table) {
        if (table.keys().size() > 0) {
            return table;
        }
        try (Connection connection = target.first().connector().openControl()) {
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
        reset(all);
    }

    /** Makes used-up ids available again while all clients are paused; some operations continue instead. */
    void resetUsedUp() {
        reset(all.stream().filter(o -> !is(o, WhenUsedUp.CONTINUE)).toList());
    }

    private void reset(List<Operation> some) {
        if (isPart) {
            copy.takeSlice();
            some.forEach(Operation::rewind);
            WriteChecks.forgetRows(all);
            return;
        }
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

    @Override
    public void close() {
        all.forEach(Operation::close);
        control.close();
        if (lock != null) {
            lock.close();
        }
    }
}
