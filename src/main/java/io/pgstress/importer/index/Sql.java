package io.pgstress.importer.index;

import io.pgstress.text.Json;
import org.jspecify.annotations.Nullable;

/** Pieces of SQL. */
final class Sql {
    private Sql() {}

    /** A string literal. */
    static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** A literal of type jsonb. */
    static String jsonb(@Nullable Object value) {
        return literal(value == null ? "null" : Json.writeLine(value)) + "::jsonb";
    }
}
