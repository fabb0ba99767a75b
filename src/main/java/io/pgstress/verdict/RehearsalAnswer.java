package io.pgstress.verdict;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.ErrorCount;
import io.pgstress.result.RateSearch;
import io.pgstress.result.RateSearch.KeptLimit;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.Rehearsal.Answer;
import io.pgstress.result.Rehearsal.MissingIndex;
import io.pgstress.result.Rehearsal.ObservedTime;
import io.pgstress.result.Rehearsal.ProfilePart;
import io.pgstress.result.Rehearsal.RehearsedCollection;
import io.pgstress.result.Rehearsal.RehearsedOperation;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RemarkCode.Severity;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Validity;
import io.pgstress.text.Counted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers whether an application can run on the server, from what a rehearsal found. An answer of <em>go</em> rests on evidence for each
 * question: what was not found out is a remark. Single use.
 */
public final class RehearsalAnswer {
    // Some reasons for which a load is not valid are answers to the question of a rehearsal.

    /** The server is too slow. */
    private static final Set<RemarkCode> TOO_SLOW = EnumSet.of(RemarkCode.OVERLOAD, RemarkCode.P99_IS_LOWER_BOUND);

    /** Operations fail. */
    private static final Set<RemarkCode> FAILURES = EnumSet.of(
            RemarkCode.NO_SUCCESS,
            RemarkCode.NO_SUCCESS_OF,
            RemarkCode.NO_SUCCESS_OF_BEGUN,
            RemarkCode.TOO_MANY_FAILED,
            RemarkCode.BELOW_TARGET,
            RemarkCode.MOSTLY_IDLE,
            RemarkCode.OVERLOAD,
            RemarkCode.P99_IS_LOWER_BOUND);

    /** The server does not have what it acknowledged. */
    private static final Set<RemarkCode> LOST_WRITES = EnumSet.of(
            RemarkCode.UNLOGGED_ROWS_LOST,
            RemarkCode.INSERTS_MISSING,
            RemarkCode.ROWS_MISSING,
            RemarkCode.ROWS_SURPLUS,
            RemarkCode.ROWS_DIFFER,
            RemarkCode.IDS_DIFFER,
            RemarkCode.UPDATES_NOT_COUNTED,
            RemarkCode.UPDATES_MISSING,
            RemarkCode.WRITES_DISCARDED,
            RemarkCode.COUNTS_DIFFER,
            RemarkCode.ROWS_DISCARDED);

    /** Operations found or changed nothing. */
    private static final Set<RemarkCode> MISSED = EnumSet.of(RemarkCode.MISSES, RemarkCode.TOO_MANY_MISSES);

    /** Something else than the server was the limit. A full machine that the load generator shares with it is no such sign. */
    private static final Set<RemarkCode> NOT_OF_SERVER = EnumSet.of(
            RemarkCode.CLIENT_CPU,
            RemarkCode.GENERATOR_CEILING,
            RemarkCode.GENERATOR_IS_LIMIT,
            RemarkCode.OTHERS_FILLED_MACHINE,
            RemarkCode.CLIENT_HOST_FILLED);

    /** SQLSTATEs of lost connections and servers that stop: the operation is not their cause. */
    private static final Pattern NOT_OF_OPERATION = Pattern.compile("08.*|57P.*|client");

    /** An operation that fails more often than this share can hardly be used. */
    private static final double RARELY = 0.01;

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

    /** Whether operations of a load fail for reasons of their own, so that no rate means anything. */
    public static boolean hasFailing(RunResult load) {
        return load.operations().values().stream().anyMatch(each -> worstError(each) != null);
    }

