package io.pgstress.cli;

import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** {@code stress agent}: a host of tests on several hosts, waiting for work. */
final class AgentCommand extends Command {
    AgentCommand(Streams streams) {
        super(streams, Subcommand.AGENT, FleetOptions.OF_AGENT);
        spec.addSubcommand("keys", new CommandLine(new AgentKeysCommand(streams).spec));
    }

    @Override
    int run(ParseResult parsed, Options options, Problems problems) throws Exception {
        problems.throwIfAny();
        AgentProcess.run(options, LoadCommand.READER, Version.number(), streams);
        return ExitCode.DONE;
    }
}
