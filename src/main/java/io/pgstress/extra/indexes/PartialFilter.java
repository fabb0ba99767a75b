package io.pgstress.extra.indexes;

import io.pgstress.extra.indexes.IndexPlan.Untranslatable;
import io.pgstress.extra.indexes.Shapes.Kinds;
import io.pgstress.text.Json;
import io.pgstress.text.Quoting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Translates a partial filter expression. MongoDB allows equality, {@code $exists: true}, comparisons, {@code $type}, {@code
 * $and}, and since 6.0 {@code $or} and {@code $in}. A comparison in MongoDB is true only for values of the operand's type; in
 * jsonb, types have an order. For an index that is not unique the type is therefore left out: a few rows more are in it, and a
 * query needs no condition on the type to use it.
 */
final class PartialFilter {
    private static final Map<String, String> COMPARISONS = Map.of("$gt", ">", "$gte", ">=", "$lt", "<", "$lte", "<=");

    private final Shapes shapes;
    private final boolean canonical;
    private final boolean exact;

    /** @param exact whether the rows must be exactly those of MongoDB's index */
    PartialFilter(Shapes shapes, boolean canonical, boolean exact) {
        this.shapes = shapes;
        this.canonical = canonical;
        this.exact = exact;
    }

    /** The paths of the fields in a filter. */
    static Set<String> paths(Map<String, Object> filter) {
        Set<String> paths = new LinkedHashSet<>();
        filter.forEach((name, value) -> {
            if (!name.startsWith("$")) {
                paths.add(name);
            } else if (value instanceof List<?> list) {
                list.forEach(each -> paths.addAll(paths(MetadataValues.document(each))));
            }
        });
        return paths;
    }

    /** The condition. */
    String condition(Map<String, Object> filter) throws Untranslatable {
        List<String> all = new ArrayList<>();
        for (Map.Entry<String, Object> each : filter.entrySet()) {
            String name = each.getKey();
            if (name.equals("$and") || name.equals("$or")) {
                all.add(joined(name, each.getValue()));
            } else if (name.startsWith("$")) {
                throw unknown(name);
            } else {
                all.add(field(shapes.field(name), each.getValue()));
            }
        }
        return String.join(" and ", all);
    }

    private static Untranslatable unknown(String operator) {
        return new Untranslatable("its filter has " + operator + ", which has no counterpart");
    }

    private String joined(String operator, @Nullable Object value) throws Untranslatable {
        List<String> each = new ArrayList<>();
        for (Object condition : value instanceof List<?> list ? list : List.of()) {
            each.add(condition(MetadataValues.document(condition)));
        }
        if (each.isEmpty()) {
            throw unknown(operator);
        }
        return operator.equals("$or") ? "((" + String.join(") or (", each) + "))" : String.join(" and ", each);
    }

    private String field(IndexedField field, @Nullable Object value) throws Untranslatable {
        Map<String, Object> operators = MetadataValues.document(value);
        if (operators.keySet().stream().noneMatch(name -> name.startsWith("$"))) {
            return equal(field, value);
        }
        List<String> all = new ArrayList<>();
        for (Map.Entry<String, Object> each : operators.entrySet()) {
            all.add(operator(field, each.getKey(), each.getValue()));
        }
        return String.join(" and ", all);
    }

    private String operator(IndexedField field, String name, @Nullable Object value) throws Untranslatable {
        return switch (name) {
            case "$eq" -> equal(field, value);
            case "$exists" -> exists(field, MetadataValues.isTrue(value));
            case "$type" -> new TypeCondition(field, canonical, exact).of(value);
            case "$in" -> in(field, value);
            default -> compare(field, name, value);
        };
    }

    private static String exists(IndexedField field, boolean exists) throws Untranslatable {
        if (field.isInElements()) {
            throw new Untranslatable("its filter has $exists of elements of an array (" + field.path() + ")");
        }
        return field.json() + (exists ? " is not null" : " is null");
    }

