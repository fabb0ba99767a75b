package io.pgstress.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes passwords from what is said to people and from what is saved: the only place that decides which part of a connection
 * string is a secret. A text need not be a valid connection string. What is wrong with it may be just the character of the password
 * that had to be percent-encoded, so nothing before the last {@code @} is kept.
 */
public final class Secrets {
    private static final String MASK = "***";

    /** What may be in front of a role and its password: an option and a scheme. */
    private static final Pattern START =
            Pattern.compile("(?:--[\\w-]+=|-[a-zA-Z](?=jdbc:|postgres))?(?:(?:jdbc:)?postgres(?:ql)?:/*)?");

    /** {@code FILE@WEIGHT}, as pgbench writes it. */
    private static final Pattern WEIGHTED = Pattern.compile("[^:]*@\\d+");

    private static final Pattern PASSWORD = Pattern.compile("(?i)password\\s*=");
    private static final Pattern URL = Pattern.compile("(?i)jdbc:|://");
    private static final Pattern PARAMETER = Pattern.compile("(?i)(password)\\s*=[^&]*?(?=&|,clients=\\d+$|$)");

    private Secrets() {}

    /** One word of a command line, or one connection string, without its secrets. Other texts remain as they are. */
    public static String masked(String word) {
        int at = WEIGHTED.matcher(word).matches() ? -1 : word.lastIndexOf('@');
        if (at < 0) {
            return withoutPassword(word);
        }
        String before = word.substring(0, at);
        Matcher start = START.matcher(before);
        String kept = start.lookingAt() ? start.group() : "";
        if (kept.length() == at) {
            return withoutPassword(word);
        }
        // the rest after an @ in the value of password= is a part of the password
        return PASSWORD.matcher(before).find()
                ? kept + MASK
                : kept + MASK + "@" + withoutPassword(word.substring(at + 1));
    }

    /** A password ends at the next parameter of a URL. In a connection string, it may contain anything, so the rest goes too. */
    private static String withoutPassword(String word) {
        Matcher first = PASSWORD.matcher(word);
        if (!first.find() || URL.matcher(word.substring(0, first.start())).find()) {
            return PARAMETER.matcher(word).replaceAll("$1=" + MASK);
        }
        return word.substring(0, first.start()) + "password=" + MASK;
    }

    /**
     * A message without the secrets of the words that it may quote, as a whole or in part.
     *
     * @param words what the user typed
     */
    public static String inMessage(String message, Collection<String> words) {
        String safe = message;
        boolean hasSecret = false;
        for (String word : words.stream()
                .sorted(Comparator.comparing(String::length).reversed())
                .toList()) {
            String masked = masked(word);
            if (!masked.equals(word)) {
                hasSecret = true;
                safe = safe.replace(word, masked);
            }
        }
        int quote = safe.indexOf('\'');
        int at = safe.lastIndexOf('@');
        // a part of a word: nothing tells where it begins but the quote in front of it
        return hasSecret && quote >= 0 && quote < at
                ? safe.substring(0, quote + 1) + masked(safe.substring(quote + 1))
                : safe;
    }
}
