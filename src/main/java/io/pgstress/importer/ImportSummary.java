package io.pgstress.importer;

import io.pgstress.importer.table.TableImport;
import io.pgstress.importer.verify.Verification;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an import did; its JSON is the components' names.
 *
 * @param collections one a table
 * @param leftOut collections of the dump that were not read, with the reason
 * @param seconds from the first byte read to the last key built
 * @param afterSeconds that followed: verification, copy tables and statistics
 * @param rowsPerSecond over these seconds
 * @param megabytesPerSecond of BSON that this import loaded, 10^6 bytes each, over these seconds
 * @param readSeconds, convertSeconds, waitSeconds where the time went, summed over threads: reading and cutting, converting,
 *     waiting for the server
 */
public record ImportSummary(
        List<CollectionSummary> collections,
        Map<String, String> leftOut,
        double seconds,
        double afterSeconds,
        double rowsPerSecond,
        double megabytesPerSecond,
        double readSeconds,
        double convertSeconds,
        double waitSeconds) {

    /**
     * One collection.
     *
     * @param documents in the input
     * @param rows that this import put into the table
     * @param skipped documents of chunks that an earlier, cut-off import had loaded
     * @param duplicates documents that gave way by {@code --on-duplicate}
     * @param rejects by reason
     * @param altered documents that were changed as the user allowed, by what was changed
     * @param bsonBytes of the documents
     * @param loadedBytes of those that this import loaded, not an earlier part of it
     * @param tableBytes of the table with its indexes, all nodes together
     * @param indexBytes of its indexes
     * @param ratio of tableBytes to bsonBytes; 0 where no bytes were read, or the table has other rows too
     * @param verification what {@code --verify} found; null where it was not asked for
     * @param fault why the collection or its table is not whole; empty where it is
     */
    public record CollectionSummary(
            String collection,
            String table,
            String keyType,
            long documents,
            long rows,
            long skipped,
            long duplicates,
            Map<String, Long> rejects,
            Map<String, Long> altered,
            long bsonBytes,
            long loadedBytes,
            long tableBytes,
            long indexBytes,
            double ratio,
            @Nullable Verification verification,
            String fault) {

        static CollectionSummary of(TableImport table, long tableBytes, long indexBytes) {
            TableImport.Counts counts = table.counts();
            Map<String, Long> altered = new TreeMap<>();
            putIfAny(altered, "nul", counts.altered().nulDocuments());
            putIfAny(altered, "utf8", counts.altered().utf8Documents());
            putIfAny(altered, "duplicateKeys", counts.altered().duplicateKeyDocuments());
            return new CollectionSummary(
                    table.collection().namespace(),
                    table.route().target().toString(),
                    table.keyType().label(),
                    counts.documents(),
                    counts.rows(),
                    counts.skipped(),
                    counts.duplicates(),
                    counts.rejects(),
                    altered,
                    counts.bytes(),
                    counts.loadedBytes(),
                    tableBytes,
                    indexBytes,
                    counts.bytes() == 0 || table.hadRows() ? 0 : (double) tableBytes / counts.bytes(),
                    table.expectation().comparison(),
                    counts.fault());
        }

        private static void putIfAny(Map<String, Long> map, String name, long count) {
            if (count > 0) {
                map.put(name, count);
            }
        }

        /** A collection of which nothing was imported. */
        static CollectionSummary nothing(String collection, String table, String why) {
            return new CollectionSummary(
                    collection, table, "-", 0, 0, 0, 0, Map.of(), Map.of(), 0, 0, 0, 0, 0, null, why);
        }

        public long rejected() {
            return rejects.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /** The same, with rates by the seconds. */
    static ImportSummary of(
            List<CollectionSummary> collections,
            Map<String, String> leftOut,
            double seconds,
            double afterSeconds,
            double readSeconds,
            double convertSeconds,
            double waitSeconds) {
        long rows = collections.stream().mapToLong(CollectionSummary::rows).sum();
        long bytes =
                collections.stream().mapToLong(CollectionSummary::loadedBytes).sum();
        return new ImportSummary(
                collections,
                leftOut,
                seconds,
                afterSeconds,
                rows / seconds,
                bytes / 1e6 / seconds,
                readSeconds,
                convertSeconds,
                waitSeconds);
    }

    public long rows() {
        return collections.stream().mapToLong(CollectionSummary::rows).sum();
    }

    public long bsonBytes() {
        return collections.stream().mapToLong(CollectionSummary::bsonBytes).sum();
    }

    public long rejected() {
        return collections.stream().mapToLong(CollectionSummary::rejected).sum();
    }

    /** Whether every document was read and every table finished. */
    public boolean isWhole() {
        return collections.stream().allMatch(c -> c.fault().isEmpty());
    }
}
