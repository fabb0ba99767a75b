package io.pgstress.extra.diff;

import java.util.List;
import java.util.Map;

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
        return tables.stream().allMatch(t -> t.fault().isEmpty());
    }
}
