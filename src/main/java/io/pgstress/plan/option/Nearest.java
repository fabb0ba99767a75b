package io.pgstress.plan.option;

import java.util.Collection;
import java.util.Optional;

/** The word that was probably meant: the one with the least edit distance (Levenshtein), if it is near. */
public final class Nearest {
    private Nearest() {}

    /** The nearest of the words, where at most a third of the letters (or two) differ, and not all. */
    public static Optional<String> of(String word, Collection<String> words) {
        String best = "";
        int least = Math.min(word.length(), Math.max(2, word.length() / 3) + 1);
        for (String candidate : words) {
            int distance = distance(word, candidate);
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(best);
    }

    /** A half-sentence to append to a message: {@code ; did you mean 'x'?} or nothing. */
    public static String hint(String word, Collection<String> words) {
        return hint(of(word, words));
    }

    /** The same for what was probably meant. */
    static String hint(Optional<String> meant) {
        return meant.map(w -> "; did you mean '" + w + "'?").orElse("");
    }

    /**
     * What is wrong with a word that is none of many: the one that was probably meant, and where all are.
     *
     * @param what what it should be, with its article
     * @param list a clause that says where to find all: {@code 'stress operations' lists all}
     */
    public static String unknown(String word, String what, Optional<String> meant, String list) {
        String hint = hint(meant);
        return "'" + word + "' is not " + what + hint + (hint.isEmpty() ? "; " : " ") + list;
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
