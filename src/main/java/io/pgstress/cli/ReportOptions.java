package io.pgstress.cli;

import io.pgstress.metrics.RunMetrics;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Nearest;
import io.pgstress.report.live.LiveView;
import io.pgstress.report.live.ProgressFormat;
import io.pgstress.report.live.Terminal;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Where a run's result goes and how its progress is shown. Not thread-safe. */
final class ReportOptions implements AutoCloseable {
    private static final List<String> OF_SINGLE_RUNS =
            List.of(FailIf.NAME, "--progress-format", "--prometheus", "--prometheus-host");

    private final Streams streams;
    private final ResultOutput output = new ResultOutput();
    private final MetricsOptions metrics = new MetricsOptions();
    private ProgressFormat progress = ProgressFormat.AUTO;
    private LiveView view = LiveView.NONE;

    ReportOptions(Streams streams) {
        this.streams = streams;
    }

    void addTo(CommandSpec command) {
        ArgGroupSpec.Builder group = ResultOutput.group("Reports");
        output.addTo(group);
        group.addArg(
                ReportTargets.value("--progress-format", "KIND", "auto, line, plain, json or none. Default: auto."));
        group.addArg(ReportTargets.flag("Shows no progress.", "-q", "--quiet"));
        metrics.addTo(group);
        group.addArg(FailIf.option());
        group.addArg(ReportTargets.flag(
                "Shows details too: settings, waits, statements, plans; and where an error came from.", "--verbose"));
        command.addArgGroup(group.build());
    }

    /**
     * Reads what was given and makes sure that every file can be written.
     *
     * @throws InvalidPlanException where what was given makes no sense
     * @throws IOException where a file cannot be written
     */
    void read(ParseResult parsed) throws IOException {
        List<String> problems = new ArrayList<>();
        output.read(parsed, problems);
        progress = progressFormat(parsed.matchedOptionValue("--progress-format", "auto"), problems);
        if (parsed.matchedOptionValue("--quiet", false)) {
            progress = ProgressFormat.NONE;
        }
        metrics.read(parsed, problems);
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
        output.prepare();
    }

    /**
     * Reads where what a search for clients finds is to go.
     *
     * @throws InvalidPlanException where what was given makes no sense, or is for single runs
     */
    ResultOutput readForTune(ParseResult parsed) {
        List<String> problems = new ArrayList<>();
        output.readForNoRuns(parsed, problems);
        OF_SINGLE_RUNS.stream()
                .filter(parsed::hasMatchedOption)
                .forEach(o -> problems.add(o + ": is for a run with a number of --threads; a search for it has none"));
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
        return output;
    }

    private static ProgressFormat progressFormat(String name, List<String> problems) {
        List<String> names = Arrays.stream(ProgressFormat.values())
                .map(f -> f.name().toLowerCase(Locale.ROOT))
                .toList();
        int index = names.indexOf(name);
        if (index < 0) {
            problems.add("--progress-format: must be one of " + String.join(", ", names) + ", was '" + name + "'"
                    + Nearest.hint(name, names));
        }
        return ProgressFormat.values()[Math.max(0, index)];
    }

    /** How a run goes on, shown on stderr and served as metrics. */
    RunListener live() throws IOException {
        RunMetrics served = metrics.start(streams);
        view = progress.view(Terminal.stderr(System.getenv()), streams.err());
        return new LiveListener(view, served, streams.err());
    }

    /** Writes the result everywhere it was asked to be. */
    void write(RunResult result) throws IOException {
        close();
        output.write(List.of(result), streams);
    }

    /** Ends the showing of progress and the serving of metrics. */
    @Override
    public void close() {
        metrics.close();
        view.close();
        view = LiveView.NONE;
    }
}
