package io.pgstress.cli;

import io.pgstress.interrupt.Part;
import io.pgstress.merge.ResultMerge;
import io.pgstress.plan.FigureLimit;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.report.file.History;
import io.pgstress.report.file.HistoryTable;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.Result;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code stress report}: reports of earlier results, and a list of those that were kept. */
final class ReportCommand implements Callable<Integer> {
    private final Streams streams;
    private final ReportTargets targets = new ReportTargets();
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

    private ReportCommand(Streams streams) {
        this.streams = streams;
        spec.name("report")
                .mixinStandardHelpOptions(true)
                .usageMessage()
                .description(
                        "Writes reports of earlier results; several are laid side by side, or --merge makes one of them.")
                .sortOptions(false);
        spec.addPositional(PositionalParamSpec.builder()
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel("RESULT")
                .description("A result's JSON file, the beginning of a kept run's id, or last.")
                .build());
        ArgGroupSpec.Builder group = ResultOutput.group("Reports");
        targets.addTo(group);
        group.addArg(
                ReportTargets.flag("Makes one result of several hosts that ran the same at the same time.", "--merge"));
        group.addArg(FailIf.option());
        group.addArg(ReportTargets.flag("Lists the results that were kept with --save.", "--list"));
        group.addArg(
                ReportTargets.value("--dir", "DIR", "Where results are kept. Default: the user's data directory."));
        group.addArg(ReportTargets.flag(
                "Shows details too: settings, waits, statements, plans; and where an error came from.", "--verbose"));
        spec.addArgGroup(group.build());
    }

    static CommandSpec spec(Streams streams) {
        return new ReportCommand(streams).spec;
    }

    @Override
    public Integer call() throws IOException {
        ParseResult parsed = spec.commandLine().getParseResult();
        History history = ResultOutput.history(parsed.matchedOptionValue("--dir", ""));
        List<String> names = parsed.matchedPositionalValue(0, List.of());
        if (parsed.matchedOptionValue("--list", false)) {
            list(history);
            return ExitCode.DONE;
        }
        boolean merge = parsed.matchedOptionValue("--merge", false);
        List<FigureLimit> limits = FailIf.read(parsed);
        check(parsed, names, merge);
        List<String> problems = new ArrayList<>();
        streams.interruption()
                .enter(Part.uninterruptible(
                        "the reports to be written",
                        "each report that was written is complete; start the command again"));
        List<Result> results = read(history, names, problems);
        streams.interruption().check();
        targets.check(results, problems);
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
        List<Result> checked = FailIf.check(merge ? List.of(ResultMerge.of(results)) : results, limits);
        targets.write(checked, streams);
        return checked.stream().anyMatch(FailIf::isBroken) ? ExitCode.LIMIT_BROKEN : ExitCode.DONE;
    }

    private List<Result> read(History history, List<String> names, List<String> problems) throws IOException {
        List<Result> results = new ArrayList<>();
        for (String name : names) {
            try {
                Path file = history.find(name);
                targets.checkInput(file, problems);
                results.add(ResultFile.read(file));
            } catch (NoSuchFileException e) {
                throw new InvalidPlanException(
                        name + ": no such file, and no result of that name in " + history.directory());
            }
        }
        return results;
    }

    private void check(ParseResult parsed, List<String> names, boolean merge) throws IOException {
        List<String> problems = new ArrayList<>();
        targets.read(parsed, problems);
        if (names.isEmpty()) {
            problems.add("name a result, or --list those that were kept");
        }
        if (names.size() > 1 && !merge) {
            targets.checkSeveral(problems);
        }
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
        targets.touch();
    }

    private void list(History history) throws IOException {
        List<History.Entry> entries = history.list();
        if (entries.isEmpty()) {
            streams.err().println("stress: no results are kept in " + history.directory() + "; --save keeps one");
            return;
        }
        HistoryTable.print(entries, streams.out());
        streams.out().flush();
    }
}
