package io.pgstress.compare;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Remarks on many blocks or steps, with remarks that differ only in their numbers combined. */
public final class RepeatedRemarks {
    /** Start of the remark about too few intervals, which is normal for a short block. */
    private static final String FEW_INTERVALS = "measured for";

    private RepeatedRemarks() {}

    /** Adds the remarks on one block; of several that differ only in their numbers, the first one. */
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
        return warning.replaceAll("[0-9.,]+", "#");
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
