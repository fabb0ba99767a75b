package io.pgstress.text;

/** Scans SQL as pgjdbc does, skipping quotes, dollar quotes and comments. Single use. */
final class SqlText {
    /** Receives the scanned text. */
    interface Visitor {
        /** Looks for a mark at this position, outside quotes and comments; returns its length, 0 if there is none. */
        int mark(int at);

        /** Receives text that is not a mark. */
        void text(int from, int to);
    }

    private final String sql;

    private SqlText(String sql) {
        this.sql = sql;
    }

    static void walk(String sql, Visitor visitor) {
        SqlText text = new SqlText(sql);
        int at = 0;
        while (at < sql.length()) {
            int end = text.quotedUpTo(at);
            if (end > at) {
                visitor.text(at, end);
                at = end;
                continue;
            }
            int taken = visitor.mark(at);
            if (taken == 0) {
                visitor.text(at, at + 1);
            }
            at += Math.max(1, taken);
        }
    }

    /** The end of the quote or comment that begins here; {@code at} if none does. */
    private int quotedUpTo(int at) {
        char c = sql.charAt(at);
        if (c == '\'' && isEscape(at - 1)) {
            return escapedUpTo(at + 1);
        }
        if (c == '\'' || c == '"') {
            return after(sql.indexOf(c, at + 1), 1);
        }
        if (sql.startsWith("--", at)) {
            return after(sql.indexOf('\n', at), 1);
        }
        if (sql.startsWith("/*", at)) {
            return commentUpTo(at + 2);
        }
        int tag = c == '$' && !isInName(at - 1) ? dollarTag(at) : 0;
        return tag == 0 ? at : after(sql.indexOf(sql.substring(at, at + tag), at + tag), tag);
    }

    /** Whether this is the E of {@code E'...'}, in which backslashes are escapes. */
    private boolean isEscape(int at) {
        return at >= 0 && (sql.charAt(at) == 'E' || sql.charAt(at) == 'e') && !isInName(at - 1);
    }

    private boolean isInName(int at) {
        return at >= 0 && (sql.charAt(at) == '$' || isWord(sql.charAt(at), false));
    }

    private int escapedUpTo(int from) {
        int at = from;
        while (at < sql.length() && sql.charAt(at) != '\'') {
            at += sql.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, sql.length());
    }

    /** The end of a comment. Comments may be nested, as in PostgreSQL. */
    private int commentUpTo(int from) {
        int open = 1;
        int at = from;
        while (at < sql.length() && open > 0) {
            boolean isBegin = sql.startsWith("/*", at);
            boolean isEnd = sql.startsWith("*/", at);
            open += isBegin ? 1 : isEnd ? -1 : 0;
            at += isBegin || isEnd ? 2 : 1;
        }
        return at;
    }

    private int after(int end, int length) {
        return end < 0 ? sql.length() : end + length;
    }

    /** The length of the dollar quote's tag that begins here, or 0. */
    private int dollarTag(int at) {
        int i = at + 1;
        while (i < sql.length() && isWord(sql.charAt(i), i == at + 1)) {
            i++;
        }
        return i < sql.length() && sql.charAt(i) == '$' ? i + 1 - at : 0;
    }

    /** Whether a name may contain the character, or begin with it. */
    static boolean isWord(char c, boolean first) {
        return Character.isLetter(c) || c == '_' || (!first && Character.isDigit(c));
    }
}
