package io.pgstress.importer.table;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.json.Alterations;
import io.pgstress.bson.key.KeyForm;
import io.pgstress.importer.verify.Checksum;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** One collection on its way into its table: what is known of it, and what was counted. Thread-safe. */
public final class TableImport {
    /**
     * What an import has done with a collection.
     *
     * @param rejects documents by reason
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

    private final DumpCollection collection;
    private final Route route;
    private final KeyForm form;
    private final KeyType keyType;
    private final boolean keyIsMissing;
    private final boolean filled;
    private final RejectFile rejectFile;
    private final Expectation expectation = new Expectation();
    private long documents;
    private long rows;
    private long skipped;
    private long duplicates;
    private long bytes;
    private long loadedBytes;
    private Alterations alterations = Alterations.NONE;
    private String fault = "";
    private boolean done;
    private boolean undone;

    /**
     * @param keyIsMissing whether the primary key is made after the rows
     * @param filled whether the table has, or may have, rows of before the import
     */
    TableImport(
            DumpCollection collection,
            Route route,
            KeyForm form,
            KeyType keyType,
            boolean keyIsMissing,
            boolean filled,
            RejectFile rejectFile) {
        this.collection = collection;
        this.route = route;
        this.form = form;
        this.keyType = keyType;
        this.keyIsMissing = keyIsMissing;
        this.filled = filled;
        this.rejectFile = rejectFile;
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

    /** What the table must hold; kept only where that is to be verified. */
    public Expectation expectation() {
        return expectation;
    }

    public KeyForm form() {
        return form;
    }

    /** The size of the input, by which it is known again; -1 where it is not known. */
    long inputBytes() {
        return collection.bytes();
    }

    public KeyType keyType() {
        return keyType;
    }

    boolean keyIsMissing() {
        return keyIsMissing;
    }

    /** Documents that were read, with their bytes. */
    public synchronized void read(int count, long size) {
        documents += count;
        bytes += size;
    }

    /**
     * More was committed.
     *
     * @param count rows that the server took
     * @param size bytes of the documents, rejects among them
     * @param sent rows that it was sent
     * @param altered what was altered in these
     */
    public synchronized void loaded(long count, long size, Checksum sent, Alterations altered) {
        rows += count;
        loadedBytes += size;
        expectation.add(sent);
        alterations = alterations.plus(altered);
    }

    public synchronized boolean wasRejected(long ordinal) {
        return rejectFile.wasRejected(ordinal);
    }

    /** This very input was imported as a whole before: its documents are passed over. */
    synchronized void done() {
        done = true;
    }

    public synchronized boolean isDone() {
        return done;
    }

    /** Documents that are neither rows nor rejects; only where that is to be verified. */
    synchronized long unaccounted() {
        long rejected =
                rejectFile.counts().values().stream().mapToLong(Long::longValue).sum();
        return documents - expectation.input().rows() - rejected;
    }

    public synchronized void skipped(long count) {
        skipped += count;
    }

    /** Of so many rows that were loaded beside, so many went into the table; the others gave way to others of their key. */
    synchronized void moved(long from, long into) {
        duplicates += from - into;
        rows = into;
    }

    synchronized long rejected() {
        return rejectFile.counts().values().stream().mapToLong(Long::longValue).sum();
    }

    /** Nothing of it, nor of the other collections, is in the tables. */
    synchronized void undone(String why) {
        rows = 0;
        loadedBytes = 0;
        duplicates = 0;
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

    /** Rows loaded by now. */
    public synchronized long rows() {
        return rows;
    }

    /** A document that did not get into the table. */
    public synchronized void reject(
            byte[] bytesOfChunk, int start, int size, long ordinal, long offset, String kind, String why)
            throws IOException {
        rejectFile.add(bytesOfChunk, start, size, ordinal, offset, kind, why);
    }

    /** What was counted by now. */
    public synchronized Counts counts() {
        return new Counts(
                documents,
                rows,
                skipped,
                duplicates,
                bytes,
                loadedBytes,
                new TreeMap<>(rejectFile.counts()),
                alterations,
                fault);
    }

    /** The collection that is imported. */
    public DumpCollection collection() {
        return collection;
    }

    /** Whether the table has, or may have, rows of before the import. */
    public boolean hadRows() {
        return filled;
    }

    /** Closes the file of rejects. */
    public void close() throws IOException {
        rejectFile.close();
    }
}
