package io.pgstress.extra.suggest;

import io.pgstress.extra.FieldSql;
import io.pgstress.extra.suggest.Filter.Condition;
import io.pgstress.extra.suggest.Filter.Condition.Plain;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A filter as the condition of a WHERE clause; its values become parameters. Not thread-safe. */
final class FilterSql {
    private static final String ID = "_id";
    private static final String DATE = ".$date";

    private final DocumentFacts facts;
    private final Parameters parameters;
    private final IdSql ids;
    private final boolean contains;

    /** @param contains whether it asks if the document contains a value, where it can, instead of comparing the field */
    FilterSql(DocumentFacts facts, Parameters parameters, boolean contains) {
        this.facts = facts;
        this.parameters = parameters;
        this.contains = contains;
        this.ids = new IdSql(facts, parameters);
    }

    /**
     * The condition.
     *
     * @param down the paths of ranges whose upper bound is drawn, if they have both
     */
    String of(Filter filter, Set<String> down) {
        boolean hasId = filter.required().stream().anyMatch(f -> isOnId(f) && isDrawn(f));
        boolean hasOthers = filter.required().stream().anyMatch(f -> !isOnId(f) && isDrawn(f));
        Scope scope = new Scope("data", "", "", new Parameters.Row(), down, hasId && hasOthers);
        return filter.required().isEmpty()
                ? "true"
                : filter.required().stream()
                        .map(each -> condition(each, scope))
                        .collect(Collectors.joining("\n  and "));
    }

    private static boolean isOnId(Filter filter) {
        return filter instanceof Filter.Field field && field.path().equals(ID);
    }

    /** Whether its value must be of a row that the other conditions accept. */
    private static boolean isDrawn(Filter filter) {
        if (filter instanceof Filter.Field field) {
            return field.condition() == Plain.EQUAL
                    || field.condition() == Plain.LENGTH
                    || (!(field.condition() instanceof Plain)
                            && !(field.condition() instanceof Condition.In in && in.negated()));
        }
        return filter instanceof Filter.Element;
    }

    private String condition(Filter filter, Scope scope) {
        if (filter instanceof Filter.All all) {
            return all.filters().isEmpty() ? "true" : joined(all.filters(), scope);
        }
        if (filter instanceof Filter.Any any) {
            return any.filters().stream()
                    .map(each -> condition(each, scope.apart()))
                    .collect(Collectors.joining(" or ", "(", ")"));
        }
        if (filter instanceof Filter.Not not) {
            return "(" + condition(not.filter(), scope.apart()) + ") is not true";
        }
        if (filter instanceof Filter.Element element) {
            return element(element, scope);
        }
        Filter.Field field = (Filter.Field) filter;
        if (isOnId(filter) && scope.isDocument()) {
            return ids.condition(field.condition(), scope);
        }
        FieldSql path = facts.field(field.path(), scope.within());
        if (contains && scope.isDocument() && field.condition() == Plain.EQUAL && path.isContainable()) {
            return path.isContained(drawn(path, scope) + "::jsonb");
        }
        return path.isMultikey() ? ofElements(field, path, scope) : ofValue(field, path, scope);
    }

    private String joined(List<Filter> filters, Scope scope) {
        return filters.stream().map(each -> condition(each, scope)).collect(Collectors.joining(" and "));
    }

    /** A condition that an element of an array must meet. */
    private String ofElements(Filter.Field field, FieldSql path, Scope scope) {
        Condition condition = field.condition();
        String base = scope.base();
        if (condition == Plain.EQUAL) {
            return path.contains(base, drawn(path, scope) + "::jsonb");
        }
        if (condition == Plain.NOT_EQUAL) {
            return "(" + path.contains(base, drawn(path, scope.apart()) + "::jsonb") + ") is not true";
        }
        if (condition instanceof Plain || condition instanceof Condition.Contains) {
            return ofValue(field, path, scope);
        }
        boolean negated = condition instanceof Condition.In in && in.negated();
        Scope inner = negated ? scope.apart() : scope;
        Scope element = new Scope("e", "", path.valuePath(scope.drawn()), inner.row(), Set.of(), false);
        Condition positive = condition instanceof Condition.In in ? new Condition.In(in.count(), false) : condition;
        String test = ofValue(new Filter.Field(field.path(), positive), FieldSql.ELEMENT, element);
        return (negated ? "not " : "") + "exists (select 1 from " + path.elements(base) + " where " + test + ")";
    }

    /** {@code $elemMatch}, as containment if it only compares fields, so that an index can serve it. */
    private String element(Filter.Element element, Scope scope) {
        FieldSql path = facts.field(element.path(), scope.within()).ofArray();
        Scope inner = scope.element(element.path(), path.valuePath(scope.drawn()));
        if (path.isPlainArray() && element.filter().required().stream().allMatch(FilterSql::isPlainEquality)) {
            String fields = element.filter().required().stream()
                    .map(filter -> ((Filter.Field) filter).path())
                    .map(name ->
                            FieldSql.literal(name) + ", " + drawn(facts.field(name, inner.within()), inner) + "::jsonb")
                    .collect(Collectors.joining(", "));
            String fieldsOfOne = "jsonb_build_object(" + fields + ")";
            return contains && scope.isDocument()
                    ? path.isContained(fieldsOfOne)
                    : path.contains(scope.base(), fieldsOfOne);
        }
        return "exists (select 1 from " + path.elements(scope.base()) + " where " + condition(element.filter(), inner)
                + ")";
    }

