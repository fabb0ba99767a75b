package io.pgstress.extra.suggest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes of fields as an expression for the new {@code data}. Objects that are missing are created, as in MongoDB. */
final class UpdateSql {
    /** The changes in an object: by key either a change, or the changes in the object there. */
    private static final class Node {
        private final Map<String, Node> children = new LinkedHashMap<>();
        private @Nullable Change change;
    }

    /** A function has at most 100 arguments. */
    private static final int MAX_FIELDS = 50;

    private final DocumentFacts facts;
    private final ChangeSql values;

    UpdateSql(DocumentFacts facts, Parameters parameters) {
        this.facts = facts;
        this.values = new ChangeSql(facts, parameters);
    }

    /** The new document. */
    String of(List<Change> changes) {
        Node root = new Node();
        for (Change change : changes) {
            Node node = root;
            for (String key : change.path().split("\\.", -1)) {
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
            String key = Literal.of(each.getKey());
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
            result = "jsonb_set(" + result + ", " + Literal.of("{" + each.getKey() + "}") + ", "
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
                : values.of(change, old, base + " ->> " + key);
    }
}
