package io.pgstress.extra.indexes;

import io.pgstress.plan.sql.Quoting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Translates {@code $type}. Relaxed JSON does not keep the kinds of numbers apart, so an index that need not be exact may have
 * more rows than MongoDB's.
 */
final class TypeCondition {
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

    private final Field field;
    private final boolean canonical;
    private final boolean exact;

    TypeCondition(Field field, boolean canonical, boolean exact) {
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
        Stream<String> kinds = canonical ? KINDS_OF_NUMBERS.values().stream().sorted() : Stream.of("$numberDouble");
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
