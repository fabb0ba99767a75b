package io.pgstress.extra.indexes;

import io.pgstress.extra.indexes.Shapes.Kinds;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Values in metadata, which are Extended JSON: canonical since MongoDB 4.2, relaxed or the shell's before that. */
final class MetadataValues {
    private static final String DATE = "$date";
    private static final String INT = "$numberInt";
    private static final String LONG = "$numberLong";
    private static final String DOUBLE = "$numberDouble";
    private static final String DECIMAL = "$numberDecimal";
    private static final Set<String> NUMBERS = Set.of(INT, LONG, DOUBLE, DECIMAL);

    private static final Set<String> WRAPPERS = Set.of(
            INT,
            LONG,
            DOUBLE,
            DECIMAL,
            DATE,
            "$oid",
            "$binary",
            "$uuid",
            "$timestamp",
            "$regularExpression",
            "$symbol",
            "$code",
            "$minKey",
            "$maxKey",
            "$undefined",
            "$dbPointer");

    private MetadataValues() {}

    /** Whether the value is a document rather than the wrapper of a number, a date and so on. */
    static boolean isDocument(@Nullable Object value) {
        return value instanceof Map<?, ?> map
                && (map.isEmpty()
                        || !WRAPPERS.contains(
                                String.valueOf(map.keySet().iterator().next())));
    }

    /** The document's entries; none if the value is something else. */
    static Map<String, Object> document(@Nullable Object value) {
        Map<String, Object> entries = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map && isDocument(value)) {
            map.forEach((name, each) -> entries.put(String.valueOf(name), each));
        }
        return entries;
    }

    /** The number; null if the value is none. */
    static @Nullable Double number(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)
                || map.size() != 1
                || !NUMBERS.contains(String.valueOf(map.keySet().iterator().next()))) {
            return value instanceof Number n ? Double.valueOf(n.doubleValue()) : null;
        }
        Object inner = map.values().iterator().next();
        return inner instanceof Number n ? Double.valueOf(n.doubleValue()) : ofText(String.valueOf(inner));
    }

    /** The number that Extended JSON writes like this; null if it is none. */
    private static @Nullable Double ofText(String text) {
        return switch (text) {
            case "NaN" -> Double.valueOf(Double.NaN);
            case "Infinity" -> Double.valueOf(Double.POSITIVE_INFINITY);
            case "-Infinity" -> Double.valueOf(Double.NEGATIVE_INFINITY);
            default -> {
                try {
                    yield Double.valueOf(new BigDecimal(text).doubleValue());
                } catch (NumberFormatException e) {
                    yield null;
                }
            }
        };
    }

    /** Whether MongoDB takes the value for true: true, or a number that is not 0. */
    static boolean isTrue(@Nullable Object value) {
        Double number = number(value);
        return Boolean.TRUE.equals(value) || (number != null && number != 0);
    }

    /** The instant in milliseconds since 1970; null if the value is no date. */
    static @Nullable Long millis(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> map) || !map.containsKey(DATE)) {
            return null;
        }
        Object date = map.get(DATE);
        try {
            Double number = number(date);
            return number != null
                    ? Long.valueOf(number.longValue())
                    : Long.valueOf(Instant.parse(String.valueOf(date)).toEpochMilli());
        } catch (DateTimeException | ArithmeticException e) {
            return null;
        }
    }

    /** The value in the form that the import gives it: relaxed or canonical. */
    static @Nullable Object asImported(@Nullable Object value, boolean canonical) {
        Long millis = millis(value);
        if (millis != null) {
            return Map.of(
                    DATE,
                    !canonical && Kinds.isText(millis)
                            ? Instant.ofEpochMilli(millis).toString()
                            : Map.of(LONG, Long.toString(millis)));
        }
        Double number = number(value);
        if (number != null) {
            return canonical ? wrapped(value) : plain(value, number);
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> items = new ArrayList<>();
            list.forEach(each -> items.add(asImported(each, canonical)));
            return items;
        }
        if (isDocument(value)) {
            Map<String, @Nullable Object> entries = new LinkedHashMap<>();
            document(value).forEach((name, each) -> entries.put(name, asImported(each, canonical)));
            return entries;
        }
        return value;
    }

    private static @Nullable Object plain(@Nullable Object value, double number) {
        if (value instanceof Map<?, ?> map) {
            String text = String.valueOf(map.values().iterator().next());
            boolean decimal = map.containsKey(DECIMAL);
            return decimal || !Double.isFinite(number) ? value : new BigDecimal(text);
        }
        return value;
    }

    private static @Nullable Object wrapped(@Nullable Object value) {
        if (value instanceof Integer) {
            return Map.of(INT, value.toString());
        }
        return value instanceof Long
                ? Map.of(LONG, value.toString())
                : value instanceof Double d ? Map.of(DOUBLE, d.toString()) : value;
    }
}
