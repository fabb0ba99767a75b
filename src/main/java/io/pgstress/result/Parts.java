package io.pgstress.result;

import io.pgstress.measure.LatencyHistogram;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Adds up parts of a result, such as nodes, intervals or hosts. Histograms are added, so percentiles are never averaged. */
public record Parts<P>(List<P> all) {
    public Parts(Collection<P> all) {
        this(List.copyOf(all));
    }

    public long sum(ToLongFunction<P> count) {
        return all.stream().mapToLong(count).sum();
    }

    public double rate(ToDoubleFunction<P> figure) {
        return all.stream().mapToDouble(figure).sum();
    }

    /** The sum where it is known; null if it is known nowhere. */
    public @Nullable Long knownSum(Function<P, @Nullable Long> count) {
        List<Long> known = all.stream().map(count).filter(Objects::nonNull).toList();
        return known.isEmpty()
                ? null
                : Long.valueOf(known.stream().mapToLong(Long::longValue).sum());
    }

    /** Likewise. */
    public @Nullable Double knownRate(Function<P, @Nullable Double> figure) {
        List<Double> known = all.stream().map(figure).filter(Objects::nonNull).toList();
        return known.isEmpty()
                ? null
                : Double.valueOf(known.stream().mapToDouble(Double::doubleValue).sum());
    }

    /** All times together; null if there are none, or if one has no histogram. */
    public @Nullable Latency latency(Function<P, @Nullable Latency> kind) {
        List<Latency> known = all.stream().map(kind).filter(Objects::nonNull).toList();
        if (known.isEmpty() || known.stream().anyMatch(l -> l.histogram() == null)) {
            return null;
        }
        LatencyHistogram sum = new LatencyHistogram();
        known.forEach(l -> sum.add(l.decoded()));
        return Latency.of(sum);
    }

    /** Values of equal names merged, in order of first appearance; names whose values cannot be merged (null) are omitted. */
    public <V> Map<String, V> byName(Function<P, Map<String, V>> map, Function<Parts<V>, @Nullable V> merge) {
        Map<String, List<V>> byName = new LinkedHashMap<>();
        for (P part : all) {
            map.apply(part)
                    .forEach((name, value) ->
                            byName.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
        }
        Map<String, V> merged = new LinkedHashMap<>();
        byName.forEach((name, values) -> {
            V sum = merge.apply(new Parts<>(values));
            if (sum != null) {
                merged.put(name, sum);
            }
        });
        return merged;
    }

    /** Counts of equal names added up. */
    public Map<String, Long> counts(Function<P, Map<String, Long>> map) {
        return byName(map, counts -> counts.sum(Long::longValue));
    }
}
