package io.pgstress.importer;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.dataset.RunLock;
import io.pgstress.dataset.RunLock.Claim;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.RejectLimit.TooManyRejectsException;
import io.pgstress.importer.TableCompletion.ImportFailure;
import io.pgstress.importer.table.ProgressTables;
import io.pgstress.importer.table.RejectFile;
import io.pgstress.importer.table.TableImport;
import io.pgstress.importer.table.TableMaker;
import io.pgstress.importer.table.TableNames;
import io.pgstress.importer.table.TableRules;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.WriteAccess;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Counted;
import io.pgstress.text.Records;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Loads a dump: one thread reads it and splits it between documents, and workers convert and COPY chunks in parallel. Used by
 * one thread; interrupting it ends the import after whole chunks, and {@code --resume} continues it.
 */
public final class Importer {
    /** Enough to keep two imports of a dump apart, and few enough for the memory that every server has for locks. */
    private static final int MAX_LOCKS = 200;

    private final ImportJob job;

    public Importer(Connector connector, Dialect dialect, ImportOptions options, ImportListener listener) {
        this(connector, dialect, options, listener, null);
    }

    /** @param verifier compares the tables with the input; null if they are not to be compared */
    public Importer(
            Connector connector,
            Dialect dialect,
            ImportOptions options,
            ImportListener listener,
            @Nullable TableVerifier verifier) {
        this.job = new ImportJob(connector, dialect, options, listener, verifier);
    }

    /**
     * Imports every collection of the input.
     *
     * @throws TargetException if the server or an interrupt ends the import early; the message says what was loaded
     * @throws IOException if rejects cannot be written
     */
    public ImportSummary run(ImportInput input) throws SQLException, IOException, InterruptedException {
        long start = System.nanoTime();
        MongoDump dump = input.dump();
        TableNames names = new TableNames(dump, job.options().naming());
        try (RunLock lock = beforeAnything(() -> RunLock.take(job.connector(), "import", claims(dump, names)));
                Connection connection = beforeAnything(() -> job.connector().open(SessionPurpose.CONTROL))) {
            Map<String, String> nodeNames = job.dialect().nodeNames(connection);
            try {
                return named(run(input.sample(), dump, names, connection, start), nodeNames);
            } catch (TargetException e) {
                throw e.named(nodeNames);
            } catch (SQLException e) {
                if (nodeNames.isEmpty()) {
                    throw e;
                }
                throw new TargetException(ServerErrors.sampleWithState(e), e).named(nodeNames);
            }
        }
    }

    private ImportSummary run(
            @Nullable MongoDump sample, MongoDump dump, TableNames names, Connection connection, long start)
            throws SQLException, IOException, InterruptedException {
        WriteAccess.require(connection, job.connector().endpoint(), "an import");
        ProgressTables progressTables =
                ProgressTables.in(connection, job.options().progressSchema());
        TableMaker maker = new TableMaker(
                connection,
                job.dialect(),
                job.options().tables(),
                progressTables,
                job.options().rejectDirectory(),
                DumpReader.CHUNK,
                job.options().json().values());
        List<String> problems = names.problems(dump.collections(), job.options().tables(), progressTables);
        problems.addAll(rejectProblems(dump.collections(), names));
        List<TableName> targets = dump.collections().stream().map(names::of).toList();
        maker.check(targets, problems);
        WriteAccess.requireOnNodes(job.connector(), job.dialect(), "an import");
        job.listener()
                .step("rejected documents, if any, are written to "
                        + job.options().rejectDirectory().toAbsolutePath().normalize());
        KeyScan scan = scan(sample, maker, names);
        boolean atomic = job.options().tables().atomic();
        connection.setAutoCommit(!atomic);
        List<TableName> created = progressTables.create(connection);
        if (!created.isEmpty()) {
            job.listener()
                    .note("the import creates, for --resume, "
                            + created.stream().map(TableName::toString).collect(Collectors.joining(" and ")));
        }
        if (job.options().tables().resume()) {
            job.listener()
                    .step("taken over: " + maker.takenOver(dump.collections(), names::of, progressTables.chunks()));
        }
        ChunkQueue queue = new ChunkQueue(
                job.options().writers(), DumpReader.CHUNK, Runtime.getRuntime().maxMemory());
        IndexStep indexes = indexes(connection);
        DumpReader dumpReader = new DumpReader(
                new DumpReader.TablePreparation(names, scan, connection, maker, indexes),
                queue,
                job.options().maxRejects());
        Runnable progress = () -> job.listener().progress(dumpReader.documents(), dump.bytesRead(), dump.bytesTotal());
        job.listener().progress(0, 0, dump.bytesTotal()); // not what the search for the type of _id has read
        Loading loading = new Loading(
                job, atomic ? connection : null, queue, progressTables.chunks(), dumpReader.limit(), progress);
        Throwable failure = loading.run(dump, dumpReader);
        if (failure instanceof TooManyRejectsException tooMany) {
            throw stopped(tooMany, dumpReader.tables(), connection);
        }
        if (failure != null) {
            throw ImportFailure.of(failure, dumpReader.tables(), loading.failedIn(), atomic);
        }
        queue.release();
        progress.run();
        TableCompletion finish = new TableCompletion(job, connection, progressTables.imports(), maker, indexes);
        List<CollectionSummary> summaries =
                finish.finish(dumpReader.tables(), dumpReader.notStarted().values());
        dumpReader
                .notStarted()
                .forEach((collection, why) -> summaries.add(CollectionSummary.nothing(
                        collection.namespace(), names.of(collection).toString(), why, List.of())));
        double seconds = (System.nanoTime() - start) / 1e9 - finish.afterSeconds();
        return summary(summaries, dump, seconds, finish, dumpReader, loading);
    }