    private String equal(IndexedField field, @Nullable Object value) throws Untranslatable {
        if (value == null && field.isInElements()) {
            throw new Untranslatable("its filter compares elements of an array with null (" + field.path() + ")");
        }
        if (value == null) {
            return "(" + field.json() + " is null or " + field.json() + " = 'null'::jsonb)";
        }
        Object imported = MetadataValues.asImported(value, canonical);
        int array = field.arrayAfter();
        if (array == 0) {
            return field.json() + " = " + jsonb(imported);
        }
        boolean whole = array == field.names().size() && !(imported instanceof Map);
        return field.json(array) + " @> " + (whole ? jsonb(imported) : jsonb(inArray(field, imported)));
    }

    /** The value as an element of the first array on the path. */
    private static Object inArray(IndexedField field, @Nullable Object value) {
        Object nested = value == null ? "" : value;
        List<String> inner =
                field.names().subList(field.arrayAfter(), field.names().size());
        for (int i = inner.size() - 1; i >= 0; i--) {
            Map<String, Object> outer = new LinkedHashMap<>();
            outer.put(inner.get(i), nested);
            nested = outer;
        }
        return List.of(nested);
    }

    private String in(IndexedField field, @Nullable Object values) throws Untranslatable {
        List<String> each = new ArrayList<>();
        for (Object value : values instanceof List<?> list ? list : List.of()) {
            each.add(equal(field, value));
        }
        if (each.isEmpty()) {
            throw unknown("an empty $in");
        }
        return each.size() == 1 ? each.get(0) : "(" + String.join(" or ", each) + ")";
    }

    private String compare(IndexedField field, String name, @Nullable Object value) throws Untranslatable {
        String operator = COMPARISONS.get(name);
        if (operator == null) {
            throw unknown(name);
        }
        if (field.isMultikey()) {
            throw new Untranslatable("its filter compares the elements of an array (" + field.path() + ")");
        }
        Long millis = MetadataValues.millis(value);
        if (millis != null) {
            return compareDate(field, operator, millis);
        }
        if (canonical && MetadataValues.number(value) != null) {
            throw new Untranslatable("its filter compares numbers, which canonical Extended JSON stores as text");
        }
        Object imported = MetadataValues.asImported(value, false);
        if (imported == null || imported instanceof Map || imported instanceof List) {
            throw new Untranslatable("its filter compares " + field.path() + " with a value whose order jsonb lacks");
        }
        String type = imported instanceof Number ? "number" : imported instanceof String ? "string" : "boolean";
        String condition = field.json() + " " + operator + " " + jsonb(imported);
        return exact ? condition + " and jsonb_typeof(" + field.json() + ") = '" + type + "'" : condition;
    }

    private String compareDate(IndexedField field, String operator, long millis) throws Untranslatable {
        if (!canonical && !Kinds.isText(millis)) {
            throw new Untranslatable("its filter has a date outside the years 1970 to 9999");
        }
        if (!field.mayBeDate(canonical)) {
            throw new Untranslatable("its filter compares dates, but " + field.path() + " has other values too");
        }
        return field.date(canonical) + " " + operator + " "
                + (canonical
                        ? Long.toString(millis)
                        : Quoting.literal(
                                Instant.ofEpochMilli(millis).toString().replace("Z", "")));
    }

    /** A literal of type jsonb. */
    private static String jsonb(@Nullable Object value) {
        return Quoting.literal(value == null ? "null" : Json.writeLine(value)) + "::jsonb";
    }

    /**
     * Translates {@code $type}. Relaxed JSON does not keep the kinds of numbers apart, so an index that need not be exact may have
     * more rows than MongoDB's.
     */
    static final class TypeCondition {
        /** The kinds of numbers, with what canonical JSON wraps them in. */
        private static final Map<String, String> KINDS_OF_NUMBERS =
                Map.of("double", "$numberDouble", "int", "$numberInt", "long", "$numberLong");

