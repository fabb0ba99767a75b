package io.pgstress.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** RepeatedRemarks of many blocks or steps, each kind told once: they differ in their figures only. */
public final class RepeatedRemarks {
    /** BlockRunner are short: of no news there. */
    private static final String FEW_INTERVALS = "measured for";

    private RepeatedRemarks() {}

    public static void add(List<String> warnings, Map<String, Integer> told) {
        for (String warning : warnings) {
            if (warning.startsWith(FEW_INTERVALS)) {
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

    /** @param what was measured, such as {@code blocks} */
    public static List<String> words(Map<String, Integer> told, int number, String what) {
        List<String> words = new ArrayList<>();
        told.forEach((warning, count) -> words.add(
                count == number ? warning : "in " + count + " of " + number + " " + what + ", such as: " + warning));
        return words;
    }
}
