package io.pgstress.cli;

import io.pgstress.interrupt.Part;
import io.pgstress.runner.Runner;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The load of a command as a signal sees it: the first signal ends the run under way, the second its waiting too. */
final class LoadPart implements Part {
    /** An aborted run still makes its report. */
    private static final long GRACE_MILLIS = 5_000;

    private final Supplier<@Nullable Runner> running;
    private final Runnable stop;
    private final Runnable abort;
    private final Supplier<String> kept;

    /**
     * @param running the run under way; null between two runs
     * @param kept what remains, asked for at the end
     */
    LoadPart(Supplier<@Nullable Runner> running, Runnable stop, Runnable abort, Supplier<String> kept) {
        this.running = running;
        this.stop = stop;
        this.abort = abort;
        this.kept = kept;
    }

    @Override
    public String waitingFor() {
        Runner runner = running.get();
        return runner == null ? "" : runner.waitingFor();
    }

    @Override
    public String atMost() {
        Runner runner = running.get();
        return runner == null ? "" : runner.atMost();
    }

    @Override
    public void stop() {
        stop.run();
    }

    @Override
    public void abort() {
        abort.run();
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
