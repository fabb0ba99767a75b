package io.pgstress.plan;

/**
 * Walks over SQL as pgjdbc does, so that what stands in quotes, dollar quotes and comments is left alone. Of one use.
 */
final class SqlText {
    /** Takes in what is walked over. */
    interface Visitor {
        /** What stands outside of quotes and comments at this place; the number of characters it took, 0: it is plain text. */
        int mark(int at);

        /** Text that is no mark. */
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

    /** Where the quote or comment ends that begins here; {@code at} where none does. */
    private int quotedUpTo(int at) {
        char c = sql.charAt(at);
        if (c == '\'' || c == '"') {
            return after(sql.indexOf(c, at + 1), 1);
        }
        if (sql.startsWith("--", at)) {
            return after(sql.indexOf('\n', at), 1);
        }
        if (sql.startsWith("/*", at)) {
            return after(sql.indexOf("*/", at + 2), 2);
        }
        int tag = c == '$' ? dollarTag(at) : 0;
        return tag == 0 ? at : after(sql.indexOf(sql.substring(at, at + tag), at + tag), tag);
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

    /** Whether the character may stand in a name, or begin one. */
    static boolean isWord(char c, boolean first) {
        return Character.isLetter(c) || c == '_' || (!first && Character.isDigit(c));
    }
}
