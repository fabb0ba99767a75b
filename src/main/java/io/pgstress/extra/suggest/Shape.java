package io.pgstress.extra.suggest;

import io.pgstress.extra.BsonValues;
import io.pgstress.extra.Untranslatable;
import io.pgstress.extra.suggest.Filter.Condition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An operation without its values. Operations with equal shapes are one operation of the suggested load. */
sealed interface Shape {
    /** The documents that it concerns. */
    Filter filter();

    /** The order in which it takes them; empty: none. */
    default List<SortKey> sort() {
        return List.of();
    }

    /**
     * The key of an index that would serve it, and whether each field is in descending order: the fields that it compares for equality,
     * then those that it sorts by, then its ranges; or only {@code _id}, if it has one. Empty if none can.
     */
    default Map<String, Boolean> indexKey() {
        Map<String, Boolean> key = new LinkedHashMap<>();
        List<Filter> required = filter().required();
        for (Filter each : required) {
            if (each instanceof Filter.Element element) {
                key.put(element.path(), false);
            } else if (each instanceof Filter.Field field && isEquality(field.condition())) {
                key.put(field.path(), false);
            }
        }
        if (filter().pins("_id")) {
            return Map.of("_id", false);
        }
        sort().forEach(each -> key.putIfAbsent(each.path(), each.descending()));
        for (Filter each : required) {
            if (each instanceof Filter.Field field && field.condition() instanceof Condition.Range) {
                key.putIfAbsent(field.path(), false);
            }
        }
        key.remove("");
        return key;
    }

    private static boolean isEquality(Condition condition) {
        return condition == Condition.Plain.EQUAL
                || condition instanceof Condition.Contains
                || (condition instanceof Condition.In in && !in.negated());
    }

    /**
     * A query.
     *
     * @param limit the most rows; 0: all
     * @param skip rows to leave out, rounded up to a power of two; 0: none
     */
    record Find(Filter filter, List<SortKey> sort, int limit, int skip, Projection projection) implements Shape {
        public Find {
            sort = List.copyOf(sort);
        }
    }

    /**
     * A count.
     *
     * @param limit the most rows counted; 0: all
     */
    record Count(Filter filter, int limit) implements Shape {}

    /** The distinct values at a path. */
    record Distinct(Filter filter, String path) implements Shape {}

    /**
     * Totals per group.
     *
     * @param keys the fields to group by; empty: one group
     * @param limit the most groups, those with the greatest number of rows; 0: all
     */
    record Group(Filter filter, List<String> keys, List<Total> totals, int limit) implements Shape {
        public Group {
            keys = List.copyOf(keys);
            totals = List.copyOf(totals);
        }
    }

    /** A total of a group: a function ({@code count}, {@code sum}, {@code avg}, {@code min}, {@code max}) of a field. */
    record Total(String function, String path) {}

    /**
     * An update.
     *
     * @param changes empty: the whole document is replaced
     * @param many whether it concerns all documents of the filter
     * @param sort which one comes first, unless {@code many}
     */
    record Update(Filter filter, List<Change> changes, boolean many, boolean upserts, List<SortKey> sort)
            implements Shape {
        public Update {
            changes = List.copyOf(changes);
            sort = List.copyOf(sort);
        }
    }

    /** A deletion. */
    record Delete(Filter filter, boolean many, List<SortKey> sort) implements Shape {
        public Delete {
            sort = List.copyOf(sort);
        }
    }

    /**
     * An insertion.
     *
     * @param documents how many at once, rounded up to a power of two
     */
    record Insert(int documents) implements Shape {
        @Override
        public Filter filter() {
            return Filter.everything();
        }
    }

    /** A field to sort by. */
    public record SortKey(String path, boolean descending) {
        /** The fields of a sort document; throws {@link Untranslatable} for a sort by score. */
        static List<SortKey> read(@Nullable Object sort) {
            List<SortKey> keys = new ArrayList<>();
            for (Map.Entry<String, Object> each : BsonValues.map(sort).entrySet()) {
                if (!BsonValues.kind(each.getValue()).equals("number")
                        || each.getKey().startsWith("$")) {
                    throw new Untranslatable("a sort by something other than fields");
                }
                keys.add(new SortKey(each.getKey(), BsonValues.isNegative(each.getValue())));
            }
            return List.copyOf(keys);
        }
    }

    /**
     * The fields that a query returns.
     *
     * @param only these; empty: all
     * @param without all but these, if {@code only} is empty
     * @param hasExpressions whether it computes fields, which is not translated
     */
    public record Projection(List<String> only, List<String> without, boolean hasExpressions) {
        /** The whole document. */
        public static final Projection WHOLE = new Projection(List.of(), List.of(), false);

        public Projection {
            only = List.copyOf(only);
            without = List.copyOf(without);
        }

        static Projection read(@Nullable Object projection) {
            List<String> only = new ArrayList<>();
            List<String> without = new ArrayList<>();
            for (Map.Entry<String, Object> each : BsonValues.map(projection).entrySet()) {
                String kind = BsonValues.kind(each.getValue());
                if ((!kind.equals("number") && !kind.equals("boolean"))
                        || each.getKey().contains("$")) {
                    return new Projection(List.of(), List.of(), true);
                }
                (BsonValues.isTrue(each.getValue()) ? only : without).add(each.getKey());
            }
            return new Projection(only, only.isEmpty() ? without : List.of(), false);
        }
    }

    /**
     * A change of one field.
     *
     * @param path the field
     * @param value the type of the new value
     * @param count number of values; 1 except for arrays that get several
     */
    public record Change(String path, Kind kind, Made value, int count) {
        /** What is done to the field. */
        public enum Kind {
            SET,
            /** Set to the current time. */
            NOW,
            ADD,
            SUBTRACT,
            MULTIPLY,
            /** Set if the new value is smaller. */
            MIN,
            /** Set if the new value is greater. */
            MAX,
            UNSET,
            PUSH,
            ADD_TO_SET,
            PULL,
            POP_FIRST,
            POP_LAST
        }

        /**
         * The type of a value.
         *
         * @param kind as {@link BsonValues#kind} returns it
         * @param size characters of a string, rounded up to a power of two; otherwise 0
         */
        public record Made(String kind, int size) {
            static final Made NOTHING = new Made("null", 0);

            static Made of(@Nullable Object value) {
                return new Made(
                        BsonValues.kind(value), value instanceof String text ? Condition.rounded(text.length()) : 0);
            }
        }
    }
}
