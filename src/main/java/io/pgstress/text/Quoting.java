package io.pgstress.text;

/** Names and values in the text of SQL statements. */
public final class Quoting {
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

    /** A text in double quotes as an element of an array literal, a key of a JSON path or a JSON string. */
    public static String element(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