    private Rehearsal judged() {
        RunResult load = rehearsal.load();
        rehearsal.collections().forEach(this::documents);
        rehearsal
                .collections()
                .forEach(collection ->
                        collection.missingIndexes().forEach(index -> because.add(missing(collection, index))));
        load.operations().forEach(this::fails);
        rehearsal.operations().stream()
                .filter(each -> each.readsAll() && missedBy(each).isEmpty())
                .forEach(each -> because.add(readsAll(each)));
        boolean hasFailing = hasFailing(load);
        boolean isOverloaded = !hasFailing && rehearsal.wasOverloaded();
        Set<RemarkCode> answers = EnumSet.copyOf(LOST_WRITES);
        answers.addAll(hasFailing ? FAILURES : isOverloaded ? TOO_SLOW : Set.of());
        List<Remark> reasons = new ArrayList<>(load.reasons().stream()
                .filter(each -> !answers.contains(each.code()))
                .toList());
        Remark rate = hasFailing ? null : rate(isOverloaded);
        if (reasons.isEmpty() && rate != null && rate.severity() == Severity.NO_GO && isServerInnocent()) {
            reasons.add(RemarkCode.SERVER_WAS_NOT_THE_LIMIT.remark());
        }
        if (reasons.isEmpty()) { // otherwise nothing follows from times and rates
            if (!hasFailing && !isOverloaded && isAtObservedRate()) {
                rehearsal.operations().forEach(this::slower);
            }
            Stream.ofNullable(rate).forEach(because::add);
        }
        load.reasons().stream()
                .filter(each -> LOST_WRITES.contains(each.code()))
                .map(each -> RemarkCode.ACKNOWLEDGED_WRITES_LOST
                        .with("evidence", each.clause())
                        .remark())
                .forEach(because::add);
        findNothing();
        notRehearsed();
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
                    .with("fields", difference.fields().isEmpty() ? null : String.join(", ", difference.fields()))
                    .with("command", difference.command())
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

    /** The most frequent error of an operation that is its own; null if there is none. */
    private static Map.@Nullable Entry<String, ErrorCount> worstError(OperationResult operation) {
        return operation.errors().entrySet().stream()
                .filter(each -> !NOT_OF_OPERATION.matcher(each.getKey()).matches())
                .max(Comparator.comparingLong(each -> each.getValue().count()))
                .orElse(null);
    }

    private void fails(String name, OperationResult operation) {
        Map.Entry<String, ErrorCount> error = worstError(operation);
        if (error != null) {
            long ended = operation.ok() + operation.misses() + operation.duplicates() + operation.failed();
            RemarkCode code = operation.failed() > RARELY * ended
                    ? RemarkCode.OPERATION_FAILS
                    : RemarkCode.OPERATION_FAILS_AT_TIMES;
            because.add(code.with("operation", name)
                    .with("failed", operation.failed())
                    .with("ended", ended)
                    .with("sqlstate", error.getKey())
                    .with("message", error.getValue().sample().replaceAll("\\R", " "))
                    .remark());
        }
    }

    /** A short load at a low rate may miss what the trials of the search have found. */
    private void findNothing() {
        Set<Object> told = new HashSet<>();
        Stream.concat(
                        rehearsal.load().remarks().stream(),
                        Stream.ofNullable(rehearsal.search()).flatMap(search -> search.remarks().stream()))
                .filter(each ->
                        MISSED.contains(each.code()) && told.add(each.figures().get("operation")))
                .forEach(each -> because.add(RemarkCode.OPERATION_FINDS_NOTHING
                        .with("evidence", each.clause())
                        .remark()));
    }

    /** What the application does, and the rehearsal did not. */
    private void notRehearsed() {
        ProfilePart profile = rehearsal.profile();
        if (profile == null) {
            because.add(RemarkCode.OPERATIONS_GUESSED.remark());
        } else {
            if (profile.untranslated() > 0) {
                because.add(RemarkCode.OPERATIONS_NOT_TRANSLATED
                        .with("entries", profile.untranslated())
                        .with("of", profile.entries())
                        .with("file", rehearsal.operationsFile())
                        .remark());
            }
            if (!profile.others().isEmpty()) {
                because.add(RemarkCode.COLLECTIONS_NOT_REHEARSED
                        .with(
                                "entries",
                                profile.others().values().stream()
                                        .mapToLong(n -> n)
                                        .sum())
                        .with("of", profile.entries())
                        .with("collections", Counted.first(profile.others().keySet(), ", "))
                        .remark());
            }
        }
        List<String> unrun = rehearsal.operations().stream()
                .map(RehearsedOperation::operation)
                .filter(name -> rehearsal.load().operations().containsKey(name) && !hasEnded(name))
                .toList();
        if (!unrun.isEmpty()) {
            because.add(RemarkCode.OPERATIONS_NOT_RUN
                    .with("operations", Counted.first(unrun, ", "))
                    .with("seconds", rehearsal.load().run().measuredSeconds())
                    .remark());
        }
        if (rehearsal.rate() == null) {
            because.add(RemarkCode.RATE_UNKNOWN.remark());
        }
    }

    /** Whether an operation ended in the load, with any outcome. */
    private boolean hasEnded(String name) {
        OperationResult of =
                Objects.requireNonNull(rehearsal.load().operations().get(name));
        return of.ok() + of.misses() + of.duplicates() + of.failed() > 0;
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

    /** What is against the rate that is needed; null if nothing is. */
    private @Nullable Remark rate(boolean isOverloaded) {
        RateSearch search = rehearsal.search();
        if (search == null) {
            return null;
        }
        Double rate = rehearsal.rate();
        Double highest = search.valid() ? search.rate() : null;
        String limit = search.limits().stream().map(KeptLimit::limit).collect(Collectors.joining(" and "));
        if (rate != null && isOverloaded) {
            return RemarkCode.RATE_NOT_REACHED
                    .with("served", rehearsal.load().total().opsPerSecond())
                    .with("rate", rate)
                    .with("observed", rate.equals(rehearsal.observedRate()) ? null : rehearsal.observedRate())
                    .with("limit", highest == null ? null : limit)
                    .with("highest", highest)
                    .remark();
        }
        if (isLimitBroken(search, rate)) {
            return RemarkCode.LIMIT_NOT_KEPT
                    .with("limit", limit)
                    .with("rate", rate)
                    .with("highest", highest)
                    .remark();
        }
        if (rate == null || isKeptAt(search, HEADROOM * rate)) {
            return null;
        }
        return highest == null || isServerInnocent()
                ? RemarkCode.HEADROOM_UNKNOWN.with("limit", limit).remark()
                : RemarkCode.LITTLE_HEADROOM
                        .with("limit", limit)
                        .with("highest", highest)
                        .with("times", highest / rate)
                        .with("rate", rate)
                        .remark();
    }

    /**
     * By the search, or if it found no rate, by the times of the load. If the search is valid, these contradict it by keeping the limit;
     * otherwise they have to exceed it by more than chance.
     */
    private boolean isLimitBroken(RateSearch search, @Nullable Double rate) {
        Double high = search.high();
        if (search.valid() && search.rate() != null) {
            return rate != null && high != null && high < rate;
        }
        Latency times = rehearsal.load().total().times();
        return times != null
                && !wasKeptAt(search, rate == null ? 0 : rate)
                && search.limits().stream()
                        .anyMatch(limit -> limit.micros() > 0
                                && (search.valid()
                                                ? times.decoded().micros(100 * (1 - limit.share())) / 1e3
                                                : lowestMillis(times.decoded(), 1 - limit.share()))
                                        > limit.micros() / 1e3);
    }

    /** By the rate that was confirmed, or if there is none, by any trial: what disturbs one does not make it faster. */
    private static boolean isKeptAt(RateSearch search, double rate) {
        Double highest = search.rate();
        return (search.valid() && highest != null) ? highest >= rate : wasKeptAt(search, rate);
    }

    private static boolean wasKeptAt(RateSearch search, double rate) {
        return search.tried().stream().anyMatch(each -> each.held() && each.complete() && each.rate() >= rate);
    }

    private boolean isServerInnocent() {
        return Stream.concat(
                        rehearsal.load().remarks().stream(),
                        Stream.ofNullable(rehearsal.search()).flatMap(search -> search.remarks().stream()))
                .anyMatch(each -> NOT_OF_SERVER.contains(each.code()));
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
