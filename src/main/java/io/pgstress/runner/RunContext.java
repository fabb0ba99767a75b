package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.OperationLog;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.Operation;
import io.pgstress.operation.TableCheck;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.Load;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.Remark;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import io.pgstress.target.driver.TargetException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * State shared by the thread, the clients and the probes of one run. Its constructor connects to no server. Its accessors may be
 * called by any thread.
 */
public final class RunContext implements AutoCloseable {
    private final RunSpec spec;
    private final Target target;
    private final RunListener listener;
    private final HostShare share;
    private final RunOperations operations;
    private final RunSignals signals;
    private final IntervalExtras extras = new IntervalExtras();
    private final List<ClientRecorder> recorders = new CopyOnWriteArrayList<>();
    private final String id = UUID.randomUUID().toString();
    private volatile Table table;
    private volatile Consumer<Remark> warnings = remark -> {};

    RunContext(RunSpec spec, Target target, Table table, RunTiming timing, RunListener listener) {
        this.spec = spec;
        this.target = target;
        this.table = table;
        this.listener = listener;
        int clients = target.nodes().stream().mapToInt(Node::clients).sum();
        this.share = timing.share(clients);
        this.operations = new RunOperations(spec, target, table, share, this::setUpProgress);
        Schedule schedule = spec.load() instanceof Load.Open open
                ? new Schedule(open, spec.phases().warmup().toNanos() / 1e9, spec.seed(), share)
                : null;
        this.signals = new RunSignals(
                new Timeline(grid(spec), operations.shapes(), target.nodes().size()),
                NanoClock.SYSTEM,
                schedule,
                clients,
                timing,
                operations::resetUsedUp);
    }

    /** Each step of a target rate has intervals of its own. */
    private static IntervalGrid grid(RunSpec spec) {
        boolean hasSteps = spec.load() instanceof Load.Open open && open.rates().size() > 1;
        long step = hasSteps ? ((Load.Open) spec.load()).step().toNanos() : Long.MAX_VALUE;
        return new IntervalGrid(spec.phases().interval().toNanos(), step);
    }

    /** @throws TargetException if the run was stopped */
    private void setUpProgress(String text) {
        Stop.Reason reason = signals.stop().reason();
        if (reason != null) {
            throw reason.before("while the tables were being created");
        }
        listener.progress(text);
    }

    /** Brings the tables into the initial state that the operations need. */
    void resetTables() {
        operations.reset();
        table = operations.reread(table);
    }

    /** The part of the run that this process performs. */
    public HostShare share() {
        return share;
    }

    /** The name of this run, by which its results and metrics are found. */
    String id() {
        return id;
    }

    public RunSpec spec() {
        return spec;
    }

    public Target target() {
        return target;
    }

    /** The table under load, before the load. */
    public Table table() {
        return table;
    }

    public Timeline timeline() {
        return signals.timeline();
    }

    public List<Operation> operations() {
        return operations.all();
    }

    /** What the clients of this process record with, once they exist. */
    public List<ClientRecorder> recorders() {
        return recorders;
    }

    /** The queries that check the tables after the load. */
    public List<TableCheck.Query> checks() {
        return operations.checks();
    }

    public IntervalExtras extras() {
        return extras;
    }

    /** Total duration of the clients' pauses so far, in seconds. */
    public double pausedSeconds() {
        return signals.pause().seconds();
    }

    /** Whether the user has asked the run to end. */
    public boolean isInterrupted() {
        return signals.stop().isInterrupted();
    }

    /** Reports a phase of the run and its maximum duration to the listener. */
    public void phase(Phase phase, double seconds) {
        listener.phase(phase, seconds);
    }

    /** Where a client of this process logs its operations; null: nowhere. */
    @Nullable
    OperationLog logOf(int client) {
        return listener.logOf(client);
    }

    /** Tells the user something at once; any thread may call this. It does not become part of the result. */
    public void warn(Remark remark) {
        warnings.accept(remark);
    }

    void warnings(Consumer<Remark> receiver) {
        warnings = receiver;
    }

    RunOperations runOperations() {
        return operations;
    }

    /** The clock, phases and signals of the run. */
    public RunSignals signals() {
        return signals;
    }

    @Override
    public void close() {
        operations.close();
    }
}
