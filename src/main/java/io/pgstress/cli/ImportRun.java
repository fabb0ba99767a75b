package io.pgstress.cli;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.extra.diff.DiffInput;
import io.pgstress.extra.diff.DumpDiff;
import io.pgstress.extra.oplog.Oplog;
import io.pgstress.extra.oplog.Oplog.OplogRequest;
import io.pgstress.importer.ImportInput;
import io.pgstress.importer.ImportOptions;
import io.pgstress.importer.ImportSummary;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.Importer;
import io.pgstress.interrupt.Interruption.InterruptedCommandException;
import io.pgstress.interrupt.Part;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.runner.CommandSession;
import io.pgstress.target.Cluster;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.dialect.Tables.TableOptions;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.Connector.Login;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Counted;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One import: opens the input and the server, imports, and reports the outcome.
 *
 * @param dumps paths of the input; {@code -}: standard input
 * @param named the server; empty: the embedded one
 * @param target the kind of server, or {@link Dialects#AUTO}
 * @param oplog what to replay after the rows
 * @param json file of the summary, {@code -}: stdout; null: none
 */
record ImportRun(
        List<String> dumps,
        DumpFilter filter,
        List<Endpoint> named,
        Login login,
        String target,
        TableOptions tables,
        ImportOptions how,
        OplogRequest oplog,
        @Nullable String json,
        boolean quiet) {
    private static final String NOTHING = "nothing was imported";
    /** Names in a message; a directory that is no dump may have thousands of files. */
    private static final int MAX_NAMED = 5;

    private static final String RESUME = "run the same command with --resume to continue";

    /** Runs the import and returns the exit code. */
    int run(Streams streams) throws SQLException, IOException, InterruptedException {
        ImportReport.touch(json);
        Oplog replayed = oplog.find(dumps, filter);
        try (DiffInput compared = how.tables().verify() ? DiffInput.of(dumps, System.in, filter) : null;
                ImportInput input =
                        ImportInput.open(dumps, compared == null ? System.in : compared.stdin(System.in), filter);
                CommandSession session = CommandSession.open(named, streams.interruption(), NOTHING, streams::note)) {
            if (replayed == null) {
                requireCollections(input.dump());
            }
            streams.interruption().check();
            ImportSummary summary = load(input, compared, replayed, session, streams);
            streams.interruption().enter(Part.uninterruptible("the command to end", "the import is complete"));
            List<String> missing = ImportReport.shortcomings(summary, how.maxRejects(), how.rejectDirectory());
            if (!missing.isEmpty()) {
                streams.err().println("stress: not everything was imported: " + String.join("; ", missing));
            }
            ImportReport.write(summary, json, missing, streams);
            if (missing.isEmpty()) {
                List<String> kind = target.equals(Dialects.AUTO) ? List.of() : List.of("--target", target);
                NextCommand.after(
                                System.getenv().getOrDefault("PGSTRESS_COMMAND", ""),
                                summary,
                                named,
                                login.user(),
                                kind)
                        .ifPresent(command -> ImportReport.next(command, json, streams));
            }
            return missing.isEmpty() ? ExitCode.DONE : ExitCode.DATA;
        }
    }

    private void requireCollections(MongoDump input) {
        if (input.collections().isEmpty() && input.rereadable()) {
            String leftOut = input.leftOut().stream()
                    .limit(MAX_NAMED)
                    .map(each -> "; left out: " + each.name() + ", " + each.reason())
                    .collect(Collectors.joining());
            int more = input.leftOut().size() - MAX_NAMED;
            throw new InvalidPlanException(String.join(", ", dumps) + ": there is no collection to import" + leftOut
                    + (more > 0 ? "; and " + Counted.of(more, "more name") : ""));
        }
    }

    private ImportSummary load(
            ImportInput input,
            @Nullable DiffInput compared,
            @Nullable Oplog replayed,
            CommandSession session,
            Streams streams)
            throws SQLException, IOException, InterruptedException {
        Connector connector = session.connector(login);
        Dialect dialect = dialect(connector);
        streams.interruption().check();
        try (ImportProgress progress = new ImportProgress(streams, quiet)) {
            streams.interruption()
                    .enter(Part.ofThread(Thread.currentThread(), "chunks that are being loaded, at most 5 s", RESUME));
            return new Importer(
                            dialect.sessions().connector(connector),
                            dialect,
                            how,
                            progress,
                            replayed,
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

    private Dialect dialect(Connector connector) {
        try (Connection connection = connector.open(SessionPurpose.CONTROL)) {
            Dialect dialect = distributing(Dialects.of(target, connection));
            Cluster.check(connector, dialect);
            return dialect;
        } catch (SQLException e) {
            throw Target.unreachable(connector.endpoint(), e);
        }
    }

    private Dialect distributing(Dialect found) {
        try {
            return found.with(tables);
        } catch (IllegalArgumentException e) {
            throw new InvalidPlanException("--shards, --replication-factor: " + e.getMessage());
        }
    }

    /** The command that runs a load on an imported table, ready to paste into a shell. */
    public static final class NextCommand {
        private static final Pattern PLAIN = Pattern.compile("[\\w.:/@%+=,-]+");

        private NextCommand() {}

        /**
         * The command for the table with the most rows; empty if no table has any.
         *
         * @param servers the server; empty for the embedded one
         * @param user the role; empty if none was named
         * @param launcher how the user calls the program; an empty string if that is not known
         * @param more further options of the server, with their values
         */
        public static Optional<String> after(
                String launcher, ImportSummary summary, List<Endpoint> servers, String user, List<String> more) {
            Comparator<CollectionSummary> bySize = Comparator.comparingLong(c -> c.rows() + c.skipped());
            return summary.collections().stream()
                    .filter(c -> c.rows() + c.skipped() > 0)
                    .max(bySize)
                    .map(largest -> {
                        List<String> words = new ArrayList<>(List.of(launcher.isEmpty() ? "stress" : launcher));
                        servers.forEach(server -> words.addAll(List.of("--url", server.withoutSecrets())));
                        if (!user.isEmpty()) {
                            words.addAll(List.of("--user", user));
                        }
                        words.addAll(more);
                        words.addAll(List.of("--table", largest.table()));
                        return words.stream().map(NextCommand::quoted).collect(Collectors.joining(" "));
                    });
        }

        /** A word for a POSIX shell. */
        private static String quoted(String word) {
            return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
        }
    }
}
