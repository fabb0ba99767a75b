package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.measure.OperationShape;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.OperationTrait;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.SetUpWork;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.check.WriteChecks;
import io.pgstress.operation.workload.Operations;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.Remark;
import io.pgstress.runner.CopyReset.TableUse;
import io.pgstress.target.Target;
import io.pgstress.target.WriteAccess;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.statement.Sql;
import io.pgstress.text.SqlVerb;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
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
    private final TableDuty duty;
    private final boolean mayReset;
    private final CopyReset copy;
    private final WriteChecks writes;
    private final double[] rowBytes;

    /**
     * @param progress receives lines about a long set-up
     * @throws InvalidPlanException if the operations cannot run together or on these servers
     */
    RunOperations(RunSpec spec, Target target, Table table, HostShare share, Consumer<String> progress) {
        this.spec = spec;
        this.target = target;
        this.control = new ControlWork(target, table.name());
        this.mayReset = !spec.get(RunOptions.NO_RESET);
        this.rowBytes = new double[spec.mix().size()];
        OperationType.Context context = new OperationType.Context(
                table,
                target.dialect(),
                spec.options(),
                spec.seed(),
                share,
                share.isPart() ? RunOperations::missing : null,
                new SetUpWork(() -> target.first().connector().open(SessionPurpose.DDL), progress));
        for (WeightedOperation weighted : spec.mix()) {
            Operation operation = Operations.create(weighted.name(), context);
            all.add(operation);
            shapes.add(shape(weighted.name(), operation));
        }
        checkIndexes();
        List<OperationProfile> profiles = all.stream().map(Operation::profile).toList();
        this.writes = new WriteChecks(
                all.stream().flatMap(o -> o.checks().stream()).toList(),
                all.stream()
                        .flatMap(o -> o.statements(0).stream())
                        .map(Sql::text)
                        .toList(),
                target.dialect(),
                spec.get(RunOptions.SET));
        TableUse run = new TableUse(UUID.randomUUID().toString().substring(0, 8), spec, target, control);
        this.copy = new CopyReset(table, profiles, share, run);
        this.duty = share.isPart()
                ? new TableDuty.OfCommand(all, copy, writes, run)
                : new TableDuty(all, copy, writes, run);
    }

    /** The operations of one host of several create nothing. */
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
        boolean expectsMisses = operation.profile().has(OperationTrait.EXPECTS_MISSES);
        // whoever raises the limit expects them, too
        boolean allowsMisses = spec.get(RunOptions.MAX_MISS_RATE).orElse(0.0) > RunOptions.DEFAULT_MAX_MISS_RATE;
        return new OperationShape(name, names, expectsMisses || allowsMisses);
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
        writer().ifPresent(name -> WriteAccess.require(target, name));
        duty.lockAndCreate();
        control.prepare(connection -> Operation.setUp(all, connection));
        Arrays.setAll(rowBytes, o -> all.get(o).profile().rowBytes());
    }

    /** The name of an operation whose statements change rows, or whose copy table the run fills; the first of them. */
    private Optional<String> writer() {
        return IntStream.range(0, all.size())
                .filter(o -> (mayReset && all.get(o).profile().copy().isReset())
                        || all.get(o).statements(0).stream()
                                .anyMatch(s -> SqlVerb.of(s.text()).isChange()))
                .mapToObj(o -> shapes.get(o).name())
                .findFirst();
    }

    /** In the order of the mix. */
    List<Operation> all() {
        return all;
    }

    /** The highest valid share of misses and duplicates, 0 to 1, by operation; those without an entry have no limit. */
    Map<String, Double> maxMissShares() {
        Optional<Double> asked = spec.get(RunOptions.MAX_MISS_RATE);
        Map<String, Double> limits = new TreeMap<>();
        shapes.stream()
                .filter(shape -> asked.isPresent() || !shape.expectsMisses())
                .forEach(shape -> limits.put(shape.name(), asked.orElse(RunOptions.DEFAULT_MAX_MISS_RATE)));
        return limits;
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

    /** The most rows that the copy table held at a time, if it held only a part of them; null otherwise. */
    @Nullable
    Long copyRows() {
        return copy.partRows();
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
        duty.close();
    }
}
