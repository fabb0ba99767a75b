package io.pgstress.cli;

import io.pgstress.target.driver.Connector;
import java.util.Optional;
import picocli.CommandLine;

/** The commands, a line each. */
final class Commands {
    private Commands() {}

    static CommandLine commandLine(Streams streams) {
        CommandLine line = new CommandLine(RunCommand.spec(streams));
        line.addSubcommand(new CommandLine(CompareCommand.spec(streams)));
        line.addSubcommand(new CommandLine(TuneCommand.spec(streams)));
        line.addSubcommand(new ImportCommand(streams));
        line.addSubcommand(new GenerateCommand(streams));
        line.addSubcommand(new CommandLine(ExplainCommand.spec(streams)));
        line.addSubcommand(new SettingsCommand(streams));
        line.addSubcommand(new CommandLine(ReportCommand.spec(streams)));
        String[] version = version();
        line.getCommandSpec().version(version);
        line.getSubcommands()
                .values()
                .forEach(command -> command.getCommandSpec().version(version));
        line.getCommandSpec().usageMessage().footer(ExitCode.HELP);
        line.getSubcommands()
                .values()
                .forEach(command -> command.getCommandSpec().usageMessage().footer(ExitCode.HELP));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setOut(Streams.writer(streams.out()));
        line.setErr(Streams.writer(streams.err()));
        return line;
    }

    private static String[] version() {
        String own = Optional.ofNullable(Commands.class.getPackage().getImplementationVersion())
                .orElse("development");
        return new String[] {
            "pgstress " + own,
            Connector.driverVersion(),
            "Java " + Runtime.version() + ", " + System.getProperty("os.name")
        };
    }
}
