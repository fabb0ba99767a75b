package io.pgstress.cli;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.LeftOut;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.extra.diff.DiffInput;
import io.pgstress.extra.diff.DiffOptions;
import io.pgstress.extra.diff.DiffSummary.PathDifference;
import io.pgstress.extra.diff.DiffSummary.TableDiff;
import io.pgstress.extra.diff.DumpDiff;
import io.pgstress.importer.AbandonableInput;
import io.pgstress.importer.ImportInput;
import io.pgstress.importer.ImportOptions;
import io.pgstress.importer.ImportSummary;
import io.pgstress.importer.Importer;
import io.pgstress.interrupt.CommandPart;
import io.pgstress.interrupt.Interruption.InterruptedCommandException;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Options;
import io.pgstress.session.CommandSession;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.Login;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Counted;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An import whose dumps are open. Single use. */
final class DumpImport implements AutoCloseable {
    private static final String RESUME = "run the same command with --resume to continue";

    /** So many rows that differ are looked at for the paths at which they do. */
    private static final int MAX_ROWS = 3;

    private final List<String> dumps;
    private final Options options;
    private final ImportOptions how;
    private final @Nullable DiffInput compared;
    private final ImportInput input;
    private final Streams streams;

    private DumpImport(
            List<String> dumps, Options options, @Nullable DiffInput compared, ImportInput input, Streams streams) {
        this.dumps = dumps;
        this.options = options;
        this.how = ImportCommandOptions.how(options);
        this.compared = compared;
        this.input = input;
        this.streams = streams;
    }

    /** @param options those of {@link ImportCommandOptions} */
    static DumpImport open(List<String> dumps, Options options, Streams streams) throws IOException {
        DumpFilter filter = ImportCommandOptions.filter(options);
        InputStream stdin = new AbandonableInput(() -> System.in);
        DiffInput compared =
                ImportCommandOptions.how(options).tables().verify() ? DiffInput.of(dumps, stdin, filter) : null;
        try {
            ImportInput input =
                    compared == null ? ImportInput.open(dumps, ImportInput.Streams.of(stdin), filter) : compared.open();
            return new DumpImport(dumps, options, compared, input, streams);
        } catch (IOException | RuntimeException e) {
            if (compared != null) {
                compared.close();
            }
            throw e;
        }
    }

    /** @throws InvalidPlanException if the dump has no collection to import */
    void requireCollections() {
        MongoDump dump = input.dump();
        if (dump.collections().isEmpty() && dump.rereadable()) {
            Map<String, String> reasons = new LinkedHashMap<>();
            dump.leftOut().forEach(each -> reasons.put(each.name(), each.reason()));
            List<String> leftOut = LeftOut.lines(reasons).stream()
                    .map(each -> "not imported: " + each)
                    .toList();
            throw new InvalidPlanException(Counted.first(dumps, ", ") + ": there is no collection to import"
                    + (leftOut.isEmpty() ? "" : "; ") + Counted.first(leftOut, "; "));
        }
    }

    /** Imports into the first server of the session. */
    ImportSummary into(CommandSession session, Login login) throws SQLException, IOException, InterruptedException {
        Connector connector = session.connector(login);
        Dialect dialect = ImportCommandOptions.dialect(connector, options);
        streams.interruption().check();
        try (ImportProgress progress =
                new ImportProgress(streams, options.get(ImportCommandOptions.QUIET), "importing")) {
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

    /**
     * By collection, the first paths at which the first rows differ from their documents.
     *
     * @throws IllegalStateException if the options do not compare them
     */
    Map<String, List<String>> differentFields(CommandSession session, Login login)
            throws SQLException, IOException, InterruptedException {
        if (compared == null) {
            throw new IllegalStateException("not compared");
        }
        Connector connector = session.connector(login);
        DiffOptions asImported = new DiffOptions(
                how.json(), how.generateIds(), how.naming(), how.tables().onDuplicate(), 1, MAX_ROWS);
        Map<String, List<String>> fields = new LinkedHashMap<>();
        try (ImportProgress progress =
                new ImportProgress(streams, options.get(ImportCommandOptions.QUIET), "comparing")) {
            Connector diffed = ImportCommandOptions.dialect(connector, options).connector(connector);
            for (TableDiff table :
                    new DumpDiff(diffed, asImported, progress).run(compared).tables()) {
                List<String> first = table.differentRows().stream()
                        .flatMap(row -> row.paths().stream().limit(1))
                        .map(PathDifference::path)
                        .distinct()
                        .toList();
                fields.put(table.collection(), first);
            }
            progress.end();
        }
        return fields;
    }

    @Override
    public void close() throws IOException {
        try {
            input.close();
        } finally {
            if (compared != null) {
                compared.close();
            }
        }
    }
}
