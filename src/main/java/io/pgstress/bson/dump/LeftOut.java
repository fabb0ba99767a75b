package io.pgstress.bson.dump;

import io.pgstress.text.Counted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A collection or file of the dump that is not read, and why.
 *
 * @param name the namespace, or the path of a file that does not belong to a collection
 */
public record LeftOut(String name, String reason) {
    static final String VIEW = "a view";

    /** A line for each reason, with the first names: {@code a, b (a view)}. The map has reasons by name. */
    public static List<String> lines(Map<String, String> reasons) {
        Map<String, List<String>> names = new LinkedHashMap<>();
        reasons.forEach((name, reason) ->
                names.computeIfAbsent(reason, none -> new ArrayList<>()).add(name));
        List<String> lines = new ArrayList<>();
        names.forEach((reason, of) -> lines.add(Counted.first(of, ", ") + " (" + reason + ")"));
        return lines;
    }
}
