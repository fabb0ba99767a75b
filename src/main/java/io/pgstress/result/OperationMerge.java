package io.pgstress.result;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.OperationResult.ErrorCount;
import io.pgstress.result.OperationResult.StatementResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Merges several operations into one. Histograms are added, so percentiles are never averaged. */
public final class OperationMerge {
    private OperationMerge() {}

    /** The sum; times are omitted if one of them has no histogram. */
    public static OperationResult of(Collection<OperationResult> parts) {
        Map<String, ErrorCount> errors = new TreeMap<>();
        for (OperationResult part : parts) {
            part.errors()
                    .forEach((state, e) ->
                            errors.merge(state, e, (a, b) -> new ErrorCount(a.count() + b.count(), a.sample())));
        }
        Map<String, Latency> times = new LinkedHashMap<>();
        byName(parts, OperationResult::latencyMicros).forEach((kind, latencies) -> {
            Latency sum = latency(latencies);
            if (sum != null) {
                times.put(kind, sum);
            }
        });
        Map<String, StatementResult> statements = new LinkedHashMap<>();
        byName(parts, OperationResult::statements).forEach((name, all) -> statements.put(name, statement(all)));
        return new OperationResult(
                sum(parts, OperationResult::ok),
                sum(parts, OperationResult::completed),
                sum(parts, OperationResult::misses),
                sum(parts, OperationResult::duplicates),
                sum(parts, OperationResult::retries),
                sum(parts, OperationResult::late),
                sum(parts, OperationResult::unfinished),
                sum(parts, OperationResult::rows),
                errors,
                rate(parts, OperationResult::opsPerSecond),
                rate(parts, OperationResult::rowsPerSecond),
                parts.stream().anyMatch(p -> p.megabytesPerSecond() != null)
                        ? rate(parts, p -> p.megabytesPerSecond() == null ? 0 : p.megabytesPerSecond())
                        : null,
                statements,
                times);
    }

    /** Merges maps of operations: those of the same name are added, in order of first appearance. */
    public static Map<String, OperationResult> byName(Collection<Map<String, OperationResult>> parts) {
        Map<String, OperationResult> merged = new LinkedHashMap<>();
        byName(parts, Function.identity()).forEach((name, all) -> merged.put(name, of(all)));
        return merged;
    }

    private static <P, V> Map<String, List<V>> byName(Collection<P> parts, Function<P, Map<String, V>> map) {
        Map<String, List<V>> byName = new LinkedHashMap<>();
        for (P part : parts) {
            map.apply(part)
                    .forEach((name, value) ->
                            byName.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
        }
        return byName;
    }

    private static StatementResult statement(List<StatementResult> all) {
        return new StatementResult(
                all.get(0).sql(),
                sum(all, StatementResult::calls),
                sum(all, StatementResult::callsInAll),
                sum(all, StatementResult::rows),
                latency(all.stream().map(StatementResult::latencyMicros).toList()));
    }

    /** All times together; null if there are none or one of them has no histogram. */
    public static @Nullable Latency latency(Collection<? extends @Nullable Latency> parts) {
        List<? extends Latency> known = parts.stream().filter(Objects::nonNull).toList();
        if (known.isEmpty() || known.stream().anyMatch(l -> l.histogram() == null)) {
            return null;
        }
        LatencyHistogram sum = new LatencyHistogram();
        known.forEach(l -> sum.add(l.decoded()));
        return Latency.of(sum);
    }

    public static <T> long sum(Collection<T> parts, ToLongFunction<T> figure) {
        return parts.stream().mapToLong(figure).sum();
    }

    public static <T> double rate(Collection<T> parts, ToDoubleFunction<T> figure) {
        return parts.stream().mapToDouble(figure).sum();
    }
}
