package io.pgstress.cli;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.LeftOut;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.extra.diff.DiffInput;
import io.pgstress.extra.diff.DumpDiff;
import io.pgstress.importer.AbandonableInput;
import io.pgstress.importer.ImportInput;
import io.pgstress.importer.ImportOptions;
import io.pgstress.importer.ImportSummary;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.Importer;
import io.pgstress.interrupt.CommandPart;
import io.pgstress.interrupt.Interruption.InterruptedCommandException;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.session.CommandSession;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Counted;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** {@code stress import}: imports dumps of mongodump into tables. */
final class ImportCommand extends Command {
    private static final String NOTHING = "nothing was imported";
    private static final String RESUME = "run the same command with --resume to continue";

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
        if (!Files.isDirectory(how.rejectDirectory())) {
            problems.add(
                    ImportCommandOptions.REJECTS,
                    o.get(ImportCommandOptions.REJECTS) + " does not exist or is not a directory");
        }
        problems.throwIfAny();
        List<String> dumps = arguments(parsed);
        DumpFilter filter = ImportCommandOptions.filter(o);
        List<Endpoint> named = ImportCommandOptions.server(o);
        SummaryOutput output =
                new SummaryOutput(o.get(ImportCommandOptions.JSON), o.get(ImportCommandOptions.JUNIT), streams);
        tellServer(parsed, named);
        output.touch();
        streams.interruption().enter(CommandPart.ofThread(Thread.currentThread(), "", NOTHING));
        InputStream stdin = new AbandonableInput(() -> System.in);
        try (DiffInput compared = how.tables().verify() ? DiffInput.of(dumps, stdin, filter) : null;
                ImportInput input = ImportInput.open(dumps, compared == null ? stdin : compared.stdin(stdin), filter);
                CommandSession session = CommandSession.open(named, streams.interruption(), NOTHING, streams::note)) {
            requireCollections(dumps, input.dump());
            streams.interruption().check();
            ImportSummary summary = load(input, compared, session, how, o);
            streams.interruption().enter(CommandPart.uninterruptible("the command to end", "the import is complete"));
            List<String> missing = ImportReport.shortcomings(summary, how.maxRejects(), how.rejectDirectory());
            if (!missing.isEmpty()) {
                streams.note("not everything was imported: " + Counted.first(missing, "; "));
            }
            output.write(
                    summary,
                    ImportReport.line(summary, missing.isEmpty()),
                    out -> ImportReport.print(summary, out),
                    "import",
                    ImportReport.cases(summary, how.maxRejects()));
            if (!missing.isEmpty()) {
                return ExitCode.DATA;
            }
            NextCommand.after(summary, named, o)
                    .ifPresent(command -> output.afterwards("To run a load on it:", "  " + command));
            return ExitCode.DONE;
        }
    }

    private static void requireCollections(List<String> dumps, MongoDump input) {
        if (input.collections().isEmpty() && input.rereadable()) {
            Map<String, String> reasons = new LinkedHashMap<>();
            input.leftOut().forEach(each -> reasons.put(each.name(), each.reason()));
            List<String> leftOut = LeftOut.lines(reasons).stream()
                    .map(each -> "not imported: " + each)
                    .toList();
            throw new InvalidPlanException(Counted.first(dumps, ", ") + ": there is no collection to import"
                    + (leftOut.isEmpty() ? "" : "; ") + Counted.first(leftOut, "; "));
        }
    }

    private ImportSummary load(
            ImportInput input, @Nullable DiffInput compared, CommandSession session, ImportOptions how, Options o)
            throws SQLException, IOException, InterruptedException {
        Connector connector = session.connector(ImportCommandOptions.login(o, streams.passwords()));
        Dialect dialect = ImportCommandOptions.dialect(connector, o);
        streams.interruption().check();
        try (ImportProgress progress = new ImportProgress(streams, o.get(ImportCommandOptions.QUIET), "importing")) {
            progress.step("rejected documents, if any, are written to "
                    + how.rejectDirectory().toAbsolutePath().normalize());
            streams.interruption()
                    .enter(CommandPart.ofThread(
                            Thread.currentThread(), "chunks that are being loaded, at most 5 s", RESUME));
            return new Importer(
                            dialect.connector(connector),
                            dialect,
                            how,
                            progress,
                            compared == null ? null : DumpDiff.verifier(compared))
                    .run(input);
        } catch (TargetException e) {
            if (streams.interruption().isRequested() && Failure.isEnding(e)) {
                boolean isTold = e.getCause() instanceof InterruptedException;
                throw new InterruptedCommandException((isTold ? "" : "interrupted; ") + e.getMessage());
            }
            throw e;
        }
    }

    /** The command that runs a load on an imported table, ready to paste into a shell. */
    private static final class NextCommand {
        private NextCommand() {}

        /**
         * The command for the table with the most rows; empty if no table has any.
         *
         * @param servers the server; empty for the embedded one
         */
        static Optional<String> after(ImportSummary summary, List<Endpoint> servers, Options o) {
            String target = o.get(ImportCommandOptions.TARGET);
            Comparator<CollectionSummary> bySize = Comparator.comparingLong(c -> c.rows() + c.skipped());
            return summary.collections().stream()
                    .filter(c -> c.rows() + c.skipped() > 0)
                    .max(bySize)
                    .map(largest -> {
                        List<String> words = new ArrayList<>();
                        servers.forEach(server -> words.addAll(List.of("--url", server.withoutSecrets())));
                        o.get(ServerOptions.USER).ifPresent(user -> words.addAll(List.of("--user", user)));
                        if (!target.equals(Dialects.AUTO)) {
                            words.addAll(List.of("--target", target));
                        }
                        words.addAll(List.of("--table", largest.table()));
                        return Argv.command(words);
                    });
        }
    }
}
