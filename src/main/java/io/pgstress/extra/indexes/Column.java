package io.pgstress.extra.indexes;

/**
 * A column of an index.
 *
 * @param value its value as SQL
 * @param options its operator class or order; empty for the default
 */
record Column(String value, String options) {
    private static final String PATH_OPERATORS = "jsonb_path_ops";

    /** An expression. */
    static Column of(String expression) {
        return new Column("(" + expression + ")", "");
    }

    /** A value whose contents GIN finds. */
    static Column contents(String expression) {
        return new Column(expression.equals("data") ? expression : "(" + expression + ")", PATH_OPERATORS);
    }

    Column descending() {
        return new Column(value, "desc");
    }

    String sql() {
        return options.isEmpty() ? value : value + " " + options;
    }
}
