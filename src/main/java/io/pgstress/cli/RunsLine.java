package io.pgstress.cli;

import io.pgstress.measure.Phase;
import io.pgstress.report.live.LiveView;
import io.pgstress.report.live.ProgressFormat;
import io.pgstress.report.live.Terminal;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import io.pgstress.session.PreparedRun;
import io.pgstress.session.Runs;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The runs of a command that makes several, one after another. On a terminal, a line that is redrawn shows how far the current one has come.
 * Belongs to one thread.
 */
final class RunsLine {
    private final Runs runs;
    private final LiveView view;

    /** @param isQuiet whether no progress is shown */
    RunsLine(Runs runs, Streams streams, boolean isQuiet) {
        Terminal terminal = Terminal.stderr(System.getenv());
        this.runs = runs;
        this.view = isQuiet || !terminal.isTerminal()
                ? LiveView.NONE
                : ProgressFormat.LINE.view(Terminal.stderrWithWidth(System.getenv()), streams.err());
    }

    Runs runs() {
        return runs;
    }

    /** Runs completely; see {@link Runs#runWhole}. */
    RunResult run(String name, PreparedRun run) throws InterruptedException {
        return run(name, run, (phase, interval) -> {});
    }

    /**
     * Runs completely.
     *
     * @param name what the line begins with
     * @param settled receives each interval when it is known completely; see {@link RunListener#settled}
     */
    RunResult run(String name, PreparedRun run, BiConsumer<Phase, Supplier<IntervalResult>> settled)
            throws InterruptedException {
        view.begins(name);
        try {
            return runs.runWhole(run, new RunListener() {
                @Override
                public void phase(Phase phase, double seconds) {
                    view.phase(phase, seconds);
                }

                @Override
                public void interval(IntervalResult result) {
                    view.interval(result);
                }

                @Override
                public void settled(Phase phase, Supplier<IntervalResult> interval) {
                    settled.accept(phase, interval);
                }
            });
        } finally {
            view.close();
        }
    }
}
