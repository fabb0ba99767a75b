package io.pgstress.importer;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.importer.table.TableImport;
import io.pgstress.importer.table.Verification;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.text.Counted;
import io.pgstress.text.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The result of an import; its JSON uses the names of the components.
 *
 * @param collections one per table
 * @param leftOut collections of the dump that were not read, with the reason
 * @param dumps one per dump, if there are several; otherwise empty
 * @param seconds from the first byte read to the last key built
 * @param afterSeconds the time after that: verification, indexes and statistics
 * @param rowsPerSecond over {@code seconds}
 * @param megabytesPerSecond BSON loaded by this import, in units of 10^6 bytes, over {@code seconds}
 * @param readSeconds, convertSeconds, waitSeconds time summed over threads: reading and splitting, converting, waiting for the
 *     server
 */
public record ImportSummary(
        List<CollectionSummary> collections,
        Map<String, String> leftOut,
        List<DumpSummary> dumps,
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
     * @param documents documents in the input
     * @param rows rows that this import added to the table
     * @param skipped documents of chunks that an earlier, interrupted import had loaded
     * @param duplicates documents dropped by {@code --on-duplicate}
     * @param rejects rejected documents by reason
     * @param altered documents that were altered as the options allow, by kind of change
     * @param legacyUuids documents with UUIDs of binary subtype 3, which were not altered
     * @param bsonBytes size of the documents
     * @param loadedBytes size of the documents that this import loaded, without those of an earlier part of it
     * @param tableBytes size of the table with its indexes, over all nodes; 0 if a note says that it could not be read
     * @param indexBytes size of its indexes; 0 likewise
     * @param ratio tableBytes divided by bsonBytes; 0 if no document became a row, the table has other rows too, or it may have
     *     space of rows that a stopped import rolled back
     * @param verification result of {@code --verify}; null without it
     * @param fault why the collection or its table is incomplete; empty if it is complete
     * @param notes what else the user should know about the table, one line each
     * @param indexes what became of the indexes in the metadata, besides that on {@code _id}
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
            long legacyUuids,
            long bsonBytes,
            long loadedBytes,
            long tableBytes,
            long indexBytes,
            double ratio,
            @Nullable Verification verification,
            String fault,
            List<String> notes,
            List<IndexResult> indexes) {

        static CollectionSummary of(TableImport table, long tableBytes, long indexBytes, List<IndexResult> indexes) {
            TableImport.Counts counts = table.counts();
            Map<String, Long> altered = new TreeMap<>();
            putIfAny(altered, "nul", counts.altered().nulDocuments());
            putIfAny(altered, "utf8", counts.altered().utf8Documents());
            putIfAny(altered, "duplicateKeys", counts.altered().duplicateKeyDocuments());
            putIfAny(altered, "generatedIds", counts.altered().generatedIds());
            return new CollectionSummary(
                    table.collection().namespace(),
                    table.table().toString(),
                    table.keyType().label(),
                    counts.documents(),
                    counts.rows(),
                    counts.skipped(),
                    counts.duplicates(),
                    counts.rejects(),
                    altered,
                    counts.altered().legacyUuidDocuments(),
                    counts.bytes(),
                    counts.loadedBytes(),
                    tableBytes,
                    indexBytes,
                    counts.rows() + counts.skipped() == 0 || table.hadRows() || table.isResumed()
                            ? 0
                            : (double) tableBytes / counts.bytes(),
                    table.verification(),
                    fault(counts),
                    table.notes(),
                    indexes);
        }

        /** Also if rows are missing that the server did not refuse. */
        private static String fault(TableImport.Counts counts) {
            long rejected = counts.rejects().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            long lost = counts.documents() - counts.rows() - counts.skipped() - counts.duplicates() - rejected;
            return !counts.fault().isEmpty() || lost <= 0
                    ? counts.fault()
                    : "the server discarded " + Counted.of(lost, "row")
                            + " without an error: look for a trigger or a rule of the table";
        }

        private static void putIfAny(Map<String, Long> map, String name, long count) {
            if (count > 0) {
                map.put(name, count);
            }
        }

        /** The key type of a collection that was not read. */
        public static final String NO_KEY = "-";

        /** A collection without imported documents. */
        static CollectionSummary nothing(String collection, String table, String why, List<String> notes) {
            return new CollectionSummary(
                    collection,
                    table,
                    NO_KEY,
                    0,
                    0,
                    0,
                    0,
                    Map.of(),
                    Map.of(),
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    null,
                    why,
                    notes,
                    List.of());
        }

        /** This with the names of a cluster's nodes instead of the numbers that its messages give. */
        CollectionSummary named(Map<String, String> nodeNames) {
            return Records.with(
                    Records.with(this, "fault", ServerErrors.withNodes(fault, nodeNames)),
                    "notes",
                    notes.stream()
                            .map(note -> ServerErrors.withNodes(note, nodeNames))
                            .toList());
        }

        public long rejected() {
            return rejects.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * One of several dumps.
     *
     * @param dump its path
     * @param collections number of collections
     * @param bsonBytes size of the documents
     * @param whole whether every document was read and every table finished
     */
    public record DumpSummary(
            String dump, int collections, long documents, long rows, long rejects, long bsonBytes, boolean whole) {}

    /**
     * Creates a summary and computes its rates.
     *
     * @param byDump the collections of each of several dumps; otherwise empty
     */
    static ImportSummary of(
            List<CollectionSummary> collections,
            Map<String, String> leftOut,
            Map<String, List<DumpCollection>> byDump,
            double seconds,
            double afterSeconds,
            double readSeconds,
            double convertSeconds,
            double waitSeconds) {
        List<DumpSummary> dumps = new ArrayList<>();
        byDump.forEach((dump, of) -> {
            List<String> names = of.stream().map(DumpCollection::namespace).toList();
            List<CollectionSummary> mine = collections.stream()
                    .filter(c -> names.contains(c.collection()))
                    .toList();
            dumps.add(new DumpSummary(
                    dump,
                    of.size(),
                    sum(mine, CollectionSummary::documents),
                    sum(mine, CollectionSummary::rows),
                    sum(mine, CollectionSummary::rejected),
                    sum(mine, CollectionSummary::bsonBytes),
                    mine.stream().allMatch(c -> c.fault().isEmpty())));
        });
        return new ImportSummary(
                collections,
                leftOut,
                dumps,
                seconds,
                afterSeconds,
                sum(collections, CollectionSummary::rows) / seconds,
                sum(collections, CollectionSummary::loadedBytes) / 1e6 / seconds,
                readSeconds,
                convertSeconds,
                waitSeconds);
    }

    private static long sum(List<CollectionSummary> collections, ToLongFunction<CollectionSummary> count) {
        return collections.stream().mapToLong(count).sum();
    }

    public long rows() {
        return sum(collections, CollectionSummary::rows);
    }

    public long bsonBytes() {
        return sum(collections, CollectionSummary::bsonBytes);
    }

    public long rejected() {
        return sum(collections, CollectionSummary::rejected);
    }

    /** Whether every document was read and every table finished. */
    public boolean isWhole() {
        return collections.stream().allMatch(c -> c.fault().isEmpty());
    }
}
