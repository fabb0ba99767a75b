package io.pgstress.result;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.text.Records;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Adds up parts of a result, such as hosts, nodes or blocks, component by component. Every number needs a {@link Rule}, because many must
 * not be added. Histograms are added where they are known, so that percentiles are never averaged. Maps are added by key, records by
 * component, sets are united; of anything else, the first counts. {@link By} marks the components that are added otherwise, and
 * {@link Addend} the records.
 */
public final class Sum {
    /** A record that adds itself. */
    public interface Addend<T> {
        T plus(T other);
    }

    /** How the values of a component are added. */
    enum Rule {
        /** Those that are known. */
        ADDED,
        FIRST,
        MAX,
        /** The caller replaces it: it follows from more than the values of the component. Until then, it is the first. */
        BY_CALLER,
        /** As usual, but null if one of them is. */
        ALL_KNOWN,
        /** Texts, each once. */
        JOINED,
        /** The items of lists, sorted. */
        SORTED,
        /** The items of lists with the same index, as far as all lists have them. */
        BY_INDEX
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    @interface By {
        Rule value();
    }

    private Sum() {}

    /**
     * @param parts at least one
     * @throws IllegalStateException if a number of the record has no rule
     */
    public static <R extends Record> R of(Collection<? extends R> parts) {
        R first = parts.iterator().next();
        return Records.make(
                first,
                component -> sum(
                        rule(component),
                        parts.stream()
                                .<@Nullable Object>map(part -> Records.value(part, component))
                                .toList()));
    }

    /** The rule of a component; null: as usual for its type. */
    static @Nullable Rule rule(RecordComponent component) {
        By by = component.getAnnotation(By.class);
        Class<?> type = component.getType();
        boolean isNumber = Number.class.isAssignableFrom(type) || (type.isPrimitive() && type != boolean.class);
        if (by == null && isNumber) {
            throw new IllegalStateException(component + " has no rule by which it is added up");
        }
        return by == null ? null : by.value();
    }

    /** The values of equal keys added, in order of first appearance; keys whose values cannot be added are omitted. */
    public static <V> Map<String, V> byName(Collection<? extends Map<String, V>> maps) {
        Map<String, List<V>> byName = new LinkedHashMap<>();
        maps.forEach(map -> map.forEach((name, value) ->
                byName.computeIfAbsent(name, n -> new ArrayList<>()).add(value)));
        Map<String, V> sums = new LinkedHashMap<>();
        byName.forEach((name, values) -> {
            V sum = usual(values);
            if (sum != null) {
                sums.put(name, sum);
            }
        });
        return sums;
    }

    /** All times together; null if there are none, or if one has no histogram. */
    public static @Nullable Latency latency(Stream<? extends @Nullable Latency> parts) {
        List<Latency> known = parts.flatMap(Stream::<Latency>ofNullable).toList();
        if (known.isEmpty() || known.stream().anyMatch(l -> l.histogram() == null)) {
            return null;
        }
        if (known.size() == 1) {
            return known.get(0);
        }
        LatencyHistogram sum = new LatencyHistogram();
        known.forEach(l -> sum.add(l.decoded()));
        return Latency.of(sum);
    }

    /** The sum of the known ones; null if there are none. */
    public static <A extends Addend<A>> @Nullable A known(Stream<? extends @Nullable A> parts) {
        return parts.flatMap(Stream::<A>ofNullable).reduce(Addend::plus).orElse(null);
    }

    /** The sum of the known ones; null if both are unknown. */
    static @Nullable Long known(@Nullable Long a, @Nullable Long b) {
        return a == null ? b : b == null ? a : Long.valueOf(a + b);
    }

    /** The sum of the known ones; null if both are unknown. */
    static @Nullable Double known(@Nullable Double a, @Nullable Double b) {
        return a == null ? b : b == null ? a : Double.valueOf(a + b);
    }

    private static @Nullable Object sum(@Nullable Rule rule, List<? extends @Nullable Object> all) {
        List<Object> values = all.stream().flatMap(Stream::<Object>ofNullable).toList();
        if (values.isEmpty() || (rule == Rule.ALL_KNOWN && values.size() < all.size())) {
            return null;
        }
        if (rule == null) {
            return usual(values);
        }
        return switch (rule) {
            case FIRST, BY_CALLER -> values.get(0);
            case MAX -> Sum.<Comparable<Object>>reduced(values, (a, b) -> a.compareTo(b) >= 0 ? a : b);
            case ADDED, ALL_KNOWN -> usual(values);
            case JOINED -> values.stream().map(Object::toString).distinct().collect(Collectors.joining(" / "));
            case SORTED -> lists(values).stream().flatMap(List::stream).sorted().toList();
            case BY_INDEX -> byIndex(lists(values));
        };
    }

    private static List<@Nullable Object> byIndex(List<List<Object>> lists) {
        int common = lists.stream().mapToInt(List::size).min().orElse(0);
        return IntStream.range(0, common)
                .<@Nullable Object>mapToObj(index ->
                        usual(lists.stream().map(list -> list.get(index)).toList()))
                .toList();
    }

    /** @param values at least one, all of one class */
    @SuppressWarnings("unchecked")
    private static <V> @Nullable V usual(List<V> values) {
        V first = values.get(0);
        Object sum = first;
        if (first instanceof Long) {
            sum = Sum.<Long>reduced(values, Long::sum);
        } else if (first instanceof Integer) {
            sum = Sum.<Integer>reduced(values, Integer::sum);
        } else if (first instanceof Double) {
            sum = values.stream().mapToDouble(Double.class::cast).sum();
        } else if (first instanceof Latency) {
            sum = latency(values.stream().map(Latency.class::cast));
        } else if (first instanceof Map) {
            sum = byName((List<Map<String, Object>>) values);
        } else if (first instanceof Set) {
            sum = new TreeSet<>(
                    values.stream().flatMap(set -> ((Set<?>) set).stream()).toList());
        } else if (first instanceof Addend) {
            sum = Sum.<Addend<Object>>reduced(values, (a, b) -> (Addend<Object>) a.plus(b));
        } else if (first instanceof Record) {
            sum = of((List<Record>) values);
        }
        return (V) sum;
    }

    @SuppressWarnings("unchecked")
    private static <T> T reduced(List<?> values, BinaryOperator<T> plus) {
        return ((List<T>) values).stream().reduce(plus).orElseThrow();
    }

    @SuppressWarnings("unchecked")
    private static List<List<Object>> lists(List<Object> values) {
        return (List<List<Object>>) (List<?>) values;
    }
}
