package io.pgstress.text;

import java.util.Locale;

/** Numbers of things, in words for people. */
public final class Counted {
    private Counted() {}

    /** A number with its noun: {@code 1 row}, {@code 2,000 rows}, {@code 2 entries}. */
    public static String of(long count, String noun) {
        return String.format(Locale.ROOT, "%,d ", count) + (count == 1 ? noun : plural(noun));
    }

    /** The regular plural. */
    private static String plural(String noun) {
        boolean y = noun.endsWith("y") && "aeiou".indexOf(noun.charAt(noun.length() - 2)) < 0;
        return y
                ? noun.substring(0, noun.length() - 1) + "ies"
                : noun + (noun.endsWith("x") || noun.endsWith("ss") ? "es" : "s");
    }
}
