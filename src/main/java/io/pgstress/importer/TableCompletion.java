package io.pgstress.importer;

import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.CopyErrors;
import io.pgstress.importer.table.IndexProgress.IndexWatch;
import io.pgstress.importer.table.ProgressTable;
import io.pgstress.importer.table.TableImport;
import io.pgstress.importer.table.TableMaker;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.loop.Daemons;
import io.pgstress.text.Counted;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Finishes tables after their rows are loaded: keys, statistics. This may take long, so it runs on its own thread,
 * whose statement an interrupt cancels. The entries of all chunks are deleted together at the very end, unless a table could
 * not be finished or differs from the input: then {@code --resume} retries just that.
 */
final class TableCompletion {
    private final ImportJob job;
    private final ImportOptions options;
    private final ImportListener listener;
    private final Connection connection;
    private final ProgressTable progress;
    private final TableMaker maker;
    private final @Nullable IndexStep indexes;
    private volatile long afterNanos;

    /**
     * Creates the end of an import.
     *
     * @param indexes what reports or creates the indexes of the metadata; null for nothing
     */
    TableCompletion(
            ImportJob job,
            Connection connection,
            ProgressTable progress,
            TableMaker maker,
            @Nullable IndexStep indexes) {
        this.job = job;
        this.options = job.options();
        this.listener = job.listener();
        this.connection = connection;
        this.progress = progress;
        this.maker = maker;
        this.indexes = indexes;
    }

    /**
     * Finishes the tables; returns a summary of each.
     *
     * @param notStarted reasons why collections were not started
     */
    List<CollectionSummary> finish(List<TableImport> tables, Collection<String> notStarted)
            throws SQLException, IOException, InterruptedException {
        FutureTask<List<CollectionSummary>> task = new FutureTask<>(() -> all(tables, notStarted));
        Thread thread = Daemons.start("import-finish", task);
        try {
            return task.get();
        } catch (InterruptedException e) {
            if (indexes != null) {
                indexes.cancel();
            }
            DriverSession.cancel(connection);
            thread.interrupt();
            throw ImportFailure.of(e, tables, null, options.tables().atomic());
        } catch (ExecutionException e) {
            throw ImportFailure.of(
                    e.getCause() == null ? e : e.getCause(),
                    tables,
                    null,
                    options.tables().atomic());
        }
    }

    private List<CollectionSummary> all(List<TableImport> tables, Collection<String> notStarted)
            throws SQLException, IOException, InterruptedException {
        List<CollectionSummary> summaries = new ArrayList<>();
        List<TableImport> finished = new ArrayList<>();
        boolean atomic = options.tables().atomic();
        listener.step("finishing " + Counted.of(tables.size(), "table"));
        for (TableImport table : tables) {
            if (atomic && !reasonToUndo(tables, notStarted).isEmpty()) {
                break; // the transaction may have failed, and would be rolled back anyway
            }
            listener.state("finishing " + table.table());
            try {
                finish(table);
                finished.add(table);
            } catch (TargetException e) {
                table.failed(String.valueOf(e.getMessage()));
            }
        }
        boolean all = finished.size() == tables.size();
        boolean complete = (all || !atomic) && verify(finished) && all;
        for (TableImport table : tables) {
            table.close();
        }
        if (complete) {
            progress.complete(connection, tables);
        }
        if (atomic) {
            allOrNothing(tables, reasonToUndo(tables, notStarted));
        }
        long start = System.nanoTime();
        Map<TableName, List<IndexResult>> made = createIndexes(tables);
        for (TableImport table : tables) {
            summaries.add(complete(table, made));
        }
        after(start);
        return summaries;
    }

