package io.pgstress.extra.suggest;

import io.pgstress.extra.BsonValues;
import io.pgstress.extra.Untranslatable;
import io.pgstress.extra.suggest.Filter.Condition;
import io.pgstress.extra.suggest.Filter.Condition.Part;
import io.pgstress.extra.suggest.Filter.Condition.Plain;
import io.pgstress.extra.suggest.Filter.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads filters in MongoDB's query language, and drops their values. Throws {@link Untranslatable}. */
final class FilterReader {
    private static final Set<String> LOGICAL = Set.of("$and", "$or", "$nor");

    /** Longer lists are cut: their values are drawn from the table anyway. */
    private static final int MAX_VALUES = 8_192;

    private static final int MAX_ELEMENTS = 16;

    /** Characters with a meaning in regular expressions. */
    private static final String SPECIAL = ".*+?()[]{}|^$\\";

    private FilterReader() {}

    /** The filter of a query; an empty one matches everything. */
    public static Filter read(Map<String, Object> query) {
        List<Filter> all = new ArrayList<>();
        query.forEach((name, value) -> {
            switch (name) {
                case "$and" -> all.addAll(each(value));
                case "$or" -> all.add(Filter.any(each(value)));
                case "$nor" -> all.add(new Filter.Not(Filter.any(each(value))));
                case "$comment" -> {}
                default -> {
                    if (name.startsWith("$")) {
                        throw new Untranslatable(name);
                    }
                    all.add(field(name, value));
                }
            }
        });
        return Filter.all(all);
    }

    private static List<Filter> each(Object value) {
        return BsonValues.list(value).stream()
                .map(item -> read(BsonValues.map(item)))
                .toList();
    }

    private static Filter field(String path, @Nullable Object value) {
        if (BsonValues.isRegex(value)) {
            Map<String, Object> regex = BsonValues.regex(value);
            return text(path, BsonValues.text(regex.get("pattern")), BsonValues.text(regex.get("options")));
        }
        return BsonValues.isOperators(value) ? operators(path, BsonValues.map(value)) : equal(path, value);
    }

    private static Filter equal(String path, @Nullable Object value) {
        return new Field(path, value == null ? Plain.NULL : Plain.EQUAL);
    }

    private static Filter text(String path, String pattern, String options) {
        return new Field(path, regex(pattern, options));
    }

    private static Filter operators(String path, Map<String, Object> operators) {
        List<Filter> all = new ArrayList<>();
        boolean from = operators.containsKey("$gt") || operators.containsKey("$gte");
        boolean to = operators.containsKey("$lt") || operators.containsKey("$lte");
        if (from || to) {
            all.add(new Field(path, new Condition.Range(from, to)));
        }
        operators.forEach((operator, value) -> {
            if (!Set.of("$gt", "$gte", "$lt", "$lte", "$options").contains(operator)) {
                all.add(operator(path, operator, value, operators));
            }
        });
        return Filter.all(all);
    }

    private static Filter operator(String path, String operator, @Nullable Object value, Map<String, Object> beside) {
        return switch (operator) {
            case "$eq" -> equal(path, value);
            case "$ne" -> new Field(path, value == null ? Plain.NOT_NULL : Plain.NOT_EQUAL);
            case "$in" -> in(path, BsonValues.list(value), false);
            case "$nin" -> in(path, BsonValues.list(value), true);
            case "$exists" -> new Field(path, BsonValues.isTrue(value) ? Plain.PRESENT : Plain.ABSENT);
            case "$size" -> new Field(path, Plain.LENGTH);
            case "$not" -> new Filter.Not(field(path, value));
            case "$all" -> all(path, BsonValues.list(value));
            case "$elemMatch" -> new Filter.Element(path, element(BsonValues.map(value)));
            case "$regex" ->
                BsonValues.isRegex(value)
                        ? field(path, value)
                        : text(path, BsonValues.text(value), BsonValues.text(beside.get("$options")));
            default -> throw new Untranslatable(operator);
        };
    }

    private static Filter element(Map<String, Object> query) {
        return BsonValues.isOperators(query) && !LOGICAL.contains(BsonValues.first(query))
                ? operators("", query)
                : read(query);
    }

    private static Filter in(String path, List<@Nullable Object> values, boolean negated) {
        if (values.stream().anyMatch(BsonValues::isRegex)) {
            throw new Untranslatable("$in with regular expressions");
        }
        List<@Nullable Object> others =
                values.stream().filter(value -> value != null).toList();
        List<Filter> filters = new ArrayList<>();
        if (others.size() < values.size()) {
            filters.add(new Field(path, negated ? Plain.NOT_NULL : Plain.NULL));
        }
        if (others.size() == 1) {
            filters.add(new Field(path, negated ? Plain.NOT_EQUAL : Plain.EQUAL));
        } else if (!others.isEmpty()) {
            filters.add(new Field(
                    path, new Condition.In(Condition.rounded(Math.min(MAX_VALUES, others.size())), negated)));
        }
        if (filters.isEmpty() && !negated) {
            throw new Untranslatable("an empty $in, which matches nothing");
        }
        return negated ? Filter.all(filters) : Filter.any(filters);
    }

    private static Filter all(String path, List<@Nullable Object> values) {
        if (values.isEmpty() || values.stream().anyMatch(v -> BsonValues.isOperators(v) || BsonValues.isRegex(v))) {
            throw new Untranslatable("$all without values, or with conditions");
        }
        return new Field(path, new Condition.Contains(Math.min(MAX_ELEMENTS, values.size())));
    }

    /** The condition of a regular expression that describes the beginning or a part of a string without special characters. */
    private static Condition regex(String pattern, String options) {
        String rest = pattern;
        boolean begins = rest.startsWith("^");
        rest = begins ? rest.substring(1) : rest;
        boolean open = rest.startsWith(".*");
        rest = open ? rest.substring(2) : rest;
        boolean ends = rest.endsWith("$") && !rest.endsWith("\\$");
        rest = ends ? rest.substring(0, rest.length() - 1) : rest;
        rest = rest.endsWith(".*") && !rest.endsWith("\\.*") ? rest.substring(0, rest.length() - 2) : rest;
        int length = literalLength(rest);
        boolean anyCase = options.contains("i");
        if (length < 1 || options.contains("x") || (ends && !begins)) {
            throw new Untranslatable(
                    "a regular expression other than a beginning (^abc) or a part (abc) of the string");
        }
        if (ends && !anyCase && !open) {
            return Condition.Plain.EQUAL;
        }
        Part part = !begins || open ? Part.ANYWHERE : ends ? Part.WHOLE : Part.BEGINNING;
        return new Condition.Text(part, anyCase, Condition.rounded(length));
    }

    /** The number of characters that the expression stands for; -1 if it has operators. */
    private static int literalLength(String text) {
        int length = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\\' && at + 1 < text.length() && !Character.isLetterOrDigit(text.charAt(at + 1))) {
                at++;
            } else if (SPECIAL.indexOf(c) >= 0) {
                return -1;
            }
            length++;
        }
        return length;
    }
}
