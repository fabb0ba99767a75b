package io.pgstress.importer.table;

import java.util.ArrayList;
import java.util.List;

/**
 * A piece of a pattern of names.
 *
 * @param text the characters, or the name of the variable; {@code *1} for the first {@code *}, and so on
 * @param variable whether it stands for any characters
 */
record NamePart(String text, boolean variable) {
    /** Splits a pattern. A backslash takes the next character literally. */
    static List<NamePart> of(String pattern) {
        List<NamePart> parts = new ArrayList<>();
        int stars = 0;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '*') {
                parts.add(new NamePart("*" + ++stars, true));
            } else if (c == '$') {
                int end = pattern.indexOf('$', i + 1);
                if (end < i + 2) {
                    throw new IllegalArgumentException(
                            "a variable needs a name between two $ (\\$ is a dollar sign): '" + pattern + "'");
                }
                parts.add(new NamePart(pattern.substring(i + 1, end), true));
                i = end;
            } else {
                i += c == '\\' && i + 1 < pattern.length() ? 1 : 0;
                parts.add(new NamePart(String.valueOf(pattern.charAt(i)), false));
            }
        }
        return parts;
    }

    boolean isStar() {
        return variable && text.startsWith("*");
    }
}
