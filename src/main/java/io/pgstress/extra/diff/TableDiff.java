package io.pgstress.extra.diff;

import java.util.List;

/**
 * The differences between a collection of the dump and its table. Counts are exact; lists are limited.
 *
 * @param documents documents compared
 * @param rows rows compared
 * @param equal rows that are equal to their document
 * @param onlyInDump documents without a row; one for each {@code _id}
 * @param onlyInTable rows without a document; 0 if the documents could not all be read
 * @param different rows that differ from their document
 * @param repeated documents that repeat an {@code _id} of the dump
 * @param rejected documents that an import rejects, which are neither compared nor differences
 * @param notes what else is notable, a line each
 * @param fault why the comparison is not complete; empty if it is
 */
public record TableDiff(
        String collection,
        String table,
        long documents,
        long rows,
        long equal,
        long onlyInDump,
        long onlyInTable,
        long different,
        long repeated,
        long rejected,
        List<String> idsOnlyInDump,
        List<String> idsOnlyInTable,
        List<DifferentRow> differentRows,
        List<RejectedDocument> rejects,
        List<String> notes,
        String fault) {
    public TableDiff {
        idsOnlyInDump = List.copyOf(idsOnlyInDump);
        idsOnlyInTable = List.copyOf(idsOnlyInTable);
        differentRows = List.copyOf(differentRows);
        rejects = List.copyOf(rejects);
        notes = List.copyOf(notes);
    }

    /** The number of differences. */
    public long differences() {
        return onlyInDump + onlyInTable + different;
    }
}
