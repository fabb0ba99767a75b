package io.pgstress.plan;

/**
 * A table's name as in the catalog, unquoted.
 *
 * @param schema the schema; an empty string to use the search path
 * @param name the table's own name, not empty
 */
public record TableName(String schema, String name) {
    public TableName {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a table's name cannot be empty");
        }
    }

    /**
     * Reads {@code schema.name} or {@code name}. Each part is written as in the catalog, or in double quotes if it contains a
     * dot.
     */
    public static TableName parse(String text) {
        StringBuilder part = new StringBuilder();
        String schema = "";
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                if (quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
                    part.append('"');
                    i++;
                } else {
                    quoted = !quoted;
                }
            } else if (c == '.' && !quoted && schema.isEmpty() && part.length() > 0) {
                schema = part.toString();
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        return new TableName(schema, part.toString());
    }

    /** The table that {@code find_insert} fills and {@code find_delete} empties. */
    public TableName copy() {
        return new TableName(schema, name + "_copy");
    }

    /** The name as a quoted SQL identifier. */
    public String quoted() {
        return schema.isEmpty() ? quote(name) : quote(schema) + "." + quote(name);
    }

    /** An identifier in double quotes. */
    public static String quote(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** The quoted name as a string literal, for functions that take a table name. */
    public String literal() {
        return "'" + quoted().replace("'", "''") + "'";
    }

    @Override
    public String toString() {
        return schema.isEmpty() ? name : schema + "." + name;
    }
}
