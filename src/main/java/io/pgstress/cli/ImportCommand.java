package io.pgstress.cli;

import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import java.nio.file.Files;
import picocli.CommandLine.ParseResult;

/** {@code stress import}: imports dumps of mongodump into tables. */
final class ImportCommand extends Command {
    ImportCommand(Streams streams) {
        super(streams, Subcommand.IMPORT, ImportCommandOptions.ALL);
        argument(
                "1..*",
                "DUMP",
                "Dumps: directories, .bson files, archives, or - for standard input. Any of them may be compressed with"
                        + " gzip or zstd.");
    }

    @Override
    int run(ParseResult parsed, Options options, Problems problems) throws Exception {
        if (!Files.isDirectory(ImportCommandOptions.rejects(options))) {
            problems.add(
                    ImportCommandOptions.REJECTS,
                    options.get(ImportCommandOptions.REJECTS) + " does not exist or is not a directory");
        }
        problems.throwIfAny();
        ImportRun run = ImportCommandOptions.run(arguments(parsed), options);
        tellServer(streams, parsed, run.named());
        return run.run(streams);
    }
}
