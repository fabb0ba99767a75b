package io.pgstress.verdict;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.Latency;
import io.pgstress.result.RateSearch;
import io.pgstress.result.RateSearch.KeptLimit;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.Rehearsal.Answer;
import io.pgstress.result.Rehearsal.MissingIndex;
import io.pgstress.result.Rehearsal.ObservedTime;
import io.pgstress.result.Rehearsal.RehearsedCollection;
import io.pgstress.result.Rehearsal.RehearsedOperation;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RemarkCode.Severity;
import io.pgstress.result.Result;
import io.pgstress.result.Validity;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers whether an application can run on the server, from what a rehearsal found. Single use. */
public final class RehearsalAnswer {
    /** The load is not valid for these reasons because the server is too slow, which is an answer. */
    private static final Set<RemarkCode> TOO_SLOW = EnumSet.of(RemarkCode.OVERLOAD, RemarkCode.P99_IS_LOWER_BOUND);

    /** The server does not have what it acknowledged. */
    private static final Set<RemarkCode> LOST_WRITES = EnumSet.of(
            RemarkCode.UNLOGGED_ROWS_LOST,
            RemarkCode.INSERTS_MISSING,
            RemarkCode.DELETED_ROWS_LEFT,
            RemarkCode.ROWS_MISSING,
            RemarkCode.ROWS_SURPLUS,
            RemarkCode.ROWS_DIFFER,
            RemarkCode.IDS_DIFFER,
            RemarkCode.UPDATES_NOT_COUNTED,
            RemarkCode.UPDATES_MISSING,
            RemarkCode.WRITES_DISCARDED,
            RemarkCode.COUNTS_DIFFER,
            RemarkCode.ROWS_DISCARDED);

    /** The load generator itself is full. A full machine that it shares with the server is no such sign. */
    private static final Set<RemarkCode> OF_GENERATOR = EnumSet.of(RemarkCode.CLIENT_CPU, RemarkCode.GENERATOR_CEILING);

    /** Less than this many times the rate is no reserve for a peak. */
    private static final double HEADROOM = 1.2;

    /** Times of another rate cannot be compared. */
    private static final double SAME_RATE = 1.1;

    /** Operations that looked at a greater share of the documents in MongoDB read everything there too. */
    private static final double ALL_IN_MONGODB = 0.5;

    /** Of the normal distribution, for a 95% confidence interval. */
    private static final double Z = 1.96;

    private final Rehearsal rehearsal;
    private final List<Remark> because = new ArrayList<>();

    private RehearsalAnswer(Rehearsal rehearsal) {
        this.rehearsal = rehearsal;
    }

    /** The rehearsal with its answer, the reasons for it, and its validity. */
    public static Rehearsal judged(Rehearsal rehearsal) {
        return new RehearsalAnswer(rehearsal).judged();
    }

    private Rehearsal judged() {
        rehearsal.collections().forEach(this::documents);
        rehearsal
                .collections()
                .forEach(collection ->
                        collection.missingIndexes().forEach(index -> because.add(missing(collection, index))));
        rehearsal.operations().stream()
                .filter(each -> each.readsAll() && missedBy(each).isEmpty())
                .forEach(each -> because.add(readsAll(each)));
        boolean isOverloaded = hasReason(RemarkCode.OVERLOAD);
        List<Remark> reasons = new ArrayList<>(rehearsal.load().reasons().stream()
                .filter(each -> !LOST_WRITES.contains(each.code()) && !(isOverloaded && TOO_SLOW.contains(each.code())))
                .toList());
        Remark rate = rate(isOverloaded);
        if (rate != null && rate.severity() == Severity.NO_GO && isGeneratorFull()) {
            reasons.add(RemarkCode.CLIENT_LIMITED_REHEARSAL.remark());
        }
        if (reasons.isEmpty()) { // otherwise nothing follows from times and rates
            if (!isOverloaded && isAtObservedRate()) {
                rehearsal.operations().forEach(this::slower);
            }
            Stream.ofNullable(rate).forEach(because::add);
        }
        rehearsal.load().reasons().stream()
                .filter(each -> LOST_WRITES.contains(each.code()))
                .map(each -> RemarkCode.ACKNOWLEDGED_WRITES_LOST
                        .with("evidence", each.clause())
                        .remark())
                .forEach(because::add);
        return rehearsal.judged(
                answer(reasons.isEmpty()), List.copyOf(because), new Validity(reasons.isEmpty(), reasons, warnings()));
    }

    private Answer answer(boolean isValid) {
        boolean isNoGo = because.stream().anyMatch(remark -> remark.severity() == Severity.NO_GO);
        return isNoGo
                ? Answer.NO_GO
                : !isValid ? Answer.UNKNOWN : because.isEmpty() ? Answer.GO : Answer.GO_WITH_REMARKS;
    }

    private void documents(RehearsedCollection of) {
        Rehearsal.Difference difference = of.difference();
        if (difference != null) {
            because.add(RemarkCode.DOCUMENTS_DIFFER
                    .with("table", of.table())
                    .with("missing", difference.missing())
                    .with("additional", difference.additional())
                    .with("different", difference.different())
                    .with("examples", difference.examples().isEmpty() ? null : difference.examples())
                    .remark());
        }
        if (of.rejected() > 0) {
            because.add(RemarkCode.DOCUMENTS_REJECTED
                    .with("rejected", of.rejected())
                    .with("collection", of.collection())
                    .with("why", of.rejects().keySet().stream().sorted().collect(Collectors.joining(", ")))
                    .remark());
        }
    }