        private static final Map<String, String> JSON_TYPES = Map.of(
                "string", "string",
                "object", "object",
                "array", "array",
                "bool", "boolean",
                "null", "null");

        private static final int WRITTEN_AS_OBJECTS = Kinds.DATE | Kinds.OTHER_DATE | Kinds.OTHER;

        private static final Map<String, String> WRAPPERS = Map.of(
                "date", "$date",
                "objectid", "$oid",
                "decimal", "$numberDecimal",
                "bindata", "$binary",
                "timestamp", "$timestamp",
                "regex", "$regularExpression");

        private static final Map<Integer, String> NUMBERS = Map.ofEntries(
                Map.entry(1, "double"),
                Map.entry(2, "string"),
                Map.entry(3, "object"),
                Map.entry(4, "array"),
                Map.entry(5, "bindata"),
                Map.entry(7, "objectid"),
                Map.entry(8, "bool"),
                Map.entry(9, "date"),
                Map.entry(10, "null"),
                Map.entry(11, "regex"),
                Map.entry(16, "int"),
                Map.entry(17, "timestamp"),
                Map.entry(18, "long"),
                Map.entry(19, "decimal"));

        private final IndexedField field;
        private final boolean canonical;
        private final boolean exact;

        TypeCondition(IndexedField field, boolean canonical, boolean exact) {
            this.field = field;
            this.canonical = canonical;
            this.exact = exact;
        }

        String of(@Nullable Object types) throws Untranslatable {
            List<String> each = new ArrayList<>();
            for (Object type : types instanceof List<?> list ? list : List.of(types == null ? "" : types)) {
                each.add(one(type));
            }
            return each.size() == 1 ? each.get(0) : "(" + String.join(" or ", each) + ")";
        }

        private String one(@Nullable Object type) throws Untranslatable {
            Double number = MetadataValues.number(type);
            String name = number == null
                    ? String.valueOf(type).toLowerCase(Locale.ROOT)
                    : NUMBERS.getOrDefault(number.intValue(), "number " + number.intValue());
            if (field.isMultikey()) {
                throw new Untranslatable(
                        "its filter has $type " + name + " of elements of an array (" + field.path() + ")");
            }
            if (WRAPPERS.containsKey(name)) {
                return wrapped(WRAPPERS.getOrDefault(name, ""));
            }
            if (KINDS_OF_NUMBERS.containsKey(name)) {
                return kindOfNumber(name);
            }
            if (name.equals("number")) {
                return number();
            }
            String json = JSON_TYPES.get(name);
            if (json == null) {
                throw new Untranslatable("its filter has $type " + name + ", which has no counterpart");
            }
            if (exact && json.equals("object") && (field.ownKinds() & WRITTEN_AS_OBJECTS) != 0) {
                throw new Untranslatable("its filter has $type object, and " + field.path()
                        + " has other values that Extended JSON writes as objects");
            }
            return isType(json);
        }

        private String kindOfNumber(String name) throws Untranslatable {
            if (canonical) {
                return wrapped(KINDS_OF_NUMBERS.getOrDefault(name, ""));
            }
            if (exact) {
                throw new Untranslatable(
                        "its filter has $type " + name + ", and relaxed Extended JSON has one kind of numbers");
            }
            return isType("number");
        }

        private String number() {
            Stream<String> kinds =
                    canonical ? KINDS_OF_NUMBERS.values().stream().sorted() : Stream.of("$numberDouble");
            return Stream.concat(kinds, Stream.of("$numberDecimal"))
                    .map(this::wrapped)
                    .collect(Collectors.joining(" or ", canonical ? "(" : "(" + isType("number") + " or ", ")"));
        }

        private String isType(String json) {
            return "jsonb_typeof(" + field.json() + ") = '" + json + "'";
        }

        private String wrapped(String name) {
            return field.json() + " -> " + Quoting.literal(name) + " is not null";
        }
    }
}
