package io.pgstress.result;

import io.pgstress.text.Counted;
import io.pgstress.text.Inline;
import io.pgstress.text.Records;
import io.pgstress.text.Rounded;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The result of a rehearsal: whether an application that uses MongoDB can run on this server.
 *
 * @param kind {@value #KIND}, which distinguishes its JSON from the JSON of a run
 * @param because the reasons for the answer, in the order of harm
 * @param profile what part of the profile the operations are; null if they are guesses, because there is none
 * @param observedRate the rate of these operations in MongoDB; null if unknown
 * @param rate the rate that the server is to reach; null if unknown
 * @param operationsFile the file that {@code --operations} takes to run them again
 * @param notes what else was found in the dump
 * @param load the run at this rate, or of a closed loop if none is known
 * @param search the search for the highest rate; null if there was none, because operations fail
 * @param layouts null: they were not compared
 */
public record Rehearsal(
        @Inline Header header,
        String kind,
        Answer answer,
        List<Remark> because,
        @Nullable ProfilePart profile,
        @Nullable Double observedRate,
        @Nullable Double rate,
        List<RehearsedCollection> collections,
        List<RehearsedOperation> operations,
        String operationsFile,
        List<String> notes,
        RunResult load,
        @Nullable RateSearch search,
        @Nullable Layouts layouts,
        @Inline Validity validity)
        implements Result {
    public static final int SCHEMA = 1;
    public static final String KIND = "rehearsal";

    /** What the rehearsal answers. */
    public enum Answer {
        GO(
                "go",
                "All documents are equal, and the operations of the profile work here at the rate that is needed. Next, developers let the"
                        + " application use PostgreSQL's driver and try it here. The file of operations has these queries as SQL."),
        GO_WITH_REMARKS(
                "go with remarks",
                "Nothing here prevents the move. Next, decide about each remark, which says who can do something about it. Then try your"
                        + " application."),
        NO_GO(
                "no go",
                "Your application would not work here yet as it does with MongoDB. Next, do what each reason says, in this order, and"
                        + " rehearse again."),
        /** The load is not valid, and nothing else speaks against it. */
        UNKNOWN(
                "unknown",
                "The load was not valid, so its times and rates say nothing. Next, remove the cause, and run the same command with"
                        + " --resume.");

        private final String words;
        private final String next;

        Answer(String words, String next) {
            this.words = words;
            this.next = next;
        }

        /** The answer for people. */
        public String words() {
            return words;
        }
    }

    /**
     * What part of a profile the operations are.
     *
     * @param entries number of its entries
     * @param untranslated those whose operations could not be translated
     * @param others those of other collections
     */
    public record ProfilePart(long entries, long untranslated, Map<String, Long> others) {}

    /**
     * A collection, and the table that it became.
     *
     * @param rejects rejected documents by reason
     * @param bsonBytes size of the documents in MongoDB, uncompressed and without indexes
     * @param size of the table when it was imported
     * @param difference null if the table equals the documents
     * @param missingIndexes those of MongoDB that were not created
     */
    public record RehearsedCollection(
            String collection,
            String table,
            long documents,
            Map<String, Long> rejects,
            long bsonBytes,
            @Inline TableBytes size,
            @Nullable Difference difference,
            List<MissingIndex> missingIndexes) {
        public long rejected() {
            return rejects.values().stream().mapToLong(Long::longValue).sum();
        }

        /** Whether the table has all documents, and nothing else. */
        public boolean hasAllDocuments() {
            return difference == null && rejected() == 0;
        }
    }

    /**
     * The size of a table.
     *
     * @param heapBytes of its rows
     * @param toastBytes of the long values that are stored apart, and of the maps of free space
     */
    public record TableBytes(long heapBytes, long toastBytes, long indexBytes) {
        public long total() {
            return heapBytes + toastBytes + indexBytes;
        }
    }

    /**
     * Ways to store the documents.
     *
     * @param layouts the tables as they were imported first; only those that could matter
     * @param findings which one is faster and what it costs, or that none is, and why others were not tried
     * @param scenarioFile what {@code stress compare} takes to compare them again
     * @param comparison null if no other layout could matter
     */
    public record Layouts(
            List<Layout> layouts,
            List<Remark> findings,
            String scenarioFile,
            @Nullable Comparison comparison) {}

    /**
     * A way to store the documents.
     *
     * @param sql the statements that change the imported table so; values and rows that exist are stored so when they are written again
     * @param p99Micros the median of its blocks; null if they had too few operations
     * @param walBytesPerOperation null if unknown
     */
    public record Layout(
            String name,
            List<String> sql,
            @Inline TableBytes size,
            double opsPerSecond,
            @Nullable Double p99Micros,
            @Nullable Double walBytesPerOperation) {}

    /**
     * How a table differs from its documents.
     *
     * @param missing documents without a row
     * @param additional rows without a document
     * @param different rows that differ from their document
     * @param examples the first ids; empty if there are none
     * @param fields the first paths at which the first different rows differ; empty if none is known
     * @param command shows all that differs
     */
    public record Difference(
            long missing, long additional, long different, String examples, List<String> fields, String command) {}

    /**
     * An index of MongoDB that the table lacks.
     *
     * @param failed whether its creation failed; otherwise it has no counterpart
     * @param fields the paths in its key
     */
    public record MissingIndex(String index, String why, boolean failed, List<String> fields) {}

    /**
     * An operation.
     *
     * @param share of all operations, 0 to 1
     * @param median, p95 in MongoDB; null if unknown
     * @param fields the paths that it selects and sorts by, for which an index could help
     * @param scans how the server finds rows, such as {@code Index Scan}; empty if the plan does not show it
     * @param readsAll whether it reads a whole table, unlike MongoDB or although an index would help
     * @param index the statements that create the index with which the server would not do so; empty: none is known
     */
    public record RehearsedOperation(
            String operation,
            double share,
            @Nullable ObservedTime median,
            @Nullable ObservedTime p95,
            List<String> fields,
            List<String> scans,
            boolean readsAll,
            List<String> index) {}

    /**
     * A percentile of the durations in a profile, which are in whole milliseconds, rounded down.
     *
     * @param highestMillis the upper end of its 95% confidence interval; null: there are too few entries
     */
    public record ObservedTime(double millis, @Nullable Double highestMillis) {}

    @Override
    public boolean exceedsLimit() {
        return answer == Answer.NO_GO;
    }

    /** A copy with this judgement. */
    public Rehearsal judged(Answer found, List<Remark> reasons, Validity judged) {
        Rehearsal answered = Records.with(Records.with(this, "answer", found), "because", reasons);
        return Records.with(answered, "validity", judged);
    }

    /** A copy with another load. */
    public Rehearsal withLoad(RunResult other) {
        return Records.with(this, "load", other);
    }

    /** The answer with the number of its reasons. */
    public String headline() {
        long against = because.stream()
                .filter(remark -> remark.severity() == RemarkCode.Severity.NO_GO)
                .count();
        long others = because.size() - against;
        List<String> counts = Stream.of(
                        against == 0 ? "" : Counted.of(against, "reason"),
                        others == 0 ? "" : Counted.of(others, "remark"))
                .filter(words -> !words.isEmpty())
                .toList();
        return answer.words() + (counts.isEmpty() ? "" : " (" + String.join(", ", counts) + ")");
    }

    /** The answer, what was found in short, what to do next, then each reason, as sentences. */
    public List<String> verdict() {
        String words = headline();
        return Stream.concat(
                        Stream.of(
                                words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + ".",
                                summary(),
                                answer.next),
                        because.stream()
                                .map(remark ->
                                        (remark.severity() == RemarkCode.Severity.NO_GO ? "Reason: " : "Remark: ")
                                                + remark.sentences()))
                .toList();
    }

    /** What was found about data, indexes and speed. */
    private String summary() {
        long unequal =
                collections.stream().filter(each -> !each.hasAllDocuments()).count();
        long documents =
                collections.stream().mapToLong(RehearsedCollection::documents).sum();
        long missing = collections.stream()
                .mapToLong(each -> each.missingIndexes().size())
                .sum();
        return Rounded.format(
                "Data: %s. Indexes: %s. Speed: %s.",
                unequal == 0
                        ? Rounded.format("all %,d documents are equal", documents)
                        : unequal + " of " + Counted.of(collections.size(), "collection") + " differ",
                missing == 0 ? "none is missing" : missing + " missing",
                !valid()
                        ? "unknown"
                        : perSecond(load.total().opsPerSecond()) + (rate == null ? "" : " of " + perSecond(rate))
                                + " operations per second");
    }

    private static String perSecond(double operations) {
        return Rounded.format(operations < 100 ? "%,.1f" : "%,.0f", operations);
    }

    /** Whether the server did not keep up with the load. */
    public boolean wasOverloaded() {
        return load.reasons().stream().anyMatch(each -> each.code() == RemarkCode.OVERLOAD);
    }

    /**
     * The latency of an operation in the load; null if none succeeded. It is without the wait for its turn, as the times of a profile are,
     * unless the server was too slow for the load: then that wait is most of what a user waits for.
     */
    public @Nullable Latency times(String operation) {
        OperationResult found = load.operations().get(operation);
        return found == null
                ? null
                : wasOverloaded() ? found.times() : found.latencyMicros().get("total");
    }
}