    /** The summary with the names of a cluster's nodes instead of the numbers that its messages give. */
    private static ImportSummary named(ImportSummary summary, Map<String, String> nodeNames) {
        return nodeNames.isEmpty()
                ? summary
                : Records.with(
                        summary,
                        "collections",
                        summary.collections().stream()
                                .map(each -> each.named(nodeNames))
                                .toList());
    }

    /** Ends an import with too many rejects. */
    private TooManyRejectsException stopped(
            TooManyRejectsException why, List<TableImport> tables, Connection connection)
            throws SQLException, IOException {
        for (TableImport table : tables) {
            table.close();
        }
        boolean atomic = job.options().tables().atomic();
        if (atomic) {
            connection.rollback();
        }
        return why.told(tables, atomic);
    }

    /** The tables that no other import or run may use meanwhile, up to {@link #MAX_LOCKS}. */
    private static List<Claim> claims(MongoDump dump, TableNames names) {
        return dump.collections().stream()
                .map(each -> new Claim(names.of(each).quoted(), false))
                .limit(MAX_LOCKS)
                .toList();
    }

    private List<String> rejectProblems(List<DumpCollection> collections, TableNames names) throws IOException {
        List<String> problems = new ArrayList<>();
        boolean append = job.options().tables().ifExists() == TableRules.IfExists.APPEND;
        for (DumpCollection each : job.options().tables().resume() ? List.<DumpCollection>of() : collections) {
            String name = names.of(each).toString();
            problems.add(RejectFile.problem(job.options().rejectDirectory(), name, each.label(), append));
        }
        problems.removeIf(String::isEmpty);
        return problems;
    }

    /**
     * Imports a dump into a new server, all of it or nothing. One session loads it, so that servers store the rows in the same order.
     *
     * @return its table with the most rows
     * @throws InvalidPlanException if it does not exist or has no documents
     * @throws IOException if not every document can be imported
     */
    public static TableName importWhole(Path dump, Connector connector, Dialect dialect)
            throws SQLException, IOException, InterruptedException {
        try (ImportInput input = ImportInput.open(dump.toString(), InputStream.nullInputStream(), DumpFilter.ALL)) {
            TableRules rules = new TableRules(null, true, IfExists.FAIL, OnDuplicate.FAIL, false, true, false);
            ImportOptions options = ImportOptions.plain(rules, Path.of("").toAbsolutePath());
            ImportSummary summary = new Importer(connector, dialect, options, ImportListener.NONE).run(input);
            List<String> faults = summary.collections().stream()
                    .filter(each -> !each.fault().isEmpty())
                    .map(each -> each.collection() + ": " + each.fault())
                    .toList();
            if (!faults.isEmpty()) {
                throw new IOException(Counted.first(faults, "; "));
            }
            if (summary.rows() == 0) {
                throw new InvalidPlanException(dump + ": there are no documents");
            }
            String largest = summary.collections().stream()
                    .max(Comparator.comparingLong(CollectionSummary::rows))
                    .orElseThrow()
                    .collection();
            return input.dump().collections().stream()
                    .filter(each -> each.namespace().equals(largest))
                    .map(new TableNames(input.dump(), options.naming())::of)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private interface Opening<T> {
        T open() throws SQLException;
    }

    /** Opens a session that the import needs before it changes anything. */
    private static <T> T beforeAnything(Opening<T> opening) throws SQLException {
        try {
            return opening.open();
        } catch (SQLException | TargetException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted(e);
            }
            throw e;
        }
    }

    private static TargetException interrupted(Exception e) {
        InterruptedException cause = new InterruptedException();
        cause.initCause(e);
        return new TargetException("interrupted before anything was imported", cause);
    }

    private KeyScan scan(@Nullable MongoDump sample, TableMaker maker, TableNames names)
            throws SQLException, IOException, InterruptedException {
        Set<String> settled = new HashSet<>();
        for (DumpCollection each : sample == null ? List.<DumpCollection>of() : sample.collections()) {
            if (maker.isKeySettled(names.of(each))) {
                settled.add(each.namespace());
            }
        }
        KeyScan scan = new KeyScan(
                settled, job.options().generateIds(), job.options().json().uuids());
        if (job.options().tables().keyType() == null && sample != null) {
            job.listener().step("finding the type of _id");
            try {
                sample.read(scan, KeyScan.CHUNK);
            } catch (BsonException e) {
                // reported after the documents before it are imported
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
            scan.release();
            if (Thread.interrupted()) {
                throw interrupted(new InterruptedException());
            }
        }
        return scan;
    }

    private @Nullable IndexStep indexes(Connection connection) {
        boolean canonical = job.options().json().mode() == ExtendedJson.CANONICAL;
        IndexStep.Source source = job.options().indexes();
        return source == null ? null : source.open(job.connector(), connection, job.dialect(), canonical);
    }

    private ImportSummary summary(
            List<CollectionSummary> collections,
            MongoDump dump,
            double seconds,
            TableCompletion finish,
            DumpReader dumpReader,
            Loading loading) {
        Map<String, String> out = new LinkedHashMap<>();
        dump.leftOut().stream()
                .sorted(Comparator.comparing(each -> !DumpFilter.OPLOGS.contains(each.name())))
                .forEach(each -> out.put(each.name(), each.reason()));
        return ImportSummary.of(
                collections,
                out,
                dump.byDump(),
                seconds,
                finish.afterSeconds(),
                dumpReader.readSeconds(),
                loading.convertSeconds(),
                loading.waitSeconds());
    }
}
