package io.pgstress.text;

import java.util.ArrayList;
import java.util.List;

/**
 * SQL whose parameters have names.
 *
 * @param text the SQL for JDBC: {@code ?} for each {@code :name}, and {@code ??} for an operator's question mark
 * @param names the names of the parameters, by position; a name may occur more than once
 */
public record NamedSql(String text, List<String> names) {
    public NamedSql {
        names = List.copyOf(names);
    }

    /** Finds each {@code :name} outside quotes, comments and <code>${...}</code>; {@code ::} is a cast. */
    public static NamedSql of(String sql) {
        Reader reader = new Reader(sql);
        SqlText.walk(sql, reader);
        return new NamedSql(reader.text.toString(), reader.names);
    }

    /** Whether SQL contains more than one statement, which a JDBC statement does not accept. */
    public static boolean holdsSeveral(String sql) {
        Reader reader = new Reader(sql);
        SqlText.walk(sql, reader);
        return reader.several;
    }

    private static final class Reader implements SqlText.Visitor {
        private final String sql;
        private final StringBuilder text = new StringBuilder();
        private final List<String> names = new ArrayList<>();
        private boolean ended;
        private boolean several;

        Reader(String sql) {
            this.sql = sql;
        }

        @Override
        public int mark(int at) {
            several |= ended && !Character.isWhitespace(sql.charAt(at)) && sql.charAt(at) != ';';
            ended |= sql.charAt(at) == ';';
            if (sql.charAt(at) == '?') {
                text.append("??");
                return 1;
            }
            if (sql.startsWith("::", at)) {
                text.append("::");
                return 2;
            }
            int place = sql.startsWith("${", at) ? sql.indexOf('}', at) : -1;
            if (place > 0) {
                text.append(sql, at, place + 1);
                return place + 1 - at;
            }
            int end = at + 1;
            while (sql.charAt(at) == ':' && end < sql.length() && SqlText.isWord(sql.charAt(end), end == at + 1)) {
                end++;
            }
            if (end == at + 1) {
                return 0;
            }
            names.add(sql.substring(at + 1, end));
            text.append('?');
            return end - at;
        }

        @Override
        public void text(int from, int to) {
            text.append(sql, from, to);
        }
    }
}
