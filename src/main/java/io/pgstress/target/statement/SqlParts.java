package io.pgstress.target.statement;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts SQL at its parameters as pgjdbc does: a {@code ?} outside of quotes, dollar quotes and comments; {@code ??} is
 * an operator's single question mark.
 */
final class SqlParts {
    private final String sql;
    private final List<String> parts = new ArrayList<>();
    private final StringBuilder part = new StringBuilder();
    private int at;

    private SqlParts(String sql) {
        this.sql = sql;
    }

    /** What stands before, between and behind the parameters. */
    static String[] split(String sql) {
        return new SqlParts(sql).run();
    }

    private String[] run() {
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (c == '\'' || c == '"') {
                copyTo(sql.indexOf(c, at + 1), 1);
            } else if (sql.startsWith("--", at)) {
                copyTo(sql.indexOf('\n', at), 1);
            } else if (sql.startsWith("/*", at)) {
                copyTo(sql.indexOf("*/", at + 2), 2);
            } else if (c == '$' && dollarTag() > 0) {
                String tag = sql.substring(at, at + dollarTag());
                copyTo(sql.indexOf(tag, at + tag.length()), tag.length());
            } else if (c == '?') {
                questionMark();
            } else {
                part.append(c);
                at++;
            }
        }
        parts.add(part.toString());
        return parts.toArray(String[]::new);
    }

    private void questionMark() {
        if (at + 1 < sql.length() && sql.charAt(at + 1) == '?') {
            part.append('?');
            at += 2;
        } else {
            parts.add(part.toString());
            part.setLength(0);
            at++;
        }
    }

    /** Copies up to and with the closing mark, or all that is left. */
    private void copyTo(int end, int length) {
        int next = end < 0 ? sql.length() : end + length;
        part.append(sql, at, next);
        at = next;
    }

    /** The length of the dollar quote's tag that begins here, or 0. */
    private int dollarTag() {
        int i = at + 1;
        while (i < sql.length()
                && (Character.isLetter(sql.charAt(i))
                        || sql.charAt(i) == '_'
                        || (i > at + 1 && Character.isDigit(sql.charAt(i))))) {
            i++;
        }
        return i < sql.length() && sql.charAt(i) == '$' ? i + 1 - at : 0;
    }
}
