package io.pgstress.target.dialect;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds things in the lines of an EXPLAIN. */
final class PlanText {
    private static final Pattern SCAN = Pattern.compile(
            "\\b((?:Parallel )?(?:Index Only Scan|Index Scan|Bitmap Index Scan|Seq Scan|Tid Scan|Sample Scan))\\b");

    private PlanText() {}

    /** The kinds of table scans, each once, in the order of the plan. */
    static List<String> scans(List<String> plan) {
        return List.copyOf(new LinkedHashSet<>(all(plan, SCAN)));
    }

    /** The matches of the pattern's group, line by line. */
    static List<String> all(List<String> plan, Pattern pattern) {
        List<String> found = new ArrayList<>();
        for (String line : plan) {
            Matcher m = pattern.matcher(line);
            while (m.find()) {
                found.add(m.group(1));
            }
        }
        return found;
    }

    /** Adds the names in a line, {@code dn1, dn2} or {@code dn1,dn2}, to a set. */
    static void names(String list, Set<String> into) {
        for (String name : list.split(",", -1)) {
            into.add(name.trim());
        }
    }

    /** A name, escaped for a regular expression of the server. */
    static String regex(String name) {
        return name.replaceAll("([^A-Za-z0-9_])", "\\\\$1");
    }
}
