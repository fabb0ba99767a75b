package io.pgstress.importer;

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
final class TableImport {
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
    private Alterations tally = Alterations.NONE;
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

    Route route() {
        return route;
    }

    TableName table() {
        return route.table();
    }

    TableName loadTable() {
        return route.load();
    }

    boolean isStaged() {
        return route.isStaged();
    }

    /** What the table must hold; kept only where that is to be verified. */
    Expectation expectation() {
        return expectation;
    }

    KeyForm form() {
        return form;
    }

    /** The size of the input, by which it is known again; -1 where it is not known. */
    long inputBytes() {
        return collection.bytes();
    }

    KeyType keyType() {
        return keyType;
    }

    boolean keyIsMissing() {
        return keyIsMissing;
    }

    /** Documents that were read, with their bytes. */
    synchronized void read(int count, long size) {
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
    synchronized void loaded(long count, long size, Checksum sent, Alterations altered) {
        rows += count;
        loadedBytes += size;
        expectation.add(sent);
        tally = tally.plus(altered);
    }

    synchronized boolean wasRejected(long ordinal) {
        return rejectFile.wasRejected(ordinal);
    }

    /** This very input was imported as a whole before: its documents are passed over. */
    synchronized void done() {
        done = true;
    }

    synchronized boolean isDone() {
        return done;
    }

    /** Documents that are neither rows nor rejects; only where that is to be verified. */
    synchronized long unaccounted() {
        long rejected =
                rejectFile.counts().values().stream().mapToLong(Long::longValue).sum();
        return documents - expectation.input().rows() - rejected;
    }

    synchronized void skipped(long count) {
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

    synchronized boolean isUndone() {
        return undone;
    }

    synchronized void failed(String why) {
        fault = fault.isEmpty() ? why : fault + "; " + why;
    }

    synchronized boolean hasFailed() {
        return !fault.isEmpty();
    }

    /** Rows loaded by now. */
    synchronized long rows() {
        return rows;
    }

    /** A document that did not get into the table. */
    synchronized void reject(
            byte[] bytesOfChunk, int start, int size, long ordinal, long offset, String kind, String why)
            throws IOException {
        rejectFile.add(bytesOfChunk, start, size, ordinal, offset, kind, why);
    }

    synchronized ImportSummary.CollectionSummary summary(long tableBytes, long indexBytes) {
        Map<String, Long> altered = new TreeMap<>();
        putIfAny(altered, "nul", tally.nulDocuments());
        putIfAny(altered, "utf8", tally.utf8Documents());
        putIfAny(altered, "duplicateKeys", tally.duplicateKeyDocuments());
        return new ImportSummary.CollectionSummary(
                collection.namespace(),
                route.target().toString(),
                keyType.label(),
                documents,
                rows,
                skipped,
                duplicates,
                new TreeMap<>(rejectFile.counts()),
                altered,
                bytes,
                loadedBytes,
                tableBytes,
                indexBytes,
                bytes == 0 || filled ? 0 : (double) tableBytes / bytes,
                expectation.comparison(),
                fault);
    }

    private static void putIfAny(Map<String, Long> map, String name, long count) {
        if (count > 0) {
            map.put(name, count);
        }
    }

    /** Closes the file of rejects. */
    void close() throws IOException {
        rejectFile.close();
    }
}
