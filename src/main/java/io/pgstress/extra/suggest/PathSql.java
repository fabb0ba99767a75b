package io.pgstress.extra.suggest;

import io.pgstress.bson.FieldPath;
import io.pgstress.text.Quoting;
import java.util.ArrayList;
import java.util.List;

/**
 * A path of MongoDB, {@code a.b.0.c}, as SQL. MongoDB looks into the elements of the arrays that it meets.
 *
 * @param steps its keys
 * @param isDate whether its values are dates, which are compared as text, as the import's indexes do
 */
record PathSql(List<Step> steps, boolean isDate) {
    /**
     * A key of the path.
     *
     * @param isIndex whether it is the position of an array's element
     * @param isArray whether the value there is an array; the rest of the path then applies to its elements
     */
    record Step(String key, boolean isIndex, boolean isArray) {
        String sql() {
            return isIndex ? key : Literal.of(key);
        }
    }

    /** An element of an array itself. */
    static final PathSql ELEMENT = new PathSql(List.of(), false);

    PathSql {
        steps = List.copyOf(steps);
    }

    /**
     * Resolves a path.
     *
     * @param within the path, without positions, of the element that it begins in; empty: the document
     */
    static PathSql of(String path, String within, DocumentFacts facts) {
        List<Step> steps = new ArrayList<>();
        if (path.isEmpty()) {
            return ELEMENT;
        }
        List<String> keys = FieldPath.names(path);
        String at = within;
        boolean inArray = false;
        for (int k = 0; k < keys.size(); k++) {
            boolean isIndex = inArray && FieldPath.isPosition(keys.get(k));
            if (!isIndex) {
                at = at.isEmpty() ? keys.get(k) : at + "." + keys.get(k);
            }
            inArray = !isIndex && facts.isArray(at);
            boolean nextIsIndex = k + 1 < keys.size() && FieldPath.isPosition(keys.get(k + 1));
            steps.add(new Step(keys.get(k), isIndex, inArray && !nextIsIndex));
        }
        boolean isPlain = within.isEmpty() && steps.stream().noneMatch(step -> step.isArray() || step.isIndex());
        return new PathSql(steps, isPlain && facts.isDate(path));
    }

    /** Whether it looks into elements of arrays. */
    boolean hasArrays() {
        return steps.stream().anyMatch(Step::isArray);
    }

    /** The same path, whose value is an array even if no document shows that. */
    PathSql ofArray() {
        if (steps.isEmpty()) {
            return this;
        }
        List<Step> all = new ArrayList<>(steps);
        Step last = all.remove(all.size() - 1);
        all.add(new Step(last.key(), last.isIndex(), true));
        return new PathSql(all, false);
    }

    /** Whether only the value itself is an array, and none on the way to it. */
    boolean isPlainArray() {
        return steps.stream().filter(Step::isArray).count() == 1
                && steps.get(steps.size() - 1).isArray();
    }

    /** The value as jsonb: {@code data -> 'a' -> 'b'}. */
    String json(String base) {
        return json(base, steps.size());
    }

    /** The value as something to compare and to sort by, which an index of the import can serve. */
    String comparable(String base) {
        return isDate ? "rtrim(" + json(base) + " ->> '$date', 'Z')" : json(base);
    }

    private String json(String base, int end) {
        StringBuilder sql = new StringBuilder(base);
        steps.subList(0, end).forEach(step -> sql.append(" -> ").append(step.sql()));
        return sql.toString();
    }

    /** The value as text: {@code data -> 'a' ->> 'b'}. */
    String text(String base) {
        int last = steps.size() - 1;
        return last < 0
                ? base + " #>> '{}'"
                : json(base, last) + " ->> " + steps.get(last).sql();
    }

    /** Whether an element has this value: {@code data -> 'a' @> ...}. Only if it {@link #hasArrays}. */
    String contains(String base, String value) {
        int first = 0;
        while (!steps.get(first).isArray()) {
            first++;
        }
        String inner = value;
        for (int at = steps.size() - 1; at > first; at--) {
            inner = steps.get(at).isArray() ? "jsonb_build_array(" + inner + ")" : inner;
            inner = "jsonb_build_object(" + Literal.of(steps.get(at).key()) + ", " + inner + ")";
        }
        return json(base, first + 1) + " @> jsonb_build_array(" + inner + ")";
    }

    /** All values at the path as rows {@code e}. */
    String elements(String base) {
        StringBuilder path = new StringBuilder("$");
        for (Step step : steps) {
            path.append(step.isIndex() ? "[" + step.key() + "]" : "." + Quoting.element(step.key()))
                    .append(step.isArray() ? "[*]" : "");
        }
        return "jsonb_path_query(" + base + ", " + Literal.of(path.toString()) + ") e";
    }

    /** The path to draw single values from: the first element of each array. */
    String valuePath(String within) {
        StringBuilder path = new StringBuilder(within);
        for (Step step : steps) {
            path.append(path.isEmpty() ? "" : ".").append(step.key()).append(step.isArray() ? ".0" : "");
        }
        return path.toString();
    }

    /** The path to draw whole values from. */
    String wholePath(String within) {
        String path = valuePath(within);
        boolean endsInArray = !steps.isEmpty() && steps.get(steps.size() - 1).isArray();
        return endsInArray ? path.substring(0, path.length() - ".0".length()) : path;
    }
}
