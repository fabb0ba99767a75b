package io.pgstress.extra.suggest;

import io.pgstress.bson.FieldPath;
import io.pgstress.extra.FieldSql;
import io.pgstress.extra.Untranslatable;
import io.pgstress.extra.suggest.Shape.Change;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Changes of fields as an expression for the new {@code data}. Objects that are missing are created, as in MongoDB. New values are
 * drawn from the table if any document has such a value, and otherwise made up. Counters change by one.
 */
final class UpdateSql {
    /** The changes in an object: by key either a change, or the changes in the object there. */
    private static final class Node {
        private final Map<String, Node> children = new LinkedHashMap<>();
        private @Nullable Change change;
    }

    /** A function has at most 100 arguments. */
    private static final int MAX_FIELDS = 50;

    private static final Pattern POSITION = Pattern.compile("\\.\\d+(?=\\.|$)");
    private static final String NO_ELEMENTS = "'[]'::jsonb";

    private final DocumentFacts facts;
    private final Parameters parameters;

    UpdateSql(DocumentFacts facts, Parameters parameters) {
        this.facts = facts;
        this.parameters = parameters;
    }

    /** The new document. */
    String of(List<Change> changes) {
        Node root = new Node();
        for (Change change : changes) {
            Node node = root;
            for (String key : FieldPath.names(change.path())) {
                node = node.children.computeIfAbsent(key, k -> new Node());
            }
            node.change = change;
        }
        return object(root, "data", "data", "", false);
    }

    /**
     * The object with its changes.
     *
     * @param object the object in SQL, which is not null
     * @param isElement whether it is an element of the array at this path
     */
    private String object(Node node, String object, String base, String path, boolean isElement) {
        if (facts.isArray(path) && !isElement) {
            return array(node, base, path);
        }
        String result = object;
        List<String> pairs = new ArrayList<>();
        for (Map.Entry<String, Node> each : node.children.entrySet()) {
            String key = FieldSql.literal(each.getKey());
            Change change = each.getValue().change;
            if (change != null && change.kind() == Change.Kind.UNSET) {
                result = result + " - " + key;
            } else {
                pairs.add(key + ", " + value(each.getValue(), base, key, below(path, each.getKey()), false));
            }
        }
        if (pairs.isEmpty()) {
            return result;
        }
        if (pairs.size() > MAX_FIELDS) {
            throw new Untranslatable("an update of more than " + MAX_FIELDS + " fields of one object");
        }
        String grouped = result.contains(" - ") ? "(" + result + ")" : result;
        String all = path.isEmpty() ? "\n  " + String.join(",\n  ", pairs) : String.join(", ", pairs);
        return grouped + " || jsonb_build_object(" + all + ")";
    }

    /** An array with changes to elements at fixed positions. */
    private String array(Node node, String base, String path) {
        String result = base;
        for (Map.Entry<String, Node> each : node.children.entrySet()) {
            Change change = each.getValue().change;
            boolean isUnset = change != null && change.kind() == Change.Kind.UNSET;
            if (isUnset || each.getKey().isEmpty() || !each.getKey().chars().allMatch(Character::isDigit)) {
                throw new Untranslatable("an update inside an array");
            }
            result = "jsonb_set(" + result + ", " + FieldSql.literal("{" + each.getKey() + "}") + ", "
                    + value(each.getValue(), base, each.getKey(), path, true) + ")";
        }
        return result;
    }

    private static String below(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** @param key the key in SQL */
    private String value(Node node, String base, String key, String path, boolean isElement) {
        String old = base + " -> " + key;
        Change change = node.change;
        return change == null
                ? object(node, "coalesce(" + old + ", '{}'::jsonb)", old, path, isElement)
                : newValue(change, old, base + " ->> " + key);
    }

    /**
     * The new value.
     *
     * @param old the value so far
     * @param text the value so far as text
     */
    private String newValue(Change change, String old, String text) {
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
