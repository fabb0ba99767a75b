package io.pgstress.text;

import java.util.regex.Pattern;

/** Names and values in the text of SQL statements. */
public final class Quoting {
    private static final Pattern PLAIN_WORD = Pattern.compile("[\\w.:/@%+=,-]+");

    private Quoting() {}

    /** An identifier in double quotes. */
    public static String identifier(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** A string literal, which means the same with and without {@code standard_conforming_strings}. */
    public static String literal(String text) {
        String quoted = "'" + text.replace("'", "''") + "'";
        return text.contains("\\") ? "E" + quoted.replace("\\", "\\\\") : quoted;
    }

    /** Whether a text with this character stays on one line and can be read. */
    public static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    /** A word of a command line for a POSIX shell; in quotes only if it needs them. */
    public static String shellWord(String word) {
        return PLAIN_WORD.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** A text in double quotes as an element of an array literal, a key of a JSON path or a JSON string. */
    public static String element(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
