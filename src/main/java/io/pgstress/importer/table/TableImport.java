package io.pgstress.importer.table;

import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.json.Alterations;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The import of one collection into its table, with its counts. Thread-safe. */
public final class TableImport {
    private final DumpCollection collection;
    private final TargetTable target;
    private final EarlierImport earlier;
    private long rowsBefore;
    private long keptRows;
    private final RejectFile rejectFile;
    private final List<String> notes = new ArrayList<>();
    private volatile Consumer<Chunk> observer = chunk -> {};
    private long documents;
    private long rows;
    private long skipped;
    private long duplicates;
    private long bytes;
    private long loadedBytes;
    private Alterations altered = Alterations.NONE;
    private String fault = "";
    private @Nullable Verification verification;
    private boolean undone;
    private boolean hasNewKey;

    TableImport(DumpCollection collection, TargetTable target, EarlierImport earlier, RejectFile rejectFile) {
        this.collection = collection;
        this.target = target;
        this.rowsBefore = earlier.progress.rowsBefore();
        this.keptRows = earlier.progress.keptRows();
        this.earlier = earlier;
        this.rejectFile = rejectFile;
    }

    /**
     * The table of a collection, which the import has found or created.
     *
     * @param form the form of its keys
     * @param keyIsMissing whether the primary key is created after the rows are loaded
     */
    record TargetTable(Route route, KeyForm form, boolean keyIsMissing) {}

    /**
     * What earlier imports of the collection left.
     *
     * @param progress how far they have come; a new one if nothing is resumed
     * @param done whether the same input was already imported completely, so that its documents are skipped
     * @param resumed whether an import that stopped is continued
     */
    record EarlierImport(Progress progress, boolean done, boolean resumed) {
        /** Whether the table has, or may have, rows from before. */
        private boolean leftRows() {
            return done || progress.rowsBefore() != 0;
        }
    }

    public TableName table() {
        return target.route.target();
    }

    public TableName loadTable() {
        return target.route.load();
    }

    public boolean isStaged() {
        return target.route.isStaged();
    }

    /** Sets who else sees the documents of the collection; before they are loaded. */
    public void observe(Consumer<Chunk> by) {
        observer = by;
    }

    /** Shows the documents of a chunk to the observer. */
    public void see(Chunk chunk) {
        observer.accept(chunk);
    }

    public KeyForm form() {
        return target.form;
    }

    public KeyType keyType() {
        return TableForms.typeOf(target.form);
    }

    boolean keyIsMissing() {
        return target.keyIsMissing;
    }

    /** Records that the primary key was created after the rows. */
    synchronized void keyCreated() {
        hasNewKey = true;
    }

    /** Whether the table has no primary key yet, because it is created after the rows. */
    public synchronized boolean lacksKey() {
        return target.keyIsMissing && !hasNewKey;
    }

    /** Counts documents that were read, and their bytes. */
    public synchronized void read(int count, long size) {
        documents += count;
        bytes += size;
    }

    /**
     * Counts rows that were committed.
     *
     * @param count rows that the server accepted
     * @param size bytes of the documents, including rejects
     * @param alterations alterations to these rows
     */
    public synchronized void loaded(long count, long size, Alterations alterations) {
        rows += count;
        loadedBytes += size;
        altered = altered.plus(alterations);
    }

    public synchronized boolean wasRejected(long ordinal) {
        return rejectFile.wasRejected(ordinal);
    }

    /** Whether the same input was already imported completely; its documents are skipped. */
    public boolean isDone() {
        return earlier.done;
    }

    /** Whether an earlier import compared the table with the same input. */
    public boolean wasVerified() {
        return earlier.done && earlier.progress.verified();
    }

    /** Records the comparison of the table with the input. */
    public synchronized void verified(Verification found) {
        verification = found;
        if (!found.same()) {
            failed("verification failed: " + found.fault());
        }
    }

    /** The comparison of the table with the input; null if there was none. */
    public synchronized @Nullable Verification verification() {
        return verification;
    }

    /** Whether the comparison with the input was made and found no difference. */
    public synchronized boolean isAsExpected() {
        return verification != null && verification.same();
    }

