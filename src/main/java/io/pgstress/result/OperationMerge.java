package io.pgstress.result;

import io.pgstress.result.OperationResult.ErrorCount;
import io.pgstress.result.OperationResult.StatementResult;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Merges several operations into one. */
public final class OperationMerge {
    private OperationMerge() {}

    /** The sum; times are omitted if one of them has no histogram. */
    public static OperationResult of(Collection<OperationResult> operations) {
        return of(new Parts<>(operations));
    }

    private static OperationResult of(Parts<OperationResult> parts) {
        return new OperationResult(
                parts.sum(OperationResult::ok),
                parts.sum(OperationResult::completed),
                parts.sum(OperationResult::misses),
                parts.sum(OperationResult::duplicates),
                parts.sum(OperationResult::retries),
                parts.sum(OperationResult::late),
                parts.sum(OperationResult::unfinished),
                parts.sum(OperationResult::rows),
                new TreeMap<>(parts.byName(OperationResult::errors, OperationMerge::errors)),
                parts.rate(OperationResult::opsPerSecond),
                parts.rate(OperationResult::rowsPerSecond),
                parts.knownRate(OperationResult::megabytesPerSecond),
                parts.byName(OperationResult::statements, OperationMerge::statement),
                parts.byName(OperationResult::latencyMicros, times -> times.latency(Function.identity())));
    }

    /** Merges maps of operations; those with the same name are added up, in order of first appearance. */
    public static Map<String, OperationResult> byName(Collection<Map<String, OperationResult>> parts) {
        return new Parts<>(parts).byName(Function.identity(), OperationMerge::of);
    }

    private static ErrorCount errors(Parts<ErrorCount> parts) {
        return new ErrorCount(parts.sum(ErrorCount::count), parts.all().get(0).sample());
    }

    private static StatementResult statement(Parts<StatementResult> parts) {
        return new StatementResult(
                parts.all().get(0).sql(),
                parts.sum(StatementResult::calls),
                parts.sum(StatementResult::callsInAll),
                parts.sum(StatementResult::rows),
                parts.latency(StatementResult::latencyMicros));
    }
}