    /** Why an atomic import must be undone; empty if it need not be. */
    private String reasonToUndo(List<TableImport> tables, Collection<String> notStarted) {
        for (String each : notStarted) {
            return each;
        }
        for (TableImport table : tables) {
            if (table.hasFailed()) {
                return table.table() + " was not imported completely";
            }
        }
        long rejected = tables.stream().mapToLong(TableImport::rejected).sum();
        return rejected <= options.maxRejects()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%s, more than --max-rejects %,d",
                        Counted.of(rejected, "reject"),
                        options.maxRejects());
    }

    /** Ends the transaction of an atomic import. */
    private void allOrNothing(List<TableImport> tables, String reason) throws SQLException {
        String why = reason;
        if (why.isEmpty()) {
            try {
                connection.commit();
            } catch (SQLException e) {
                if (!CopyErrors.isOfTheData(e)) {
                    throw e;
                }
                why = ImportFailure.line(e);
            }
        }
        connection.rollback();
        connection.setAutoCommit(true);
        for (TableImport table : why.isEmpty() ? List.<TableImport>of() : tables) {
            table.undone(why);
        }
    }

    private void finish(TableImport table) throws SQLException {
        String what = "creating the primary key of " + table.table();
        try (IndexWatch watch = IndexWatch.start(job.connector(), connection, what, listener::state)) {
            maker.finish(table);
        }
    }

    /** Compares the tables with the input if that is wanted; false if one differs. */
    private boolean verify(List<TableImport> tables) throws SQLException, IOException, InterruptedException {
        List<TableImport> wanted = tables.stream()
                .filter(table -> !table.isDone() || !table.wasVerified())
                .toList();
        TableVerifier verifier = job.verifier();
        if (verifier == null || wanted.isEmpty()) {
            return true;
        }
        listener.step("verifying the tables");
        long start = System.nanoTime();
        verifier.verify(wanted, options.tables().atomic() ? connection : null, job.connector(), options, listener);
        for (TableImport table : wanted) {
            if (table.isAsExpected()) {
                progress.verified(connection, table.loadTable());
            }
        }
        after(start);
        return wanted.stream().allMatch(TableImport::isAsExpected);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void after(long start) {
        afterNanos += System.nanoTime() - start;
    }

    /** Seconds spent after loading on verification, indexes and statistics. */
    double afterSeconds() {
        return afterNanos / 1e9;
    }

    /** Creates the indexes of the metadata, or finds out what they would be. */
    private Map<TableName, List<IndexResult>> createIndexes(List<TableImport> tables)
            throws SQLException, InterruptedException {
        if (indexes == null) {
            return Map.of();
        }
        Map<TableName, Boolean> targets = new LinkedHashMap<>();
        tables.stream()
                .filter(table -> !table.isUndone())
                .forEach(table -> targets.put(table.table(), table.hadRows()));
        return indexes.finish(targets, options.jobs(), listener::state);
    }

    private CollectionSummary complete(TableImport table, Map<TableName, List<IndexResult>> made) throws SQLException {
        if (table.isUndone()) {
            return CollectionSummary.of(table, 0, 0, List.of());
        }
        TableName target = table.table();
        long bytes = 0;
        long indexBytes = 0;
        try {
            maker.complete(table);
        } catch (SQLException e) {
            note(table, "its statistics were not collected; run: analyze " + target.quoted(), e);
        }
        try {
            bytes = maker.bytes(target);
            indexBytes = maker.indexBytes(target);
        } catch (SQLException e) {
            note(table, "its size could not be read", e);
        }
        return CollectionSummary.of(table, bytes, indexBytes, made.getOrDefault(target, List.of()));
    }

    /** What fails when the rows and the key are there, and committed, leaves the import done. */
    private static void note(TableImport table, String what, SQLException failure) throws SQLException {
        if (Thread.currentThread().isInterrupted()) {
            throw failure;
        }
        table.note(what + " (" + ServerErrors.sampleWithState(failure) + ")");
    }

    /** Turns the failure of an import into an exception for the user. */
    static final class ImportFailure {
        private ImportFailure() {}

        /**
         * The exception to throw for this failure.
         *
         * @param in the table whose chunk was being loaded; null if that is not known
         */
        static TargetException of(Throwable failure, List<TableImport> tables, @Nullable TableImport in, boolean atomic)
                throws IOException {
            if (failure instanceof Error error && !(failure instanceof OutOfMemoryError)) {
                throw error;
            }
            long rows = tables.stream().mapToLong(TableImport::rows).sum();
            if (rows == 0 && failure instanceof TargetException early) {
                return early;
            }
            for (TableImport table : tables) {
                try {
                    table.close();
                } catch (IOException e) {
                    failure.addSuppressed(e); // the rejects that could not be written are the failure itself
                }
            }
            String loaded = atomic
                    ? "; nothing was imported"
                    : "; loaded " + Counted.of(rows, "row") + unlessLost(failure, rows) + withoutKey(tables)
                            + "; run the same command with --resume to continue";
            String collection = in == null ? "" : in.collection().namespace() + ": ";
            String rejects = in == null || in.rejected() == 0
                    ? ""
                    : "; " + Counted.of(in.rejected(), "reject") + " in " + in.rejectsFile();
            return new TargetException(collection + line(failure) + rejects + loaded, failure);
        }

        /** A server may acknowledge a chunk and lose it in a crash: imports do not wait for its WAL. */
        private static String unlessLost(Throwable failure, long rows) {
            boolean isLost = failure instanceof SQLException && !ServerErrors.sessionIsAlive(failure);
            return isLost && rows > 0 ? ", or fewer if the server crashed" : "";
        }

        /** Which tables have no primary key yet, as the rest of a sentence; empty if all have one. */
        static String withoutKey(List<TableImport> tables) {
            List<String> names = tables.stream()
                    .filter(TableImport::lacksKey)
                    .map(table -> table.table().toString())
                    .toList();
            return names.isEmpty() ? "" : "; still without a primary key: " + Counted.first(names, ", ");
        }

        static String line(Throwable failure) {
            if (failure instanceof InterruptedException) {
                return "interrupted";
            }
            if (failure instanceof OutOfMemoryError) {
                return String.format(
                        Locale.ROOT,
                        "the heap of %,d MiB is full: use fewer --jobs or a larger heap (STRESS_JAVA_OPTS=-Xmx...)",
                        Runtime.getRuntime().maxMemory() >> 20);
            }
            if (failure instanceof SQLException sql) {
                return ServerErrors.sampleWithState(sql);
            }
            return failure.getMessage() == null ? failure.toString() : failure.getMessage();
        }
    }
}
