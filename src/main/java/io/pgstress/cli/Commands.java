package io.pgstress.cli;

import io.pgstress.plan.option.OptionNames;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The command line as picocli sees it. For a fast start, only the command that is run declares its options. Of the others,
 * only the help needs the names and descriptions.
 */
final class Commands {
    private static final String HELP = "--help";

    /** How pgbench and psql take it, too. */
    private static final String HELP_LETTER = "-?";

    /** Before a command's name, or alone, it stands for {@code --help} after it. */
    static final String HELP_WORD = "help";

    private static final String RUN = "run";

    private Commands() {}

    /** The main command with its subcommands, for these arguments only. */
    static CommandLine of(Streams streams, List<String> args) {
        Subcommand chosen = chosen(args);
        String first = args.isEmpty() ? "" : args.get(0);
        boolean isRun = chosen == null || !first.equals(chosen.label());
        RunCommand run = isRun ? new RunCommand(streams) : null;
        CommandLine line =
                new CommandLine(run != null ? run.spec : CommandSpec.create().name(Command.PROGRAM));
        CommandSpec spec = chosen == null ? line.getCommandSpec() : spec(chosen, streams);
        if (chosen != null) {
            line.addSubcommand(new CommandLine(spec));
        }
        if (!args.contains(HelpText.ALL) && spec.userObject() instanceof Command command) {
            command.shortenHelp();
        }
        line.setOut(new PrintWriter(streams.out(), true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(streams.err(), true, StandardCharsets.UTF_8));
        return line;
    }

    /** The words of a command line, with the options' own names. {@code stress run ...} is {@code stress ...}. */
    static List<String> words(List<String> typed) {
        List<String> args = withHelpAsOption(typed);
        boolean isRun = !args.isEmpty() && args.get(0).equals(RUN);
        List<String> words = OptionNames.inWords(isRun ? args.subList(1, args.size()) : args);
        return chosen(words) == null ? PgbenchOptions.withHost(words) : words;
    }

    /** {@code stress help} and {@code stress help COMMAND} with the option instead. What follows must be a command. */
    private static List<String> withHelpAsOption(List<String> args) {
        if (args.isEmpty() || !args.get(0).equals(HELP_WORD)) {
            return args;
        }
        List<String> rest = args.subList(1, args.size());
        boolean isKnown =
                rest.isEmpty() || rest.get(0).equals(RUN) || Subcommand.briefs().containsKey(rest.get(0));
        return isKnown ? Stream.concat(rest.stream(), Stream.of(HELP)).toList() : args;
    }

    /** The arguments for picocli, which knows one option for the help. */
    static String[] arguments(List<String> args) {
        return args.stream()
                .map(each -> each.equals(HelpText.ALL) || each.equals(HELP_LETTER) ? HELP : each)
                .toArray(String[]::new);
    }

    /** The main command with all subcommands that the help lists, each with its options. */
    static CommandLine all(Streams streams) {
        CommandLine line = new CommandLine(new RunCommand(streams).spec);
        Stream.of(Subcommand.values())
                .filter(each -> !each.isHidden())
                .forEach(each -> line.addSubcommand(new CommandLine(spec(each, streams))));
        return line;
    }

    /** A command with its options. No class of another command is loaded. */
    static CommandSpec spec(Subcommand which, Streams streams) {
        return switch (which) {
            case REHEARSE -> new RehearseCommand(streams).spec;
            case COMPARE -> new CompareCommand(streams).spec;
            case TUNE -> new TuneCommand(streams).spec;
            case IMPORT -> new ImportCommand(streams).spec;
            case DIFF -> new DiffCommand(streams).spec;
            case GENERATE -> new GenerateCommand(streams).spec;
            case EXPLAIN -> new ExplainCommand(streams).spec;
            case SUGGEST -> new SuggestCommand(streams).spec;
            case AGENT -> new AgentCommand(streams).spec;
            case SETTINGS -> new SettingsCommand(streams).spec;
            case BASELINE -> new BaselineCommand(streams).spec;
            case OPERATIONS -> DescribeCommand.operations(streams, () -> all(streams)).spec;
            case REPORT -> new ReportCommand(streams).spec;
            case COMPLETION -> DescribeCommand.completion(streams, () -> all(streams)).spec;
            case TRAIN -> new TrainCommand(streams).spec;
        };
    }

    private static @Nullable Subcommand chosen(List<String> args) {
        return Stream.of(Subcommand.values())
                .filter(each -> args.contains(each.label()))
                .min(Comparator.comparing(each -> args.indexOf(each.label())))
                .orElse(null);
    }
}
