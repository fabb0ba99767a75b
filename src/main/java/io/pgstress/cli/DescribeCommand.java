package io.pgstress.cli;

import io.pgstress.plan.Purpose;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Commands that describe what there is: the operations, and all commands as a completion script. */
final class DescribeCommand extends Command {
    private static final String BASH = "bash";

    private final Subcommand which;
    private final Supplier<CommandLine> allCommands;

    private DescribeCommand(Streams streams, Subcommand which, Supplier<CommandLine> allCommands) {
        super(streams, which, List.of());
        this.which = which;
        this.allCommands = allCommands;
    }

    /** @param allCommands the main command with the others */
    static DescribeCommand completion(Streams streams, Supplier<CommandLine> allCommands) {
        DescribeCommand command = new DescribeCommand(streams, Subcommand.COMPLETION, allCommands);
        command.argument("1", BASH, "The shell; zsh can read the same script.");
        return command;
    }

    static DescribeCommand operations(Streams streams, Supplier<CommandLine> allCommands) {
        DescribeCommand command = new DescribeCommand(streams, Subcommand.OPERATIONS, allCommands);
        command.argument("0..*", "NAME", "The operations to list with options and SQL. Default: all, briefly.");
        return command;
    }

    @Override
    int run(ParseResult parsed, Options options, Problems problems) {
        if (which == Subcommand.OPERATIONS) {
            printOperations(arguments(parsed), problems);
            return ExitCode.DONE;
        }
        problems.throwIfAny();
        if (!argument(parsed).equals(BASH)) {
            throw new InvalidPlanException(
                    "completion: there is a script for bash only, which zsh can read, too: see docs/installing.md");
        }
        CommandLine all = withOwnLabels(allCommands.get().getCommandSpec());
        streams.out().print(AutoComplete.bash(PROGRAM, all));
        streams.out().flush();
        return ExitCode.DONE;
    }

    /** A copy: the script keeps the values of an option in a variable named after its label, so options must not share one. */
    private static CommandLine withOwnLabels(CommandSpec command) {
        CommandSpec copy = CommandSpec.create().name(command.name());
        for (OptionSpec option : command.options()) {
            copy.addOption(option.toBuilder().paramLabel(option.longestName()).build());
        }
        CommandLine line = new CommandLine(copy);
        command.subcommands().values().forEach(each -> line.addSubcommand(withOwnLabels(each.getCommandSpec())));
        return line;
    }

    private void printOperations(List<String> names, Problems problems) {
        OperationList.check(names, problems);
        problems.throwIfAny();
        if (names.isEmpty()) {
            OperationList.printSummaries(streams.out());
            return;
        }
        Options defaults = Options.read(RunOptionsCommand.READER.options(Purpose.RUN), Map.of(), Map.of(), problems);
        OperationList.print(names, defaults, streams.out(), streams.columns().getAsInt());
    }
}
