package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import io.pgstress.plan.ClientThreads;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.Remark;
import io.pgstress.runner.Coordination.OneMachine;
import io.pgstress.target.Target;
import io.pgstress.target.loop.LoadThreads;
import io.pgstress.testing.Runs;
import io.pgstress.verdict.Evidence;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The context of a run, for tests of single probes. Its clients exist but are not connected. */
public final class TestContext implements AutoCloseable {
    private final RunContext run;
    private final LoadThreads threads = Threads.of(ClientThreads.PLATFORM, 1, e -> {});
    private final LocalClients clients;
    private final List<Remark> warnings = new CopyOnWriteArrayList<>();

    public TestContext(RunSpec spec, Target target) {
        this.run = new RunContext(
                spec,
                target,
                Runs.table(spec, target),
                new OneMachine(NanoClock.SYSTEM, (run, threads) -> List.of()),
                RunListener.NONE);
        run.warnings(warnings::add);
        run.runOperations().setUp();
        this.clients = new LocalClients(run, threads);
    }

    public RunContext run() {
        return run;
    }

    public LoadThreads threads() {
        return threads;
    }

    /** What the user was warned of so far. */
    public List<Remark> warnings() {
        return List.copyOf(warnings);
    }

    /** The findings that a probe contributes to. */
    public Findings findings() {
        return new Findings(run, new RecordedFigures(run, clients), new Evidence());
    }

    @Override
    public void close() {
        clients.close();
        threads.close();
        run.close();
    }
}
