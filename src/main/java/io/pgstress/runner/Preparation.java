package io.pgstress.runner;

import io.pgstress.dataset.CopyTable;
import io.pgstress.dataset.RunLock;
import io.pgstress.dataset.Table;
import io.pgstress.measure.OperationShape;
import io.pgstress.operation.CopyState;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.Writes;
import io.pgstress.operation.catalog.Operations;
import io.pgstress.operation.check.WriteChecks;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.sql.SqlVerb;
import io.pgstress.target.Target;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.statement.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/** The operations of a run, created for its table, and their preparation before the load. */
final class Preparation implements AutoCloseable {
    private final List<Operation> operations = new ArrayList<>();
    private final List<OperationShape> shapes = new ArrayList<>();
    private final List<List<Sql>> statements = new ArrayList<>();
    private final CopyState copy;
    private final String run;
    private final CopyTable copyTable;
    private final Target target;
    private final boolean mayReset;
    private final WriteChecks writes;
    private final RunLock lock;

    Preparation(RunSpec spec, Target target, Table table) {
        this.run = UUID.randomUUID().toString().substring(0, 8);
        this.copyTable = new CopyTable(table.name(), table.keyType(), target.dialect());
        this.target = target;
        this.mayReset = !spec.get(RunOptions.NO_RESET);
        OperationType.Context context = new OperationType.Context(table, target.dialect(), spec.options(), spec.seed());
        Set<CopyState> resets = EnumSet.noneOf(CopyState.class);
        for (WeightedOperation weighted : spec.mix()) {
            Operation operation = Operations.create(weighted.name(), context);
            operations.add(operation);
            statements.add(operation.statements(0));
            int count = operation.statements(0).size() + (spec.get(RunOptions.TRANSACTION) ? 1 : 0);
            if (count > OperationShape.MAX_STATEMENTS) {
                throw new InvalidPlanException("tables: " + weighted.name() + " would have " + count
                        + " statements, and at most " + OperationShape.MAX_STATEMENTS
                        + " can be counted; use fewer --tables");
            }
            CopyState state = operation.profile().copy();
            if (state.isReset()) {
                resets.add(state);
            }
        }
        checkTogether();
        if (resets.size() > 1 && !spec.get(RunOptions.NO_RESET)) {
            throw new InvalidPlanException(
                    "op: one operation of the mix needs the copy table empty, another needs it full;"
                            + " run them separately, or with --no-reset");
        }
        this.copy = !spec.get(RunOptions.NO_RESET) && !resets.isEmpty()
                ? resets.iterator().next()
                : CopyState.UNUSED;
        this.lock = RunLock.take(
                target.first().connector(),
                run,
                operations.stream()
                        .flatMap(o -> o.profile().claims().stream())
                        .distinct()
                        .toList());
        this.writes = new WriteChecks(
                operations.stream().flatMap(o -> o.checks().stream()).toList(), target.dialect());
        try {
            makeReady(spec, resets);
        } catch (RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /** Prepares the tables so that they can be reset and used. */
    private void makeReady(RunSpec spec, Set<CopyState> resets) {
        if (!mayReset && resets.equals(Set.of(CopyState.FULL))) {
            onCopy("examined", this::requireFilled);
        }
        if (operations.stream().anyMatch(o -> o.profile().copy() != CopyState.UNUSED)) {
            onCopy("made", copyTable::create);
        }
        onControl(operations, operation -> operation::setUp);
        for (int o = 0; o < operations.size(); o++) {
            shapes.add(shape(spec.mix().get(o).name(), operations.get(o), spec.get(RunOptions.TRANSACTION)));
        }
    }

    /** Checks that need the operations themselves. */
    private void checkTogether() {
        boolean isOverall =
                target.nodes().size() > 1 && target.dialect().topology().definesThroughFirstOnly();
        if (isOverall && operations.stream().anyMatch(o -> o.profile().definesTables())) {
            throw new InvalidPlanException("index-when: with after, the client that loads the last rows"
                    + " builds the indexes, and " + target.dialect().name()
                    + " cannot build them through a worker; use the"
                    + " coordinator alone (one --url), or --index-when before");
        }
    }

    private static OperationShape shape(String name, Operation operation, boolean transaction) {
        List<String> names = new ArrayList<>();
        operation.statements(0).forEach(s -> names.add(s.name()));
        if (transaction) {
            names.add("commit");
        }
        return new OperationShape(name, names, operation.profile().rowBytes());
    }

    /** Work on a control connection. */
    private interface Work {
        void on(Connection control) throws SQLException;
    }

    private void onControl(List<Operation> some, Function<Operation, Work> work) {
        onControl(control -> {
            for (Operation operation : some) {
                work.apply(operation).on(control);
            }
        });
    }

    private void onControl(Work work) {
        onControl("the operations could not be prepared", work);
    }

    private void onCopy(String what, Work work) {
        onControl("table " + copyTable.name() + " could not be " + what, work);
    }

    private void onControl(String failure, Work work) {
        try (Connection control = target.first().connector().openDdl()) {
            work.on(control);
        } catch (SQLException e) {
            throw new TargetException(failure + ": " + ServerErrors.sampleOf(e) + LockHolders.words(target, e), e);
        }
    }

    /** Rejects a run that needs a full copy table but may not fill it. */
    private void requireFilled(Connection control) throws SQLException {
        if (!copyTable.isFilled(control)) {
            throw new TargetException("no-reset: table " + copyTable.name() + ", which the operation needs filled, "
                    + "is missing or empty; leave out --no-reset to fill it");
        }
    }

    List<Operation> operations() {
        return operations;
    }

    List<OperationShape> shapes() {
        return shapes;
    }

    /** The statements of each operation, without commits. */
    List<List<Sql>> statements() {
        return statements;
    }

    /** One client's statements, by operation. */
    List<List<Sql>> statements(int client) {
        return operations.stream().map(o -> o.statements(client)).toList();
    }

    /** The queries that check the operations' own tables after the load. */
    List<TableCheck.Query> checks() {
        List<TableCheck.Query> checks = new ArrayList<>();
        if (!writes.isEmpty()) {
            checks.add(writes::finish);
        }
        if (copy.isReset()) {
            checks.add(control -> copyTable.conflict(control).stream()
                    .map(text -> new PostRunCheck(false, text))
                    .toList());
        }
        operations.stream()
                .flatMap(o -> o.checks().stream())
                .filter(TableCheck.Query.class::isInstance)
                .map(TableCheck.Query.class::cast)
                .forEach(checks::add);
        return checks;
    }

    /** Cancels counts before the load and at resets when the run is to stop; may be called by any thread. */
    void stopCounting() {
        writes.stopCounting();
    }

    /** Warnings: write checks that are not possible, and known problems of this load on this kind of server. */
    List<String> warnings(RunSpec spec) {
        return Stream.concat(writes.impossible().stream(), hazards(spec).stream())
                .toList();
    }

    private List<String> hazards(RunSpec spec) {
        boolean areInserts = statements.stream()
                .flatMap(List::stream)
                .anyMatch(s -> SqlVerb.of(s.text()).word().equals("insert"));
        if (!areInserts) {
            return List.of();
        }
        boolean isTransaction = spec.get(RunOptions.TRANSACTION)
                || operations.stream()
                        .anyMatch(o -> o.profile().isTransaction()
                                && o.checks().stream().anyMatch(Preparation::isInsert));
        try (Connection load = target.first().connector().open()) {
            return target.dialect().sessions().hazards(load, spec.statement(), isTransaction);
        } catch (SQLException e) {
            throw Target.unreachable(target.first().connector().endpoint(), e);
        }
    }

    private static boolean isInsert(TableCheck check) {
        return check instanceof Writes writes && writes.kind() == Writes.Kind.INSERT;
    }

    /** The table of the run, after the operations have prepared their own tables. */
    Table prepared(Table table) {
        try (Connection control = target.first().connector().openControl()) {
            return table.prepared(control, target.dialect());
        } catch (SQLException e) {
            throw new TargetException("table " + table.name() + " cannot be read: " + ServerErrors.sampleOf(e), e);
        }
    }

    /** Whether used-up ids can be made available again. */
    boolean resets() {
        return copy.isReset() || (mayReset && operations.stream().anyMatch(o -> is(o, WhenUsedUp.REPLENISH)));
    }

    private static boolean is(Operation operation, WhenUsedUp rule) {
        return operation.profile().whenUsedUp() == rule;
    }

    /** Makes all ids available again. */
    void handOutAgain() {
        operations.forEach(Operation::rewind);
        writes.forget();
    }

    /** Makes used-up ids available again while all clients are paused; some operations continue instead. */
    void startOver() {
        reset(operations.stream().filter(o -> !is(o, WhenUsedUp.CONTINUE)).toList());
    }

    @Override
    public void close() {
        operations.forEach(Operation::close);
        lock.close();
    }

    /** Resets the copy table and makes all ids available. */
    void reset() {
        reset(operations);
    }

    private void reset(List<Operation> some) {
        if (!writes.isEmpty()) {
            onControl(writes::settleBeforeReset);
        }
        if (copy.isReset()) {
            onCopy("reset", control -> copyTable.reset(control, copy == CopyState.FULL, run));
        }
        if (mayReset) {
            onControl(some, operation -> operation::resetTables);
        }
        some.forEach(Operation::rewind);
        if (!writes.isEmpty()) {
            onControl(writes::begin);
        }
    }
}
