package io.pgstress.cli;

import picocli.CommandLine;

/** The commands, a line each. */
final class Commands {
    private Commands() {}

    static CommandLine commandLine(Streams streams) {
        CommandLine line = new CommandLine(RunCommand.spec(streams));
        line.addSubcommand(new ImportCommand(streams));
        line.addSubcommand(new GenerateCommand(streams));
        line.addSubcommand(new CommandLine(ExplainCommand.spec(streams)));
        line.addSubcommand(new CommandLine(ReportCommand.spec(streams)));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setOut(Streams.writer(streams.out()));
        line.setErr(Streams.writer(streams.err()));
        return line;
    }
}
