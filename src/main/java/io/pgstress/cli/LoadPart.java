package io.pgstress.cli;

import io.pgstress.interrupt.Part;
import io.pgstress.result.RunResult;
import io.pgstress.runner.CommandSession.PreparedRun;
import io.pgstress.runner.RunListener;
import io.pgstress.runner.Runner;
import io.pgstress.runner.Stop.StopCause;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of a command that puts servers under load, one run after another. The first signal ends the current run
 * normally, the second without waiting for its operations. One thread runs; any thread may call the other methods.
 */
public final class LoadPart implements Part {
    /** An aborted run still writes its report. */
    private static final long GRACE_MILLIS = 5_000;

    private final LoadHosts loadHosts;
    private volatile Supplier<String> kept;
    private volatile @Nullable Runner current;
    private volatile boolean stopped;
    private volatile boolean aborted;

    /**
     * @param loadHosts where the clients are
     * @param kept says what is left after a signal, when the command ends
     */
    public LoadPart(LoadHosts loadHosts, Supplier<String> kept) {
        this.loadHosts = loadHosts;
        this.kept = kept;
    }

    /** Replaces what is left after a signal. */
    public void keeps(Supplier<String> now) {
        kept = now;
    }

    /**
     * Runs until the run or a signal ends it.
     *
     * @throws io.pgstress.target.TargetException if the run cannot begin, or a signal came before the clients connected
     */
    public RunResult run(PreparedRun run, RunListener listener) throws InterruptedException {
        Runner runner = new Runner(run.spec(), run.target(), run.table(), loadHosts.of(run), listener);
        current = runner;
        if (stopped) {
            runner.stop(StopCause.INTERRUPTED);
        }
        if (aborted) {
            runner.abort();
        }
        try {
            return runner.run();
        } finally {
            current = null;
        }
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
