package io.pgstress.text;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/** Numbers of things, in words for people. */
public final class Counted {
    /** What a message lists of things that may be thousands. */
    private static final int MAX_LISTED = 5;

    private Counted() {}

    /** A number with its noun: {@code 1 row}, {@code 2,000 rows}, {@code 2 entries}. */
    public static String of(long count, String noun) {
        return String.format(Locale.ROOT, "%,d ", count) + (count == 1 ? noun : plural(noun));
    }

    /** The first five of a list for a message, and how many more there are: {@code a, b, c, d, e, and 66 more}. */
    public static String first(Collection<String> all, String separator) {
        String shown = all.stream().limit(MAX_LISTED).collect(Collectors.joining(separator));
        int more = all.size() - MAX_LISTED;
        return more > 0 ? shown + separator + String.format(Locale.ROOT, "and %,d more", more) : shown;
    }

    /** The regular plural. */
    private static String plural(String noun) {
        boolean y = noun.endsWith("y") && "aeiou".indexOf(noun.charAt(noun.length() - 2)) < 0;
        return y
                ? noun.substring(0, noun.length() - 1) + "ies"
                : noun + (noun.endsWith("x") || noun.endsWith("ss") ? "es" : "s");
    }
}
