package io.pgstress.text;

import io.pgstress.text.SqlText.StatementEnds;
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
        StringBuilder text = new StringBuilder();
        List<String> names = new ArrayList<>();
        int end;
        for (int at = 0; at < sql.length(); at = end) {
            end = SqlText.end(sql, at);
            int place = sql.startsWith("${", at) ? sql.indexOf('}', at) : -1;
            int name = sql.charAt(at) == ':' ? SqlText.wordUpTo(sql, end) : end;
            if (sql.charAt(at) == '?') {
                text.append("??");
            } else if (name > end) {
                names.add(sql.substring(end, name));
                text.append('?');
                end = name;
            } else {
                end = sql.startsWith("::", at) ? at + 2 : place > 0 ? place + 1 : end;
                text.append(sql, at, end);
            }
        }
        return new NamedSql(text.toString(), names);
    }

    /** Whether SQL contains more than one statement, which a JDBC statement does not accept. */
    public static boolean holdsSeveral(String sql) {
        boolean ended = false;
        StatementEnds ends = new StatementEnds();
        int end;
        for (int at = 0; at < sql.length(); at = end) {
            end = SqlText.end(sql, at);
            char c = sql.charAt(at);
            if (ended && end == at + 1 && c != ';' && !Character.isWhitespace(c)) {
                return true;
            }
            ended |= ends.isEnd(sql, at, end);
        }
        return false;
    }
}
