package io.pgstress.report;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.ErrorCount;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Several operations added up; times by adding their histograms, so no percentile is ever averaged. */
final class Totals {
    private Totals() {}

    /** @param kind the one kind of times that the sum has */
    static OperationResult of(Collection<OperationResult> parts, String kind) {
        Map<String, ErrorCount> errors = new TreeMap<>();
        for (OperationResult part : parts) {
            part.errors()
                    .forEach((state, e) ->
                            errors.merge(state, e, (a, b) -> new ErrorCount(a.count() + b.count(), a.sample())));
        }
        Latency latency = latency(parts, kind);
        return new OperationResult(
                sum(parts, OperationResult::ok),
                sum(parts, OperationResult::misses),
                sum(parts, OperationResult::duplicates),
                sum(parts, OperationResult::retries),
                sum(parts, OperationResult::late),
                sum(parts, OperationResult::unfinished),
                sum(parts, OperationResult::rows),
                errors,
                rate(parts, OperationResult::opsPerSecond),
                rate(parts, OperationResult::rowsPerSecond),
                Map.of(),
                latency == null ? Map.of() : Map.of(kind, latency));
    }

    /** The times of this kind of all of them; null where one of them came without its histogram. */
    static @Nullable Latency latency(Collection<OperationResult> parts, String kind) {
        LatencyHistogram sum = new LatencyHistogram();
        for (OperationResult part : parts) {
            Latency latency = part.latencyMicros().get(kind);
            if (latency == null) {
                continue;
            }
            if (latency.histogram() == null) {
                return null;
            }
            sum.add(latency.decoded());
        }
        return Latency.of(sum);
    }

    private static long sum(Collection<OperationResult> parts, ToLongFunction<OperationResult> figure) {
        return parts.stream().mapToLong(figure).sum();
    }

    private static double rate(Collection<OperationResult> parts, ToDoubleFunction<OperationResult> figure) {
        return parts.stream().mapToDouble(figure).sum();
    }
}
