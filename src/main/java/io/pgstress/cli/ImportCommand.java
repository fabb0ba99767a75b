package io.pgstress.cli;

import io.pgstress.importer.ImportOptions;
import io.pgstress.importer.ImportSummary;
import io.pgstress.interrupt.CommandPart;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.session.CommandSession;
import io.pgstress.text.Counted;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** {@code stress import}: imports dumps of mongodump into tables. */
final class ImportCommand extends Command {
    private static final String NOTHING = "nothing was imported";

    ImportCommand(Streams streams) {
        super(streams, Subcommand.IMPORT, ImportCommandOptions.ALL);
        argument(
                "1..*",
                "DUMP",
                "Dumps: directories, .bson files, archives, JSON of mongoexport, or - for standard input. Any of them may be compressed with"
                        + " gzip or zstd.");
    }

    @Override
    int run(ParseResult parsed, Options o, Problems problems) throws Exception {
        ImportOptions how = ImportCommandOptions.how(o);
        problems.throwIfAny();
        List<String> dumps = arguments(parsed);
        List<Endpoint> named = ImportCommandOptions.server(o);
        SummaryOutput output = new SummaryOutput(
                o.get(ImportCommandOptions.JSON),
                o.get(ImportCommandOptions.JUNIT),
                o.get(ImportCommandOptions.QUIET),
                streams);
        endIfOnlyChecked();
        output.touch();
        streams.interruption().enter(CommandPart.ofThread(Thread.currentThread(), "", NOTHING));
        try (DumpImport input = DumpImport.open(dumps, o, streams);
                CommandSession session = opened(parsed, named, NOTHING)) {
            input.requireCollections();
            streams.interruption().check();
            ImportSummary summary = input.into(session, ImportCommandOptions.login(o, streams.passwords()));
            streams.interruption().enter(CommandPart.uninterruptible("the command to end", "the import is complete"));
            List<String> missing = ImportReport.shortcomings(summary, how.maxRejects(), how.rejectDirectory());
            if (!missing.isEmpty()) {
                streams.note(ImportReport.shortcoming(summary) + ": " + Counted.first(missing, "; "));
            }
            Optional<String> next = missing.isEmpty() ? next(summary, named, o) : Optional.empty();
            output.write(
                    summary,
                    out -> ImportReport.print(summary, out),
                    out -> next.ifPresent(command -> out.command("To run a load on it:", command)),
                    ImportReport.line(summary, missing.isEmpty()),
                    "import",
                    ImportReport.cases(summary, how.maxRejects()));
            return missing.isEmpty() ? ExitCode.DONE : ExitCode.DATA;
        }
    }

    /**
     * The command that runs a load on the imported table with the most rows, ready to paste into a shell; empty if no table has any.
     *
     * @param servers the server; empty for the embedded one
     */
    private static Optional<String> next(ImportSummary summary, List<Endpoint> servers, Options o) {
        List<String> words = Argv.server(servers, o.get(ServerOptions.USER), o.get(ImportCommandOptions.TARGET));
        return summary.collections().stream()
                .filter(c -> c.rows() + c.skipped() > 0)
                .max(Comparator.comparingLong(c -> c.rows() + c.skipped()))
                .map(largest -> Argv.command(Stream.concat(words.stream(), Stream.of("--table", largest.table()))
                        .toList()));
    }
}
