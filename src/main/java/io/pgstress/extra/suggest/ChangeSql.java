package io.pgstress.extra.suggest;

import java.util.Collections;
import java.util.regex.Pattern;

/**
 * New values of fields. They are drawn from the table if any document has such a value, and otherwise made up. Counters change
 * by one.
 */
final class ChangeSql {
    private static final Pattern POSITION = Pattern.compile("\\.\\d+(?=\\.|$)");
    private static final String NO_ELEMENTS = "'[]'::jsonb";

    private final DocumentFacts facts;
    private final Parameters parameters;

    ChangeSql(DocumentFacts facts, Parameters parameters) {
        this.facts = facts;
        this.parameters = parameters;
    }

    /**
     * The new value.
     *
     * @param old the value so far
     * @param text the value so far as text
     */
    String of(Change change, String old, String text) {
        String number = "coalesce((" + text + ")::numeric, 0)";
        return switch (change.kind()) {
            case SET -> value(change);
            case NOW -> now();
            case ADD -> "to_jsonb(" + number + " + 1)";
            case SUBTRACT -> "to_jsonb(" + number + " - 1)";
            case MULTIPLY -> "to_jsonb(" + number + " * 1)";
            case MIN -> extreme(old, "<=", value(change));
            case MAX -> extreme(old, ">=", value(change));
            case PUSH -> "coalesce(" + old + ", " + NO_ELEMENTS + ") || " + elements(change, element(change));
            case ADD_TO_SET -> {
                String added = elements(change, element(change));
                yield "case when " + old + " @> " + added + " then " + old + " else coalesce(" + old + ", "
                        + NO_ELEMENTS + ") || " + added + " end";
            }
            case PULL ->
                "coalesce((select jsonb_agg(e) from jsonb_array_elements(" + old + ") e where e <> " + element(change)
                        + "), " + NO_ELEMENTS + ")";
            case POP_FIRST -> "coalesce((" + old + ") - 0, " + NO_ELEMENTS + ")";
            case POP_LAST -> "coalesce((" + old + ") - (-1), " + NO_ELEMENTS + ")";
            case UNSET -> throw new IllegalArgumentException("not a value");
        };
    }

    private static String extreme(String old, String comparison, String value) {
        return "case when " + old + " " + comparison + " " + value + " then " + old + " else " + value + " end";
    }

    private static String elements(Change change, String element) {
        return "jsonb_build_array(" + String.join(", ", Collections.nCopies(change.count(), element)) + ")";
    }

    private String value(Change change) {
        boolean isThere = facts.has(change.path())
                || facts.has(POSITION.matcher(change.path()).replaceAll(""));
        return isThere ? drawn(change.path()) : madeUp(change.value());
    }

    private String element(Change change) {
        return facts.isArray(change.path()) ? drawn(change.path() + ".0") : madeUp(change.value());
    }

    private String drawn(String path) {
        return ":" + parameters.json(path, new Parameters.Row()) + "::jsonb";
    }

    private static String madeUp(Change.Made made) {
        return switch (made.kind()) {
            case "null" -> "'null'::jsonb";
            case "string" -> "to_jsonb(repeat('x', " + made.size() + "))";
            case "number" -> "to_jsonb((random() * 1000)::int)";
            case "boolean" -> "to_jsonb(random() < 0.5)";
            case "date" -> now();
            case "ObjectId" -> "jsonb_build_object('$oid', left(md5(random()::text), 24))";
            case "array" -> NO_ELEMENTS;
            case "object" -> "'{}'::jsonb";
            default -> throw new Untranslatable("a new value of a type that no document has there");
        };
    }

    private static String now() {
        return "jsonb_build_object('$date', " + IdSql.iso("now()") + ")";
    }
}
