package io.pgstress.plan.server;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Connection parameters by libpq's keywords, as a connection string gives them. Immutable. It may contain a password, so print
 * only single values.
 */
record Conninfo(Map<String, String> values) {
    Conninfo {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Whether this is a connection string of libpq, a URI or {@code keyword=value ...}, and not the name of a database. */
    static boolean isOne(String text) {
        return ConninfoUri.isOne(text) || (text.contains("=") && !text.startsWith("jdbc:"));
    }

    /**
     * Reads a connection string.
     *
     * @throws IllegalArgumentException if it is none, or has a parameter that cannot be used; the message contains no value of it
     */
    static Conninfo parse(String text) {
        return new Conninfo(ConninfoUri.isOne(text) ? ConninfoUri.read(text) : pairs(text));
    }

    /** The value, or an empty string. */
    String get(String keyword) {
        return values.getOrDefault(keyword, "");
    }

    /** The same with these values in the place of its own. A host replaces an address, too, and an address a host. */
    Conninfo overriddenBy(Map<String, String> others) {
        Map<String, String> all = new LinkedHashMap<>(values);
        if (others.containsKey("host") || others.containsKey("hostaddr")) {
            all.keySet().removeAll(List.of("host", "hostaddr"));
        }
        all.putAll(others);
        return new Conninfo(all);
    }

    /** The same with these values for what it leaves out. */
    Conninfo completedBy(Map<String, String> others) {
        return new Conninfo(others).overriddenBy(values);
    }

    /**
     * Reads {@code keyword = 'value' ...} as {@code conninfo_parse} of libpq does: spaces around the equals sign, quotes around
     * values, and a backslash before a quote or a backslash.
     */
    private static Map<String, String> pairs(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        int at = 0;
        while ((at = afterSpaces(text, at)) < text.length()) {
            int equals = text.indexOf('=', at);
            String keyword = equals < 0 ? "" : text.substring(at, equals).trim();
            if (keyword.isEmpty() || keyword.chars().anyMatch(Character::isWhitespace)) {
                throw new IllegalArgumentException(
                        "a connection string must be keyword=value ..., but there is a word without '=' at character "
                                + (at + 1));
            }
            StringBuilder value = new StringBuilder();
            at = value(text, afterSpaces(text, equals + 1), value);
            values.put(LibpqParameters.named(keyword).keyword(), value.toString());
        }
        return values;
    }

    private static int afterSpaces(String text, int from) {
        int at = from;
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Reads a value and returns where it ends. */
    private static int value(String text, int from, StringBuilder value) {
        boolean isQuoted = from < text.length() && text.charAt(from) == '\'';
        int at = isQuoted ? from + 1 : from;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (isQuoted ? c == '\'' : Character.isWhitespace(c)) {
                return at + 1;
            }
            if (c == '\\' && at + 1 < text.length()) {
                at++;
            }
            value.append(text.charAt(at));
        }
        if (isQuoted) {
            throw new IllegalArgumentException("a quoted value in the connection string does not end");
        }
        return at;
    }
}
