package io.pgstress.compare;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Remarks on many blocks or steps, with remarks that differ only in their numbers, or in a list of tables, combined. */
public final class RepeatedRemarks {
    /** Start of the remark about too few intervals, which is normal for a short block. */
    private static final String FEW_INTERVALS = "measured for";

    /** Numbers, and tables as in "(on public.a, public.b)". */
    private static final Pattern VARYING = Pattern.compile("\\(on [^)]*\\)|[0-9.,]+");

    private RepeatedRemarks() {}

    /** Adds the remarks on one block; of several of one kind, the first one. */
    public static void add(List<String> warnings, Map<String, Integer> told) {
        Set<String> kinds = new HashSet<>();
        for (String warning : warnings) {
            if (warning.startsWith(FEW_INTERVALS) || !kinds.add(kind(warning))) {
                continue;
            }
            String known = told.keySet().stream()
                    .filter(w -> kind(w).equals(kind(warning)))
                    .findFirst()
                    .orElse(warning);
            told.merge(known, 1, Integer::sum);
        }
    }

    private static String kind(String warning) {
        return VARYING.matcher(warning).replaceAll("#");
    }

    static List<String> words(Map<String, Integer> told, int blocks) {
        return words(told, blocks, "blocks");
    }

    /** @param what the unit that was measured, such as {@code blocks} */
    public static List<String> words(Map<String, Integer> told, int number, String what) {
        List<String> words = new ArrayList<>();
        told.forEach((warning, count) -> words.add(
                count == number
                        ? warning
                        : "in " + count + " of " + number + " " + what + ", for example: " + warning));
        return words;
    }
}
