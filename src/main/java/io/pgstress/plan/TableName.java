package io.pgstress.plan;

import io.pgstress.text.Quoting;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table's name as in the catalog, unquoted.
 *
 * @param schema the schema; an empty string to use the search path
 * @param name the table's own name, not empty
 */
public record TableName(String schema, String name) {
    private static final String IN_QUOTES = "\"(?:[^\"]|\"\")+\"";
    private static final Pattern QUOTED = Pattern.compile(IN_QUOTES, Pattern.DOTALL);
    private static final Pattern PARTS =
            Pattern.compile("(" + IN_QUOTES + "|[^.]+)\\.(" + IN_QUOTES + "|.+)", Pattern.DOTALL);

    public TableName {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a table's name cannot be empty");
        }
    }

    /**
     * Reads {@code schema.name} or {@code name}. Each part is written as in the catalog, or in double quotes if it contains a
     * dot. A quote elsewhere than around a part belongs to the name.
     */
    public static TableName parse(String text) {
        Matcher both = PARTS.matcher(text);
        return both.matches() && !QUOTED.matcher(text).matches()
                ? new TableName(unquoted(both.group(1)), unquoted(both.group(2)))
                : new TableName("", unquoted(text));
    }

    private static String unquoted(String part) {
        return QUOTED.matcher(part).matches()
                ? part.substring(1, part.length() - 1).replace("\"\"", "\"")
                : part;
    }

    /**
     * The other tables that this name may mean if it was written without quotes: {@code a.b.c} as a name with dots, or with a
     * schema that has a dot. Empty without a schema.
     */
    public List<TableName> otherReadings() {
        List<TableName> readings = new ArrayList<>();
        if (!schema.isEmpty()) {
            String text = toString();
            readings.add(new TableName("", text));
            for (int dot = text.indexOf('.', 1); dot > 0 && dot < text.length() - 1; dot = text.indexOf('.', dot + 1)) {
                readings.add(new TableName(text.substring(0, dot), text.substring(dot + 1)));
            }
            readings.remove(this);
        }
        return readings;
    }

    /** The text that {@link #parse} reads as this name; with quotes only if it needs them. */
    public String written() {
        return schema.isEmpty() ? written(name) : written(schema) + "." + written(name);
    }

    private static String written(String part) {
        return part.contains(".") || part.startsWith("\"") ? Quoting.identifier(part) : part;
    }

    /** The table that {@code find_insert} fills and {@code find_delete} empties. */
    public TableName copy() {
        return new TableName(schema, name + "_copy");
    }

    /** The name as a quoted SQL identifier. */
    public String quoted() {
        return schema.isEmpty()
                ? Quoting.identifier(name)
                : Quoting.identifier(schema) + "." + Quoting.identifier(name);
    }

    /** The quoted name as a string literal, for functions that take a table name. */
    public String literal() {
        return Quoting.literal(quoted());
    }

    @Override
    public String toString() {
        return schema.isEmpty() ? name : schema + "." + name;
    }
}
