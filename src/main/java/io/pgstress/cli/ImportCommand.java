package io.pgstress.cli;

import io.pgstress.cli.output.Streams;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import java.nio.file.Files;
import picocli.CommandLine.ParseResult;

/** {@code stress import}: imports a dump of mongodump into tables. */
final class ImportCommand extends Command {
    ImportCommand(Streams streams) {
        super(streams, Subcommand.IMPORT, ImportCommandOptions.ALL);
        argument("1", "DUMP", "The dump's directory, a .bson or .bson.gz file, an archive, or - for standard input.");
    }

    @Override
    int run(ParseResult parsed, Options options, Problems problems) throws Exception {
        if (!Files.isDirectory(ImportCommandOptions.rejects(options))) {
            problems.add(
                    ImportCommandOptions.REJECTS,
                    options.get(ImportCommandOptions.REJECTS) + " does not exist or is not a directory");
        }
        problems.throwIfAny();
        return ImportCommandOptions.run(argument(parsed), options).run(streams);
    }
}
