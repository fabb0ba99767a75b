package io.pgstress.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits SQL at its parameters as pgjdbc does: at each {@code ?} outside quotes, dollar quotes and comments; {@code ??} is an
 * operator's single question mark.
 */
public final class SqlParts implements SqlText.Visitor {
    private final String sql;
    private final List<String> parts = new ArrayList<>();
    private final StringBuilder part = new StringBuilder();

    private SqlParts(String sql) {
        this.sql = sql;
    }

    /** SQL without parameters in the form for JDBC: an operator's question mark is doubled. */
    public static String escaped(String sql) {
        StringBuilder text = new StringBuilder();
        SqlText.walk(sql, new SqlText.Visitor() {
            @Override
            public int mark(int at) {
                text.append(sql.charAt(at) == '?' ? "?" : "");
                return 0;
            }

            @Override
            public void text(int from, int to) {
                text.append(sql, from, to);
            }
        });
        return text.toString();
    }

    /** The text before, between and after the parameters. */
    public static String[] split(String sql) {
        SqlParts parts = new SqlParts(sql);
        SqlText.walk(sql, parts);
        parts.parts.add(parts.part.toString());
        return parts.parts.toArray(String[]::new);
    }

    @Override
    public int mark(int at) {
        if (sql.charAt(at) != '?') {
            return 0;
        }
        if (at + 1 < sql.length() && sql.charAt(at + 1) == '?') {
            part.append('?');
            return 2;
        }
        parts.add(part.toString());
        part.setLength(0);
        return 1;
    }

    @Override
    public void text(int from, int to) {
        part.append(sql, from, to);
    }
}
