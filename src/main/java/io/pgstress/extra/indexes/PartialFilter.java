package io.pgstress.extra.indexes;

import io.pgstress.bson.json.DateText;
import io.pgstress.extra.BsonValues;
import io.pgstress.extra.FieldSql;
import io.pgstress.extra.FieldSql.Kinds;
import io.pgstress.extra.Untranslatable;
import io.pgstress.text.Json;
import io.pgstress.text.Quoting;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Translates a partial filter expression. MongoDB allows equality, {@code $exists: true}, comparisons, {@code $type}, {@code
 * $and}, and since 6.0 {@code $or} and {@code $in}. A comparison in MongoDB is true only for values of the operand's type; in
 * jsonb, types have an order. An index that is not unique therefore omits the type: a few rows more are in it, and a
 * query needs no condition on the type to use it.
 */
final class PartialFilter {
    private static final Map<String, String> COMPARISONS = Map.of("$gt", ">", "$gte", ">=", "$lt", "<", "$lte", "<=");
    private static final int WRITTEN_AS_OBJECTS = Kinds.DATE | Kinds.OTHER_DATE | Kinds.OTHER;

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
            if (name.startsWith("$")) {
                BsonValues.list(value).forEach(each -> paths.addAll(paths(BsonValues.map(each))));
            } else {
                paths.add(name);
            }
        });
        return paths;
    }

    /** The condition; throws {@link Untranslatable}. */
    String condition(Map<String, Object> filter) {
        return filter.entrySet().stream()
                .map(each -> condition(each.getKey(), each.getValue()))
                .collect(Collectors.joining(" and "));
    }

    private String condition(String name, @Nullable Object value) {
        if (!name.startsWith("$")) {
            return field(shapes.field(name), value);
        }
        List<?> conditions = name.equals("$and") || name.equals("$or") ? BsonValues.list(value) : List.of();
        if (conditions.isEmpty()) {
            throw unknown(name);
        }
        List<String> each =
                conditions.stream().map(one -> condition(BsonValues.map(one))).toList();
        return name.equals("$or") ? "((" + String.join(") or (", each) + "))" : String.join(" and ", each);
    }

    private static Untranslatable unknown(String operator) {
        return new Untranslatable("its filter has " + operator + ", which has no counterpart");
    }

    private static Untranslatable unknown(String what, FieldSql field) {
        return new Untranslatable("its filter " + what + " of an array (" + field.path() + ")");
    }

    private String field(FieldSql field, @Nullable Object value) {
        return BsonValues.isOperators(value)
                ? BsonValues.map(value).entrySet().stream()
                        .map(each -> operator(field, each.getKey(), each.getValue()))
                        .collect(Collectors.joining(" and "))
                : equal(field, value);
    }

    private String operator(FieldSql field, String name, @Nullable Object value) {
        return switch (name) {
            case "$eq" -> equal(field, value);
            case "$exists" -> {
                if (field.isInElements()) {
                    throw unknown("has $exists of elements", field);
                }
                yield field.json() + (BsonValues.isTrue(value) ? " is not null" : " is null");
            }
            case "$type" ->
                any(
                        value instanceof List<?> types ? types : Collections.singletonList(value),
                        type -> type(field, type));
            case "$in" -> {
                if (BsonValues.list(value).isEmpty()) {
                    throw unknown("an empty $in");
                }
                yield any(BsonValues.list(value), each -> equal(field, each));
            }
            default -> compare(field, name, value);
        };
    }

    private static String any(List<?> values, Function<@Nullable Object, String> condition) {
        String any = values.stream().map(condition).collect(Collectors.joining(" or "));
        return values.size() == 1 ? any : "(" + any + ")";
    }

    private String equal(FieldSql field, @Nullable Object value) {
        if (value == null && field.isInElements()) {
            throw new Untranslatable("its filter compares elements of an array with null (" + field.path() + ")");
        }
        if (value == null) {
            return "(" + field.json() + " is null or " + field.json() + " = 'null'::jsonb)";
        }
        Object imported = BsonValues.asImported(value, canonical);
        int array = field.arrayAfter();
        if (array == 0) {
            return field.json() + " = " + jsonb(imported);
        }
        boolean whole = field.isPlainArray() && !(imported instanceof Map);
        return field.json(array) + " @> " + jsonb(whole ? imported : inArray(field, imported));
    }

    /** The value as an element of the first array on the path. */
    private static Object inArray(FieldSql field, @Nullable Object value) {
        Object nested = value == null ? "" : value;
        for (int i = field.names().size() - 1; i >= field.arrayAfter(); i--) {
            nested = Map.of(field.names().get(i), nested);
        }
        return List.of(nested);
    }

    private String compare(FieldSql field, String name, @Nullable Object value) {
        String operator = COMPARISONS.get(name);
        if (operator == null) {
            throw unknown(name);
        }
        if (field.isMultikey()) {
            throw unknown("compares the elements", field);
        }
        Long millis = BsonValues.millis(value);
        if (millis != null) {
            return compareDate(field, operator, millis);
        }
        if (canonical && BsonValues.number(value) != null) {
            throw new Untranslatable("its filter compares numbers, which canonical Extended JSON stores as text");
        }
        Object imported = BsonValues.asImported(value, false);
        if (imported == null || imported instanceof Map || imported instanceof List) {
            throw new Untranslatable("its filter compares " + field.path() + " with a value whose order jsonb lacks");
        }
        String type = imported instanceof Number ? "number" : imported instanceof String ? "string" : "boolean";
        String condition = field.json() + " " + operator + " " + jsonb(imported);
        return exact ? condition + " and " + isType(field, type) : condition;
    }

    private String compareDate(FieldSql field, String operator, long millis) {
        if (!canonical && !DateText.isIso(millis)) {
            throw new Untranslatable("its filter has a date outside the years 1970 to 9999");
        }
        if (!field.mayBeDate(canonical)) {
            throw new Untranslatable("its filter compares dates, but " + field.path() + " has other values too");
        }
        String text = Instant.ofEpochMilli(millis).toString().replace("Z", "");
        return field.date("data", canonical) + " " + operator + " "
                + (canonical ? Long.toString(millis) : Quoting.literal(text));
    }

    /** A literal of type jsonb. */
    private static String jsonb(@Nullable Object value) {
        return Quoting.literal(value == null ? "null" : Json.writeLine(value)) + "::jsonb";
    }

    private static String isType(FieldSql field, String json) {
        return "jsonb_typeof(" + field.json() + ") = '" + json + "'";
    }

    private static String isWrapped(FieldSql field, String name) {
        return field.json() + " -> " + Quoting.literal(name) + " is not null";
    }

    /**
     * The condition of {@code $type}. Relaxed JSON does not keep the kinds of numbers apart, so an index that need not be exact may
     * have more rows than MongoDB's.
     */
    private String type(FieldSql field, @Nullable Object type) {
        Double number = BsonValues.number(type);
        String name = number == null
                ? String.valueOf(type).toLowerCase(Locale.ROOT)
                : TypeName.of(number.intValue()).orElse("number " + number.intValue());
        if (field.isMultikey()) {
            throw unknown("has $type " + name + " of elements", field);
        }
        if (name.equals("number")) {
            Stream<TypeName> kinds = TypeName.NUMBERS.stream()
                    .filter(each -> canonical || each == TypeName.DOUBLE || each == TypeName.DECIMAL);
            return kinds.map(each -> isWrapped(field, each.json))
                    .collect(Collectors.joining(" or ", canonical ? "(" : "(" + isType(field, name) + " or ", ")"));
        }
        TypeName found = TypeName.of(name).orElseThrow(() -> unknown("$type " + name));
        if (!canonical && found != TypeName.DECIMAL && TypeName.NUMBERS.contains(found)) {
            if (exact) {
                throw new Untranslatable(
                        "its filter has $type " + name + ", and relaxed Extended JSON has one kind of numbers");
            }
            return isType(field, "number");
        }
        if (exact && found == TypeName.OBJECT && (field.ownKinds() & WRITTEN_AS_OBJECTS) != 0) {
            throw new Untranslatable("its filter has $type object, and " + field.path()
                    + " has other values that Extended JSON writes as objects");
        }
        return found.json.startsWith("$") ? isWrapped(field, found.json) : isType(field, found.json);
    }

    /** The types of MongoDB, with the type in JSON or the name that Extended JSON wraps them in. */
    private enum TypeName {
        DOUBLE(1, "$numberDouble"),
        STRING(2, "string"),
        OBJECT(3, "object"),
        ARRAY(4, "array"),
        BINDATA(5, "$binary"),
        OBJECTID(7, "$oid"),
        BOOL(8, "boolean"),
        DATE(9, "$date"),
        NULL(10, "null"),
        REGEX(11, "$regularExpression"),
        INT(16, "$numberInt"),
        TIMESTAMP(17, "$timestamp"),
        LONG(18, "$numberLong"),
        DECIMAL(19, "$numberDecimal");

        private static final Set<TypeName> NUMBERS = EnumSet.of(DOUBLE, INT, LONG, DECIMAL);

        private final int number;
        private final String json;

        TypeName(int number, String json) {
            this.number = number;
            this.json = json;
        }

        /** The name of the type with this number. */
        static Optional<String> of(int number) {
            return Arrays.stream(values())
                    .filter(each -> each.number == number)
                    .map(TypeName::word)
                    .findFirst();
        }

        /** The type of this name. */
        static Optional<TypeName> of(String name) {
            return Arrays.stream(values())
                    .filter(each -> each.word().equals(name))
                    .findFirst();
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
