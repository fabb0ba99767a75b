package io.pgstress.importer.table;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.json.Alterations;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.importer.index.CollectionIndexes;
import io.pgstress.importer.verify.Checksum;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The import of one collection into its table, with its counts. Thread-safe. */
public final class TableImport {
    private final DumpCollection collection;
    private final Route route;
    private final KeyForm form;
    private final KeyType keyType;
    private final boolean keyIsMissing;
    private final boolean filled;
    private final RejectFile rejectFile;
    private final ColumnCounts columns;
    private final List<String> notes = new ArrayList<>();
    private CollectionIndexes indexes = CollectionIndexes.NONE;
    private final Expectation expectation = new Expectation();
    private final RowCounts counts = new RowCounts();
    private String fault = "";
    private boolean done;
    private boolean verifiesAgain;
    private boolean undone;

    /**
     * @param keyIsMissing whether the primary key is created after the rows are loaded
     * @param filled whether the table has, or may have, rows from before the import
     */
    TableImport(
            DumpCollection collection,
            Route route,
            KeyForm form,
            KeyType keyType,
            boolean keyIsMissing,
            boolean filled,
            RejectFile rejectFile,
            ColumnCounts columns) {
        this.collection = collection;
        this.route = route;
        this.form = form;
        this.keyType = keyType;
        this.keyIsMissing = keyIsMissing;
        this.filled = filled;
        this.rejectFile = rejectFile;
        this.columns = columns;
    }

    public Route route() {
        return route;
    }

    public TableName table() {
        return route.table();
    }

    public TableName loadTable() {
        return route.load();
    }

    public boolean isStaged() {
        return route.isStaged();
    }

    /** The expected contents of the table; filled only for verification. */
    public Expectation expectation() {
        return expectation;
    }

    /** The typed columns beside {@code _id} and {@code data}. */
    public ColumnCounts columns() {
        return columns;
    }

    /** Sets the indexes of the collection; before its documents are loaded. */
    public synchronized void describe(CollectionIndexes found) {
        indexes = found;
    }

    /** The indexes of the collection, as far as the import cares for them. */
    public synchronized CollectionIndexes indexes() {
        return indexes;
    }

    public KeyForm form() {
        return form;
    }

    /** The size of the input in bytes, by which a resumed import recognizes it; -1 if unknown. */
    long inputBytes() {
        return collection.bytes();
    }

    public KeyType keyType() {
        return keyType;
    }

    boolean keyIsMissing() {
        return keyIsMissing;
    }

    /** Counts documents that were read, and their bytes. */
    public synchronized void read(int count, long size) {
        counts.read(count, size);
    }

    /**
     * Counts rows that were committed.
     *
     * @param count rows that the server accepted
     * @param size bytes of the documents, including rejects
     * @param sent checksum of the rows sent
     * @param altered alterations to these rows
     */
    public synchronized void loaded(long count, long size, Checksum sent, Alterations altered) {
        counts.loaded(count, size, altered);
        expectation.add(sent);
    }

    public synchronized boolean wasRejected(long ordinal) {
        return rejectFile.wasRejected(ordinal);
    }

    /** Marks the same input as already imported completely; its documents are skipped. */
    synchronized void done() {
        done = true;
    }

    public synchronized boolean isDone() {
        return done;
    }

    /** Marks a complete import as one that is to be compared with the input. */
    synchronized void verifyAgain() {
        verifiesAgain = true;
    }

    /** Whether nothing is left to load, but the table is to be compared with the input. */
    public synchronized boolean verifiesAgain() {
        return verifiesAgain;
    }

    /** Number of documents that are neither rows nor rejects; for verification only. */
    synchronized long unaccounted() {
        return counts.documents() - expectation.input().rows() - rejected();
    }

    public synchronized void skipped(long count) {
        counts.skipped(count);
    }

    /** Counts how many of the staged rows went into the table; the others were duplicates. */
    synchronized void moved(long from, long into) {
        counts.moved(from, into);
    }

    /** The number of rejected documents. */
    public synchronized long rejected() {
        return rejectFile.counts().values().stream().mapToLong(Long::longValue).sum();
    }

    /** Records that the import of all collections was undone. */
    synchronized void undone(String why) {
        counts.undone();
        undone = true;
        fault = "nothing was imported: " + (fault.isEmpty() ? why : fault);
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
        return counts.rows();
    }

    /** Records a document that was not loaded. */
    public synchronized void reject(
            byte[] bytesOfChunk, int start, int size, long ordinal, long offset, String kind, String why)
            throws IOException {
        rejectFile.add(bytesOfChunk, start, size, ordinal, offset, kind, why);
    }

    /** The counts so far. */
    public synchronized RowCounts.Counts counts() {
        return counts.with(rejectFile.counts(), fault);
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
        return filled;
    }

    /** Closes the file of rejects. */
    public void close() throws IOException {
        rejectFile.close();
    }
}