    /** The rows from before the import that have the _id of no document; -1 if their number is unknown. */
    public synchronized long rowsBefore() {
        return rowsBefore;
    }

    /** The rows from before the import that differ from the document with their _id, and stay. */
    public synchronized long keptRows() {
        return keptRows;
    }

    /** Records that the rows from before can no longer be told from others. */
    synchronized void lostCount() {
        rowsBefore = -1;
    }

    /** Records how many of the rows from before have the _id of a document, and how many of these stay and differ from it. */
    synchronized void met(long rows, long differing) {
        rowsBefore -= rows;
        keptRows = differing;
    }

    public synchronized void skipped(long count) {
        skipped += count;
    }

    /** Counts how many of the staged rows went into the table; the others were duplicates. */
    synchronized void moved(long from, long into) {
        duplicates += from - into;
        rows = into;
    }

    /** The number of rejected documents. */
    public synchronized long rejected() {
        return rejectFile.counts().values().stream().mapToLong(Long::longValue).sum();
    }

    /** The file with the reasons of its rejects, which exists if there are any. */
    public Path rejectsFile() {
        return rejectFile.reasonsFile();
    }

    /** Records that the import of all collections was undone. */
    public synchronized void undone(String why) {
        rows = 0;
        loadedBytes = 0;
        duplicates = 0;
        undone = true;
        fault = "nothing was imported. " + (fault.isEmpty() ? why : fault);
    }

    public synchronized boolean isUndone() {
        return undone;
    }

    public synchronized void failed(String why) {
        fault = fault.isEmpty() ? why : fault + "; " + why;
    }

    public synchronized boolean hasFailed() {
        return !fault.isEmpty();
    }

    /** Rows loaded so far. */
    public synchronized long rows() {
        return rows;
    }

    /** Records a document that was not loaded; false if an earlier part of the import did. */
    public synchronized boolean reject(Chunk chunk, int document, String kind, String why) throws IOException {
        return rejectFile.add(chunk, document, kind, why);
    }

    /** Writes the rejects so far to their files. */
    public synchronized void flushRejects() throws IOException {
        rejectFile.flush();
    }

    /** The counts so far. */
    public synchronized Counts counts() {
        return new Counts(
                documents,
                rows,
                skipped,
                duplicates,
                bytes,
                loadedBytes,
                new TreeMap<>(rejectFile.counts()),
                altered,
                fault);
    }

    /** Adds something that the user should know about the table, in one line. */
    public synchronized void note(String line) {
        notes.add(line);
    }

    public synchronized List<String> notes() {
        return List.copyOf(notes);
    }

    /** The collection being imported. */
    public DumpCollection collection() {
        return collection;
    }

    /** Whether the table has, or may have, rows from before the import. */
    public boolean hadRows() {
        return earlier.leftRows();
    }

    /** Whether an import that stopped was continued, so that the table may have space of rows that were rolled back. */
    public boolean isResumed() {
        return earlier.resumed;
    }

    /** Closes the file of rejects. */
    public void close() throws IOException {
        rejectFile.close();
    }

    /**
     * The tables that a collection's rows pass through.
     *
     * @param target the table they belong in
     * @param load the table they are loaded into: the target, or a staging table for duplicates
     */
    public record Route(TableName target, TableName load) {
        private static final String STAGING = "_import";

        static Route of(TableName target, TableRules rules) {
            return new Route(target, rules.stages() ? new TableName(target.schema(), target.name() + STAGING) : target);
        }

        boolean isStaged() {
            return !load.equals(target);
        }

        /** The longest name among these tables and the copy table, unquoted. */
        String longest() {
            String copy = target.copy().name();
            return load.name().length() > copy.length() ? load.name() : copy;
        }
    }

    /**
     * The numbers of documents and rows at one time.
     *
     * @param rejects rejected documents by reason
     * @param fault why the collection or its table is not complete; empty if it is
     */
    public record Counts(
            long documents,
            long rows,
            long skipped,
            long duplicates,
            long bytes,
            long loadedBytes,
            Map<String, Long> rejects,
            Alterations altered,
            String fault) {}
}
