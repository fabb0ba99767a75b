package io.pgstress.cli;

import io.pgstress.importer.ImportOptions;
import io.pgstress.importer.ImportSummary;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.interrupt.CommandPart;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.session.CommandSession;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.text.Counted;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
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
        SummaryOutput output =
                new SummaryOutput(o.get(ImportCommandOptions.JSON), o.get(ImportCommandOptions.JUNIT), streams);
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
                        o.get(ServerOptions.USER)
                                .filter(user -> !isInUrls(user, servers))
                                .ifPresent(user -> words.addAll(List.of("--user", user)));
                        if (!target.equals(Dialects.AUTO)) {
                            words.addAll(List.of("--target", target));
                        }
                        words.addAll(List.of("--table", largest.table()));
                        return Argv.command(words);
                    });
        }

        private static boolean isInUrls(String user, List<Endpoint> servers) {
            Pattern parameter = Pattern.compile(
                    "[?&]user=" + Pattern.quote(URLEncoder.encode(user, StandardCharsets.UTF_8)) + "(&|$)");
            return servers.stream()
                    .allMatch(
                            server -> parameter.matcher(server.withoutSecrets()).find());
        }
    }
}
