package io.pgstress.cli;

import io.pgstress.interrupt.CommandPart;
import io.pgstress.plan.FigureLimit;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.report.file.History;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.verdict.FigureLimits;
import io.pgstress.verdict.ResultMerge;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code stress report}: writes reports of earlier results, or lists the saved ones. */
final class ReportCommand extends Command {
    private static final Option<Boolean> MERGE =
            Option.flag("merge").help(Group.REPORTS, "merge results of one run on several hosts");

    private static final Option<Boolean> LIST =
            Option.flag("list").help(Group.REPORTS, "list the results saved with --save");

    private static final List<Option<?>> OPTIONS = options();

    ReportCommand(Streams streams) {
        super(streams, Subcommand.REPORT, OPTIONS);
        argument("0..*", "RESULT|last", "A result's JSON file, the beginning of a saved run's id, or last.");
    }

    private static List<Option<?>> options() {
        List<Option<?>> options = new ArrayList<>(ReportOptions.FILES.values());
        options.addAll(List.of(ReportOptions.CSV, MERGE, ReportOptions.FAIL_IF));
        options.replaceAll(option -> option.uselessWith(LIST));
        options.addAll(List.of(LIST, ReportOptions.DIR, ReportOptions.VERBOSE));
        return List.copyOf(options);
    }

    @Override
    int run(ParseResult parsed, Options options, Problems problems) throws IOException {
        History history = ResultOutput.history(options.get(ReportOptions.DIR));
        List<String> names = arguments(parsed);
        if (options.get(LIST)) {
            if (!names.isEmpty()) {
                problems.add(LIST, "lists all saved results; leave " + String.join(", ", names) + " out");
            }
            problems.throwIfAny();
            list(history);
            return ExitCode.DONE;
        }
        boolean merge = options.get(MERGE);
        ResultOutput output = new ResultOutput(options);
        if (names.isEmpty()) {
            problems.addAll(List.of("name a result, or list the saved ones with --list"));
        }
        if (names.size() > 1 && !merge) {
            output.checkSeveral(problems);
        }
        problems.throwIfAny();
        output.prepare();
        streams.interruption()
                .enter(CommandPart.uninterruptible(
                        "the reports to be written",
                        "each report that was written is complete; run the command again"));
        List<Result> results = read(history, names, output, problems);
        streams.interruption().check();
        if (!results.stream().allMatch(RunResult.class::isInstance)) {
            output.checkNoRuns(problems);
        }
        problems.throwIfAny();
        List<Result> checked =
                checked(merge ? List.of(ResultMerge.of(results)) : results, options.get(ReportOptions.FAIL_IF));
        output.write(checked, streams);
        return ExitCode.of(checked);
    }

    /**
     * The results, checked against the limits; unchanged if there are none.
     *
     * @throws InvalidPlanException if one is not a run, because other results have other figures
     */
    private static List<Result> checked(List<? extends Result> findings, List<FigureLimit> limits) {
        List<Result> checked = new ArrayList<>();
        for (Result finding : findings) {
            if (limits.isEmpty()) {
                checked.add(finding);
            } else if (finding instanceof RunResult run) {
                checked.add(FigureLimits.checked(run, limits));
            } else {
                throw new InvalidPlanException("--fail-if: limits the figures of runs, and "
                        + finding.run().id() + " is not a run");
            }
        }
        return checked;
    }

    private static Path find(History history, String name) throws IOException {
        try {
            return history.find(name);
        } catch (NoSuchFileException e) {
            throw new InvalidPlanException(
                    name + ": no such file, and no result of that name in " + history.directory());
        }
    }

    private static List<Result> read(History history, List<String> names, ResultOutput output, Problems problems)
            throws IOException {
        List<Result> results = new ArrayList<>();
        for (String name : names) {
            Path file = find(history, name);
            output.checkInput(file, problems);
            results.add(ResultFile.read(file));
        }
        return results;
    }

    private void list(History history) throws IOException {
        List<History.Entry> entries = history.list();
        if (entries.isEmpty()) {
            streams.note("no results are saved in " + history.directory() + "; save one with --save");
            return;
        }
        History.print(entries, streams.out(), streams.columns().getAsInt());
        streams.out().flush();
    }
}
