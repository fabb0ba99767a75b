package io.pgstress.importer.table;

import io.pgstress.bson.json.Alterations;
import java.util.Map;
import java.util.TreeMap;

/** The numbers of documents and rows of a collection under import. Not thread-safe. */
public final class RowCounts {
    /**
     * The counts at one time.
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

    private long documents;
    private long rows;
    private long skipped;
    private long duplicates;
    private long bytes;
    private long loadedBytes;
    private Alterations alterations = Alterations.NONE;

    RowCounts() {}

    void read(int count, long size) {
        documents += count;
        bytes += size;
    }

    void loaded(long count, long size, Alterations altered) {
        rows += count;
        loadedBytes += size;
        alterations = alterations.plus(altered);
    }

    void skipped(long count) {
        skipped += count;
    }

    /** Counts how many of the staged rows went into the table. */
    void moved(long from, long into) {
        duplicates += from - into;
        rows = into;
    }

    void undone() {
        rows = 0;
        loadedBytes = 0;
        duplicates = 0;
    }

    long documents() {
        return documents;
    }

    long rows() {
        return rows;
    }

    Counts with(Map<String, Long> rejects, String fault) {
        return new Counts(
                documents, rows, skipped, duplicates, bytes, loadedBytes, new TreeMap<>(rejects), alterations, fault);
    }
}