    private static boolean isPlainEquality(Filter filter) {
        return filter instanceof Filter.Field field
                && field.condition() == Plain.EQUAL
                && !field.path().isEmpty()
                && !field.path().contains(".");
    }

    /** The condition on one value, whatever arrays it is in. */
    private String ofValue(Filter.Field field, FieldSql path, Scope scope) {
        String json = path.json(scope.base());
        Condition condition = field.condition();
        if (condition instanceof Condition.Range range) {
            return path.comparable(scope.base())
                    + (scope.isUpper(range, field.path()) ? " <= " : " >= ")
                    + comparable(path, scope);
        }
        if (condition instanceof Condition.In in) {
            return in(in, path, in.negated() ? scope.apart() : scope);
        }
        if (condition instanceof Condition.Contains contains) {
            String values = IntStream.range(0, contains.count())
                    .mapToObj(i -> parameters.json(path.wholePath(scope.drawn()) + "." + i, scope.row()))
                    .map(value -> ":" + value + "::jsonb")
                    .collect(Collectors.joining(", "));
            return json + " @> jsonb_build_array(" + values + ")";
        }
        if (condition instanceof Condition.Text text) {
            String value = ":" + parameters.text(path.valuePath(scope.drawn()), scope.row()) + "::text";
            return text(text, path.text(scope.base()), value);
        }
        return switch ((Plain) condition) {
            case EQUAL -> path.comparable(scope.base()) + " = " + comparable(path, scope);
            case NOT_EQUAL -> json + " is distinct from " + drawn(path, scope.apart());
            case NULL -> "(" + json + " is null or " + json + " = 'null')";
            case NOT_NULL -> json + " <> 'null'";
            case PRESENT -> json + " is not null";
            case ABSENT -> json + " is null";
            case LENGTH ->
                length(json) + " = "
                        + length(":" + parameters.json(path.wholePath(scope.drawn()), scope.row()) + "::jsonb");
        };
    }

    private String in(Condition.In in, FieldSql path, Scope scope) {
        boolean isDate = path.isDate(false);
        String from = path.valuePath(scope.drawn()) + (isDate ? DATE : "");
        String values = ":" + parameters.array(from, !isDate, in.count(), scope.row());
        String all = isDate ? "array(select rtrim(v, 'Z') from unnest(" + values + "::text[]) v)" : values;
        String test = path.comparable(scope.base()) + " = any(" + all + ")";
        return in.negated() ? "(" + test + ") is not true" : test;
    }

    /** A simple regular expression as a comparison with a part of a drawn text. */
    private static String text(Condition.Text condition, String text, String value) {
        UnaryOperator<String> cased = each -> condition.anyCase() ? "lower(" + each + ")" : each;
        int length = condition.length();
        return switch (condition.part()) {
            case BEGINNING ->
                "left(" + cased.apply(text) + ", " + length + ") = "
                        + cased.apply("left(" + value + ", " + length + ")");
            case ANYWHERE ->
                "strpos(" + cased.apply(text) + ", " + cased.apply("right(" + value + ", " + length + ")") + ") > 0";
            case WHOLE -> cased.apply(text) + " = " + cased.apply(value);
        };
    }

    private static String length(String json) {
        return "jsonb_array_length(case when jsonb_typeof(" + json + ") = 'array' then " + json + " end)";
    }

    /** A drawn value in the form of {@link FieldSql#comparable}. */
    private String comparable(FieldSql path, Scope scope) {
        return path.isDate(false)
                ? "rtrim(:" + parameters.text(path.valuePath(scope.drawn()) + DATE, scope.row()) + "::text, 'Z')"
                : drawn(path, scope);
    }

    /** A drawn value as jsonb. */
    private String drawn(FieldSql path, Scope scope) {
        return ":" + parameters.json(path.valuePath(scope.drawn()), scope.row());
    }

    /**
     * Where a condition holds.
     *
     * @param base the jsonb in SQL: {@code data}, or an element of an array
     * @param within the path of the element, without positions; empty: the document
     * @param drawn the path to draw the element's values from; empty: the document
     * @param row the row that the values come from
     * @param down the ranges whose upper bound is drawn
     * @param idOfRow whether the id is of the same row as the other values
     */
    record Scope(String base, String within, String drawn, Parameters.Row row, Set<String> down, boolean idOfRow) {
        /** A copy whose parameters draw their values from another row. */
        Scope apart() {
            return new Scope(base, within, drawn, new Parameters.Row(), down, false);
        }

        /** The elements of an array. */
        Scope element(String path, String drawnFrom) {
            return new Scope("e", within.isEmpty() ? path : within + "." + path, drawnFrom, row, Set.of(), false);
        }

        boolean isDocument() {
            return base.equals("data");
        }

        /** Whether the upper bound of the range at this path is drawn. */
        boolean isUpper(Condition.Range range, String path) {
            return !range.from() || (range.to() && down.contains(path));
        }
    }
}
