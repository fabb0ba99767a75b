package io.pgstress.importer.index;

import io.pgstress.text.Json;
import org.jspecify.annotations.Nullable;

/** Pieces of SQL. */
final class Sql {
    private Sql() {}

    /** A string literal, which is the same with and without {@code standard_conforming_strings}. */
    static String literal(String text) {
        String quoted = "'" + text.replace("'", "''") + "'";
        return text.contains("\\") ? "E" + quoted.replace("\\", "\\\\") : quoted;
    }

    /** A literal of type jsonb. */
    static String jsonb(@Nullable Object value) {
        return literal(value == null ? "null" : Json.writeLine(value)) + "::jsonb";
    }
}