    private Remark missing(RehearsedCollection of, MissingIndex index) {
        List<String> missing = rehearsal.operations().stream()
                .filter(each -> each.readsAll() && isServedBy(each, index))
                .map(RehearsedOperation::operation)
                .toList();
        String operations = missing.isEmpty() ? null : String.join(", ", missing);
        RemarkCode code = index.failed() ? RemarkCode.INDEX_NOT_CREATED : RemarkCode.INDEX_WITHOUT_COUNTERPART;
        return code.with("index", index.index())
                .with("table", of.table())
                .with("why", index.why())
                .with("operations", operations)
                .remark();
    }

    /** The missing indexes that would serve an operation. */
    private List<MissingIndex> missedBy(RehearsedOperation operation) {
        return rehearsal.collections().stream()
                .filter(each -> each.table().equals(rehearsal.dataset().table()))
                .flatMap(each -> each.missingIndexes().stream())
                .filter(index -> isServedBy(operation, index))
                .toList();
    }

    private static boolean isServedBy(RehearsedOperation operation, MissingIndex index) {
        return !index.fields().isEmpty()
                && operation.fields().contains(index.fields().get(0));
    }

    private static Remark readsAll(RehearsedOperation operation) {
        return RemarkCode.READS_WHOLE_TABLE
                .with("operation", operation.operation())
                .with("sql", operation.index().isEmpty() ? null : String.join("; ", operation.index()))
                .remark();
    }

    /** Whether an operation that reads a whole table does so unlike MongoDB, for which no index helps here. */
    public static boolean looksAtFewInMongo(@Nullable Double examined, long rows) {
        return examined != null && examined < ALL_IN_MONGODB * rows;
    }

    private boolean hasReason(RemarkCode code) {
        return rehearsal.load().reasons().stream().anyMatch(each -> each.code() == code);
    }

    private boolean isAtObservedRate() {
        Double rate = rehearsal.rate();
        Double observed = rehearsal.observedRate();
        return rate != null && (observed == null || rate <= SAME_RATE * observed);
    }

    /** Compares the median, and if that is not slower the p95. */
    private void slower(RehearsedOperation operation) {
        Latency latency = rehearsal.times(operation.operation());
        if (latency != null) {
            LatencyHistogram times = latency.decoded();
            slower("median", 0.5, times, operation, operation.median())
                    .or(() -> slower("p95", 0.95, times, operation, operation.p95()))
                    .ifPresent(because::add);
        }
    }

    /** MongoDB rounds durations down to whole milliseconds, so that the true one may be up to one longer. */
    private static Optional<Remark> slower(
            String figure,
            double share,
            LatencyHistogram times,
            RehearsedOperation operation,
            @Nullable ObservedTime observed) {
        Double highest = observed == null ? null : observed.highestMillis();
        if (observed == null || highest == null || lowestMillis(times, share) <= highest + 1) {
            return Optional.empty();
        }
        return Optional.of(RemarkCode.SLOWER_THAN_MONGODB
                .with("figure", figure)
                .with("operation", operation.operation())
                .with("millis", times.micros(100 * share) / 1e3)
                .with("mongoMillis", observed.millis())
                .remark());
    }

    /** The lower end of the 95% confidence interval of a percentile, by the ranks of ordered values. */
    private static double lowestMillis(LatencyHistogram times, double share) {
        double count = times.count();
        double rank = Math.floor(count * share - Z * Math.sqrt(count * share * (1 - share)));
        return rank < 1 ? 0 : times.micros(100 * rank / count) / 1e3;
    }

    private @Nullable Remark rate(boolean isOverloaded) {
        Double rate = rehearsal.rate();
        if (rate == null) {
            return null;
        }
        RateSearch found = rehearsal.search();
        RateSearch search = found != null && found.valid() ? found : null;
        Double highest = search == null ? null : search.rate();
        String limit = search == null
                ? null
                : search.limits().stream().map(KeptLimit::limit).collect(Collectors.joining(" and "));
        if (isOverloaded) {
            return RemarkCode.RATE_NOT_REACHED
                    .with("served", rehearsal.load().total().opsPerSecond())
                    .with("rate", rate)
                    .with("limit", highest == null ? null : limit)
                    .with("highest", highest)
                    .remark();
        }
        if (search == null || limit == null) {
            return null;
        }
        Double high = search.high();
        if (highest == null || (high != null && high < rate)) {
            return RemarkCode.LIMIT_NOT_KEPT
                    .with("limit", limit)
                    .with("rate", rate)
                    .with("highest", highest)
                    .remark();
        }
        return highest >= HEADROOM * rate
                ? null
                : RemarkCode.LITTLE_HEADROOM
                        .with("limit", limit)
                        .with("highest", highest)
                        .with("times", highest / rate)
                        .with("rate", rate)
                        .remark();
    }

    private boolean isGeneratorFull() {
        return Stream.concat(
                        rehearsal.load().remarks().stream(),
                        Stream.ofNullable(rehearsal.search()).flatMap(search -> search.remarks().stream()))
                .anyMatch(each -> OF_GENERATOR.contains(each.code()));
    }

    /** The warnings of the load, and why the highest rate or the comparison of layouts is not valid. */
    private List<Remark> warnings() {
        Stream<Result> others = Stream.concat(
                Stream.ofNullable(rehearsal.search()),
                Stream.ofNullable(rehearsal.layouts()).flatMap(layouts -> Stream.ofNullable(layouts.comparison())));
        return Remark.distinct(Stream.concat(
                        rehearsal.load().warnings().stream(),
                        others.flatMap(other -> other.reasons().stream()).map(Remark::asWarning))
                .toList());
    }
}
