package io.pgstress.cli;

import io.pgstress.compare.CompareListener;
import io.pgstress.compare.ComparisonState;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.result.Comparison.Effect;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Prints one line per round on stderr, and saves the state of the comparison for {@code --resume}. */
public final class CompareProgress implements CompareListener {
    private final PrintStream err;
    private final boolean quiet;
    private final SavedStates states;
    private final Workload workload;
    private volatile int rounds;

    public CompareProgress(PrintStream err, boolean quiet, SavedStates states, Workload workload) {
        this.err = err;
        this.quiet = quiet;
        this.states = states;
        this.workload = workload;
    }

    @Override
    public void block(String when, String variant) {
        if (!quiet && when.equals("settling")) {
            err.println("settling: " + variant);
        }
    }

    /** Takes the number of complete rounds from a resumed state. */
    public void startsAt(ComparisonState state) {
        rounds = state.rounds();
    }

    /** What an interrupted comparison leaves behind. */
    public String kept() {
        int complete = rounds;
        return complete == 0
                ? "no round was complete, so there is no report"
                : "the report covers " + (complete == 1 ? "1 complete round" : complete + " complete rounds")
                        + "; run the same command with --resume to continue";
    }

    @Override
    public void round(ComparisonState state, Supplier<List<Effect>> soFar) {
        rounds = state.rounds();
        keep(state);
        if (quiet) {
            return;
        }
        StringBuilder line = new StringBuilder("round ").append(state.rounds()).append(':');
        state.blocks().stream()
                .filter(b -> b.round() == state.rounds() - 1)
                .forEach(b -> line.append(String.format(
                        Locale.ROOT, " %s %.1f/s,", b.variant(), b.metrics().getOrDefault("opsPerSecond", 0.0))));
        line.setCharAt(line.length() - 1, ';');
        soFar.get().stream()
                .filter(e -> e.metric().equals("opsPerSecond"))
                .forEach(e -> line.append(String.format(
                        Locale.ROOT, " %s x%.3f (%.3f to %.3f)", e.variant(), e.ratio(), e.low(), e.high())));
        err.println(line);
    }

    private void keep(ComparisonState state) {
        try {
            states.keep(workload, state);
        } catch (IOException e) {
            throw new UncheckedIOException("the state of the comparison cannot be saved: " + e.getMessage(), e);
        }
    }
}
