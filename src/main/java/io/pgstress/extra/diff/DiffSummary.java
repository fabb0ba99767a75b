package io.pgstress.extra.diff;

import io.pgstress.extra.diff.DiffSummary.DifferentRow;
import io.pgstress.extra.diff.DiffSummary.PathDifference;
import io.pgstress.extra.diff.DiffSummary.RejectedDocument;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a comparison.
 *
 * @param share the share of documents and rows compared
 * @param differences the number of differences in all tables
 * @param rejected the number of documents that an import rejects
 * @param otherTables tables {@code (_id, data jsonb)} in the same schemas that are not in the dump; empty if only a part of the
 *     dump was selected
 * @param leftOut what is in the dump but was not compared, with the reason
 * @param seconds duration
 */
public record DiffSummary(
        double share,
        long differences,
        long rejected,
        List<TableDiff> tables,
        List<String> otherTables,
        Map<String, String> leftOut,
        double seconds) {
    public DiffSummary {
        tables = List.copyOf(tables);
        otherTables = List.copyOf(otherTables);
    }

    static DiffSummary of(
            double share,
            List<TableDiff> tables,
            List<String> otherTables,
            Map<String, String> leftOut,
            double seconds) {
        long differences = tables.stream().mapToLong(TableDiff::differences).sum();
        long rejected = tables.stream().mapToLong(TableDiff::rejected).sum();
        return new DiffSummary(share, differences, rejected, tables, otherTables, leftOut, seconds);
    }

    /** Whether every part of the dump could be read and compared, apart from rejected documents. */
    public boolean isComplete() {
        return tables.stream().allMatch(t -> t.fault().isEmpty() && t.hidden().isEmpty());
    }

    /**
     * A difference between a document and its row.
     *
     * @param path the names of fields and the numbers of array elements, from 0, with dots between them; empty for the whole
     * @param dump the value in the dump as JSON, shortened; null if there is none
     * @param table the value in the table as JSON, shortened; null if there is none
     */
    public record PathDifference(
            String path, @Nullable String dump, @Nullable String table) {}

    /**
     * A row that differs from its document.
     *
     * @param id the {@code _id} as the table has it
     * @param paths the first paths that differ
     * @param more whether more paths differ
     * @param note why no path is named; null if one is
     */
    public record DifferentRow(
            String id,
            List<PathDifference> paths,
            boolean more,
            @Nullable String note) {
        public DifferentRow {
            paths = List.copyOf(paths);
        }
    }

    /**
     * A document that an import with these options rejects, so that no row can be expected.
     *
     * @param id its {@code _id} as canonical Extended JSON; empty if it has none that can be shown
     * @param reason why it is rejected
     */
    public record RejectedDocument(String id, String reason) {}

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
     * @param repeatedRows rows that repeat an {@code _id} of the table, which has no primary key then
     * @param rejected documents that an import rejects, which are neither compared nor differences
     * @param notes what else is notable, a line each
     * @param fault why the comparison is not complete; empty if it is
     * @param hidden why rows may be hidden, so that documents without a row are no differences; empty if none are
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
            long repeatedRows,
            long rejected,
            List<String> idsOnlyInDump,
            List<String> idsOnlyInTable,
            List<DifferentRow> differentRows,
            List<RejectedDocument> rejects,
            List<String> notes,
            String fault,
            String hidden) {
        public TableDiff {
            idsOnlyInDump = List.copyOf(idsOnlyInDump);
            idsOnlyInTable = List.copyOf(idsOnlyInTable);
            differentRows = List.copyOf(differentRows);
            rejects = List.copyOf(rejects);
            notes = List.copyOf(notes);
        }

        /** The number of differences. */
        public long differences() {
            return (hidden.isEmpty() ? onlyInDump : 0) + onlyInTable + different;
        }
    }
}
