package io.pgstress.extra.suggest;

import io.pgstress.extra.suggest.Condition.Part;

/** Recognizes regular expressions that describe the beginning or a part of a string without special characters. */
final class RegexReader {
    private static final String SPECIAL = ".*+?()[]{}|^$\\";

    private RegexReader() {}

    /** The condition; throws {@link Untranslatable} if the expression is not as simple. */
    static Condition read(String pattern, String options) {
        String rest = pattern;
        boolean begins = rest.startsWith("^");
        rest = begins ? rest.substring(1) : rest;
        boolean open = rest.startsWith(".*");
        rest = open ? rest.substring(2) : rest;
        boolean ends = rest.endsWith("$") && !rest.endsWith("\\$");
        rest = ends ? rest.substring(0, rest.length() - 1) : rest;
        rest = rest.endsWith(".*") && !rest.endsWith("\\.*") ? rest.substring(0, rest.length() - 2) : rest;
        int length = literalLength(rest);
        boolean anyCase = options.contains("i");
        if (length < 1 || options.contains("x") || (ends && !begins)) {
            throw new Untranslatable(
                    "a regular expression other than a beginning (^abc) or a part (abc) of the string");
        }
        if (ends && !anyCase && !open) {
            return Condition.Plain.EQUAL;
        }
        Part part = !begins || open ? Part.ANYWHERE : ends ? Part.WHOLE : Part.BEGINNING;
        return new Condition.Text(part, anyCase, Condition.rounded(length));
    }

    /** The number of characters that the expression stands for; -1 if it has operators. */
    private static int literalLength(String text) {
        int length = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\\' && at + 1 < text.length() && !Character.isLetterOrDigit(text.charAt(at + 1))) {
                at++;
            } else if (SPECIAL.indexOf(c) >= 0) {
                return -1;
            }
            length++;
        }
        return length;
    }
}
