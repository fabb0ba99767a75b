package io.pgstress.cli;

import io.pgstress.cli.output.Streams;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code stress import}: a mongodump into tables. */
final class ImportCommand implements Callable<Integer> {
    private final Streams streams;
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

    private ImportCommand(Streams streams) {
        this.streams = streams;
        spec.name("import")
                .mixinStandardHelpOptions(true)
                .usageMessage()
                .description("Imports a dump of mongodump into tables (_id, data jsonb), one per collection.")
                .abbreviateSynopsis(true)
                .sortOptions(false);
        spec.addPositional(PositionalParamSpec.builder()
                .arity("1")
                .required(true)
                .type(String.class)
                .paramLabel("DUMP")
                .description("The dump's directory, a .bson or .bson.gz file, an archive, or - for standard input.")
                .build());
        OptionSpecs.addTo(spec, ImportCommandOptions.ALL);
    }

    static CommandSpec spec(Streams streams) {
        return new ImportCommand(streams).spec;
    }

    @Override
    public Integer call() throws Exception {
        ParseResult parsed = spec.commandLine().getParseResult();
        Problems problems = new Problems();
        Options options = OptionSpecs.read(parsed, ImportCommandOptions.ALL, problems);
        if (!Files.isDirectory(ImportCommandOptions.rejects(options))) {
            problems.add(
                    ImportCommandOptions.REJECTS,
                    options.get(ImportCommandOptions.REJECTS) + " does not exist or is not a directory");
        }
        problems.throwIfAny();
        return ImportCommandOptions.run(parsed.matchedPositionalValue(0, ""), options)
                .run(streams);
    }
}
