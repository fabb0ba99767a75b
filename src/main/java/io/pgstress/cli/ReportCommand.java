package io.pgstress.cli;

import io.pgstress.interrupt.Part;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.report.file.History;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.verdict.ResultMerge;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code stress report}: writes reports of earlier results, or lists the saved ones. */
final class ReportCommand extends Command {
    private static final Option<Boolean> MERGE = Option.flag("merge")
            .help(
                    Group.REPORTS,
                    "Merges the results of several hosts that ran the same load at the same time into one.");

    private static final Option<Boolean> LIST =
            Option.flag("list").help(Group.REPORTS, "Lists the results saved with --save.");

    private static final List<Option<?>> OPTIONS = ReportOptions.with(
            ReportOptions.with(
                    ReportOptions.FILES.values(),
                    MERGE,
                    ReportOptions.FAIL_IF,
                    LIST,
                    ReportOptions.DIR,
                    ReportOptions.VERBOSE),
            HistoryReport.OPTIONS.toArray(Option<?>[]::new));

    ReportCommand(Streams streams) {
        super(streams, Subcommand.REPORT, OPTIONS);
        argument("0..*", "RESULT|last", "A result's JSON file, the beginning of a saved run's id, or last.");
    }

    @Override
    int run(ParseResult parsed, Options options, Problems problems) throws IOException {
        History history = ResultOutput.history(options.get(ReportOptions.DIR));
        List<String> names = arguments(parsed);
        if (options.get(LIST)) {
            refuseBesideList(options, names, problems);
            problems.throwIfAny();
            list(history);
            return ExitCode.DONE;
        }
        if (options.get(HistoryReport.HISTORY)) {
            return history(history, names, options, problems);
        }
        boolean merge = options.get(MERGE);
        ReportTargets targets = new ReportTargets(options, problems);
        check(names, merge, targets, problems);
        problems.throwIfAny();
        targets.touch();
        streams.interruption()
                .enter(Part.uninterruptible(
                        "the reports to be written",
                        "each report that was written is complete; run the command again"));
        List<Result> results = read(history, names, targets, problems);
        streams.interruption().check();
        if (!results.stream().allMatch(RunResult.class::isInstance)) {
            targets.checkNoRuns(problems);
        }
        problems.throwIfAny();
        List<Result> checked =
                FailIf.check(merge ? List.of(ResultMerge.of(results)) : results, options.get(ReportOptions.FAIL_IF));
        targets.write(checked, streams);
        return checked.stream().anyMatch(FailIf::isBroken) ? ExitCode.LIMIT_BROKEN : ExitCode.DONE;
    }

    private int history(History history, List<String> names, Options options, Problems problems) throws IOException {
        if (options.get(MERGE)) {
            problems.add(MERGE, "cannot be combined with --history");
        }
        HistoryReport report = new HistoryReport(options, problems);
        problems.throwIfAny();
        report.touch();
        List<Path> files = new ArrayList<>();
        for (String name : names) {
            files.add(find(history, name));
        }
        return report.write(history, files, streams) ? ExitCode.LIMIT_BROKEN : ExitCode.DONE;
    }

    private static Path find(History history, String name) throws IOException {
        try {
            return history.find(name);
        } catch (NoSuchFileException e) {
            throw new InvalidPlanException(
                    name + ": no such file, and no result of that name in " + history.directory());
        }
    }

    private static List<Result> read(History history, List<String> names, ReportTargets targets, Problems problems)
            throws IOException {
        List<Result> results = new ArrayList<>();
        for (String name : names) {
            Path file = find(history, name);
            targets.checkInput(file, problems);
            results.add(ResultFile.read(file));
        }
        return results;
    }

    private static void check(List<String> names, boolean merge, ReportTargets targets, Problems problems) {
        if (names.isEmpty()) {
            problems.addAll(List.of("name a result, or list the saved ones with --list"));
        }
        if (names.size() > 1 && !merge) {
            targets.checkSeveral(problems);
        }
    }

    private static void refuseBesideList(Options options, List<String> names, Problems problems) {
        if (!names.isEmpty()) {
            problems.add(LIST, "lists all saved results; leave " + String.join(", ", names) + " out");
        }
        options.given().stream()
                .filter(o -> !o.equals(LIST) && !o.equals(ReportOptions.DIR) && !o.equals(ReportOptions.VERBOSE))
                .forEach(o -> problems.add(o, "has no effect with --list"));
    }

    private void list(History history) throws IOException {
        List<History.Entry> entries = history.list();
        if (entries.isEmpty()) {
            streams.err().println("stress: no results are saved in " + history.directory() + "; save one with --save");
            return;
        }
        History.print(entries, streams.out());
        streams.out().flush();
    }
}
