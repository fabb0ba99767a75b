package io.pgstress.importer.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Translates {@code $type}. The kinds of numbers are one here, as relaxed JSON does not keep them apart. */
final class TypeCondition {
    private static final Map<String, String> JSON_TYPES = Map.of(
            "number", "number",
            "double", "number",
            "int", "number",
            "long", "number",
            "string", "string",
            "object", "object",
            "array", "array",
            "bool", "boolean",
            "null", "null");

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

    TypeCondition(Field field) {
        this.field = field;
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
        if (WRAPPERS.containsKey(name)) {
            return field.json() + " -> " + Sql.literal(WRAPPERS.getOrDefault(name, "")) + " is not null";
        }
        String json = JSON_TYPES.get(name);
        if (json == null || field.isMultikey()) {
            throw new Untranslatable("its filter has $type " + name + (json == null ? "" : " of elements of an array"));
        }
        return "jsonb_typeof(" + field.json() + ") = '" + json + "'";
    }
}
