package io.pgstress.session;

import io.pgstress.interrupt.CommandPart;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import io.pgstress.runner.Coordination;
import io.pgstress.runner.RunListener;
import io.pgstress.runner.Runner;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.embedded.ServerBuild;
import io.pgstress.text.Records;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a command, one after another. The first signal ends the current run normally, the second without waiting for its
 * operations. One thread runs; any thread may call the other methods.
 */
public final class Runs implements CommandPart {
    /** The hosts that the clients of a command's runs work on: this one, or others. */
    public interface RunHosts extends AutoCloseable {
        /** Who decides in the next run. */
        Coordination coordination(PreparedRun run) throws InterruptedException;

        /** The number of hosts. */
        default int count() {
            return 1;
        }

        @Override
        default void close() {}
    }

    /** An aborted run still writes its report. */
    private static final long GRACE_MILLIS = 5_000;

    private final RunHosts hosts;
    private final UnaryOperator<RunResult> finish;
    private volatile Supplier<String> kept;
    private volatile @Nullable Runner current;
    private volatile boolean stopped;
    private volatile boolean aborted;

    /**
     * @param hosts where the clients are
     * @param finish adds to each result what is known apart from the run
     * @param kept says what is left after a signal, when the command ends
     */
    public Runs(RunHosts hosts, UnaryOperator<RunResult> finish, Supplier<String> kept) {
        this.hosts = hosts;
        this.finish = finish;
        this.kept = kept;
    }

    /** Replaces what is left after a signal. */
    public void keeps(Supplier<String> now) {
        kept = now;
    }

    /**
     * Runs until the run or a signal ends it.
     *
     * @throws TargetException if the run cannot begin, or a signal came before the clients connected
     */
    public RunResult run(PreparedRun run, RunListener listener) throws InterruptedException {
        Runner runner = new Runner(run.spec(), run.target(), run.table(), hosts.coordination(run), listener);
        current = runner;
        if (stopped) {
            runner.stop(StopCause.INTERRUPTED);
        }
        if (aborted) {
            runner.abort();
        }
        try {
            return finish.apply(withBuild(runner.run(), run.build()));
        } catch (TargetException e) {
            throw e.named(run.target().first().facts().nodeNames());
        } finally {
            current = null;
        }
    }

    private static RunResult withBuild(RunResult result, @Nullable ServerBuild build) {
        return build == null
                ? result
                : result.with(result.header()
                        .with(result.servers().stream()
                                .map(s ->
                                        Records.with(s, "build", new ServerInfo.Build(build.origin(), build.sha256())))
                                .toList()));
    }

    /**
     * Runs completely.
     *
     * @throws InterruptedException if a signal came; the result is discarded
     */
    public RunResult runWhole(PreparedRun run, RunListener listener) throws InterruptedException {
        checkNotStopped();
        RunResult result = run(run, listener);
        checkNotStopped();
        return result;
    }

    private void checkNotStopped() throws InterruptedException {
        if (stopped) {
            throw new InterruptedException("stopped");
        }
    }

    /** Ends the measurement of the current run. */
    public void endMeasurement(StopCause cause) {
        Runner runner = current;
        if (runner != null) {
            runner.stop(cause);
        }
    }

    @Override
    public String waitingFor() {
        Runner runner = current;
        return runner == null ? "" : runner.waitingFor();
    }

    @Override
    public String atMost() {
        Runner runner = current;
        return runner == null ? "" : runner.atMost();
    }

    @Override
    public void stop() {
        stopped = true;
        endMeasurement(StopCause.INTERRUPTED);
    }

    @Override
    public void abort() {
        stopped = true;
        aborted = true;
        Runner runner = current;
        if (runner != null) {
            runner.abort();
        }
    }

    @Override
    public long graceMillis() {
        return GRACE_MILLIS;
    }

    @Override
    public String kept() {
        return kept.get();
    }
}
