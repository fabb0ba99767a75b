package io.pgstress.cli;

import io.pgstress.cli.complete.Shell;
import io.pgstress.cli.complete.TableNames;
import io.pgstress.cli.man.ManPages;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.Connector.Login;
import io.pgstress.target.driver.PasswordFile;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Commands that describe what there is: operations, and all commands as scripts of shells and as man pages. */
final class DescribeCommand extends Command {
    /** Only the scripts ask for it. */
    private static final String TABLES = "tables";

    private static final List<Option<?>> CONNECTION =
            ReportOptions.with(ServerOptions.ALL, RunOptions.URL, RunOptions.USER);

    private final Subcommand which;

    private DescribeCommand(Streams streams, Subcommand which, List<Option<?>> hidden) {
        super(streams, which.label(), which.description(), hidden);
        this.which = which;
        OptionSpecs.addTo(spec, hidden, Map.of(), Map.of(), Set.copyOf(hidden));
    }

    static DescribeCommand completion(Streams streams) {
        DescribeCommand command = new DescribeCommand(streams, Subcommand.COMPLETION, CONNECTION);
        command.argument("1", "bash|zsh|fish", "The shell.");
        return command;
    }

    static DescribeCommand man(Streams streams) {
        DescribeCommand command = new DescribeCommand(streams, Subcommand.MAN, List.of());
        command.argument("1", "DIR", "Where the pages go: DIR/stress.1, DIR/stress-compare.1 and so on.");
        return command;
    }

    static DescribeCommand operations(Streams streams) {
        DescribeCommand command = new DescribeCommand(streams, Subcommand.OPERATIONS, List.of());
        command.argument("0..*", "NAME", "The operations to list. Default: all.");
        return command;
    }

    @Override
    int run(ParseResult parsed, Options options, Problems problems) throws IOException {
        if (which == Subcommand.OPERATIONS) {
            printOperations(arguments(parsed), problems);
            return ExitCode.DONE;
        }
        String argument = argument(parsed);
        if (which == Subcommand.COMPLETION && argument.equals(TABLES)) {
            problems.throwIfAny();
            printTables(options);
            return ExitCode.DONE;
        }
        problems.throwIfAny();
        CommandLine all = Commands.all(streams);
        if (which == Subcommand.MAN) {
            ManPages.write(all, Version.number(), Forms.path(argument));
            return ExitCode.DONE;
        }
        try {
            streams.out().print(Shell.named(argument).script(all, names()));
        } catch (IllegalArgumentException e) {
            throw new InvalidPlanException("completion: " + e.getMessage());
        }
        streams.out().flush();
        return ExitCode.DONE;
    }

    private void printOperations(List<String> names, Problems problems) {
        OperationList.check(names, problems);
        problems.throwIfAny();
        Options defaults = Options.read(LoadCommand.READER.options(Purpose.RUN), Map.of(), Map.of(), problems);
        new OperationList(Dialects.postgreSql(), defaults).print(names, streams.out());
    }

    /** Prints the tables of the server. In a completion, nobody reads a failure: there is then nothing to propose. */
    private void printTables(Options options) {
        String unused = PasswordFile.choose(System.getenv());
        options.get(RunOptions.URL).stream().findFirst().ifPresent(endpoint -> {
            try {
                Connector connector = new Connector(
                        endpoint, Login.of(options.get(RunOptions.USER).orElse("")));
                TableNames.of(connector).forEach(streams.out()::println);
            } catch (SQLException | InvalidPlanException e) {
                streams.err().println("stress: " + e.getMessage());
            }
        });
    }

    private static List<String> names() {
        return CONNECTION.stream()
                .flatMap(option -> option.letter().isEmpty()
                        ? Stream.of(option.toString())
                        : Stream.of(option.toString(), "-" + option.letter()))
                .toList();
    }
}
