package io.pgstress.importer;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.json.Tally;
import io.pgstress.bson.key.KeyForm;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** One collection on its way into its table: what is known of it, and what was counted. Thread-safe. */
final class TableImport {
    private final DumpCollection collection;
    private final TableName table;
    private final TableName loadTable;
    private final KeyForm form;
    private final KeyType keyType;
    private final boolean keyIsMissing;
    private final RejectFile rejectFile;
    private long documents;
    private long rows;
    private long skipped;
    private long duplicates;
    private long bytes;
    private Tally tally = Tally.NONE;
    private String fault = "";

    /**
     * @param loadTable where the rows go first: the table itself, or a staging table
     * @param keyIsMissing whether the primary key is made after the rows
     */
    TableImport(
            DumpCollection collection,
            TableName table,
            TableName loadTable,
            KeyForm form,
            KeyType keyType,
            boolean keyIsMissing,
            RejectFile rejectFile) {
        this.collection = collection;
        this.table = table;
        this.loadTable = loadTable;
        this.form = form;
        this.keyType = keyType;
        this.keyIsMissing = keyIsMissing;
        this.rejectFile = rejectFile;
    }

    TableName table() {
        return table;
    }

    TableName loadTable() {
        return loadTable;
    }

    boolean isStaged() {
        return !loadTable.equals(table);
    }

    KeyForm form() {
        return form;
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

    synchronized void loaded(long count) {
        rows += count;
    }

    synchronized void skipped(long count) {
        skipped += count;
    }

    /** Of the rows loaded, these gave way to others of their key. */
    synchronized void duplicates(long count) {
        duplicates += count;
        rows -= count;
    }

    synchronized void tally(Tally more) {
        tally = tally.plus(more);
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

    synchronized ImportSummary.CollectionSummary summary(long tableBytes) {
        Map<String, Long> altered = new TreeMap<>();
        putIfAny(altered, "nul", tally.nulDocuments());
        putIfAny(altered, "utf8", tally.utf8Documents());
        putIfAny(altered, "duplicateKeys", tally.duplicateKeyDocuments());
        return new ImportSummary.CollectionSummary(
                collection.namespace(),
                table.toString(),
                keyType.label(),
                documents,
                rows,
                skipped,
                duplicates,
                new TreeMap<>(rejectFile.counts()),
                altered,
                bytes,
                tableBytes,
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
