package io.pgstress.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** SQL as pgjdbc scans it: quotes, dollar quotes and comments are skipped as a whole. */
public final class SqlText {
    private static final String LINE_END = "\n\r";
    private static final String SPACE = " \t\f\u000b" + LINE_END;

    private SqlText() {}

    /**
     * The text before, between and after the parameters: each {@code ?} outside quotes and comments. {@code ??} is an operator's
     * single question mark.
     */
    public static String[] split(String sql) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        int end;
        for (int at = 0; at < sql.length(); at = end) {
            end = end(sql, at);
            if (sql.startsWith("??", at)) {
                part.append('?');
                end++;
            } else if (sql.charAt(at) == '?') {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(sql, at, end);
            }
        }
        parts.add(part.toString());
        return parts.toArray(String[]::new);
    }

    /** The words outside quotes and comments, in lower case. */
    public static List<String> words(String sql) {
        List<String> words = new ArrayList<>();
        int end;
        for (int at = 0; at < sql.length(); at = end) {
            end = end(sql, at);
            int word = end == at + 1 ? wordUpTo(sql, at) : end;
            if (end == at + 1 && word > at) {
                words.add(sql.substring(at, word).toLowerCase(Locale.ROOT));
                end = word;
            }
        }
        return words;
    }

    /** The statements that semicolons separate; empty ones are among them. */
    public static List<String> statements(String sql) {
        List<String> statements = new ArrayList<>();
        StatementEnds ends = new StatementEnds();
        int begin = 0;
        int end;
        for (int at = 0; at < sql.length(); at = end) {
            end = end(sql, at);
            if (ends.isEnd(sql, at, end)) {
                statements.add(sql.substring(begin, at));
                begin = end;
            }
        }
        statements.add(sql.substring(begin));
        return statements;
    }

    /** SQL without parameters in the form for JDBC: an operator's question mark is doubled. */
    public static String escaped(String sql) {
        StringBuilder text = new StringBuilder();
        int end;
        for (int at = 0; at < sql.length(); at = end) {
            end = end(sql, at);
            text.append(sql.charAt(at) == '?' ? "?" : "").append(sql, at, end);
        }
        return text.toString();
    }

    /** The SQL without its values: a question mark in place of each literal, and no comments. Names and parameters remain. */
    public static String withoutLiterals(String sql) {
        StringBuilder text = new StringBuilder();
        int end;
        for (int at = 0; at < sql.length(); at = end) {
            end = end(sql, at);
            char c = sql.charAt(at);
            if (c == '\'' || Character.isDigit(c) || (c == '$' && end > at + 1)) {
                end = c == '\'' ? literalUpTo(sql, at) : c == '$' ? end : numberUpTo(sql, at);
                text.append('?');
            } else if (c != '"' && end > at + 1) {
                text.append(' '); // a comment
            } else {
                end = c == '"' ? end : Math.max(end, c == '$' ? digitsUpTo(sql, end) : wordUpTo(sql, at));
                text.append(sql, at, end);
            }
        }
        return text.toString();
    }

    /**
     * The end of the literal in quotes that begins here. It is that of the SQL if it depends on {@code standard_conforming_strings}, which
     * only the session knows: what follows may be its value.
     */
    private static int literalUpTo(String sql, int from) {
        int escaped = partsUpTo(sql, from, true);
        return isEscape(sql, from - 1) || escaped == partsUpTo(sql, from, false) ? escaped : sql.length();
    }

    /**
     * The end of the last part of a literal: what follows a doubled quote, and what continues it on a further line, is read like its
     * beginning ({@code xqs} in PostgreSQL's {@code scan.l}).
     */
    private static int partsUpTo(String sql, int from, boolean hasEscapes) {
        int end;
        int next = from;
        do {
            end = hasEscapes ? escapedUpTo(sql, next + 1) : after(sql, "'", next + 1);
            next = continuation(sql, end);
        } while (next < sql.length() && sql.charAt(next) == '\'');
        return end;
    }

    /** Where a literal that ended here may go on: here, or after white space and comments on a further line. */
    private static int continuation(String sql, int from) {
        int at = from;
        boolean isFurtherLine = false;
        while (at < sql.length() && (SPACE.indexOf(sql.charAt(at)) >= 0 || sql.startsWith("--", at))) {
            at = end(sql, at);
            isFurtherLine |= LINE_END.indexOf(sql.charAt(at - 1)) >= 0;
        }
        return isFurtherLine ? at : from;
    }

    /** The end of the number that begins here, such as {@code 1.5e-3}, {@code 0xff} or {@code 1_000}. */
    private static int numberUpTo(String sql, int from) {
        boolean isDecimal = !sql.startsWith("0x", from) && !sql.startsWith("0X", from);
        int at = from;
        while (at < sql.length() && (isWord(sql.charAt(at), false) || sql.charAt(at) == '.')) {
            boolean isExponent = isDecimal && Character.toLowerCase(sql.charAt(at)) == 'e';
            at++;
            at += isExponent && at < sql.length() && "+-".indexOf(sql.charAt(at)) >= 0 ? 1 : 0;
        }
        return at;
    }

    private static int digitsUpTo(String sql, int from) {
        int at = from;
        while (at < sql.length() && Character.isDigit(sql.charAt(at))) {
            at++;
        }
        return at;
    }

    /** The end of the quote or comment that begins here, or of this character if none begins. */
    public static int end(String sql, int at) {
        char c = sql.charAt(at);
        if (c == '\'' && isEscape(sql, at - 1)) {
            return escapedUpTo(sql, at + 1);
        }
        if (c == '\'' || c == '"') {
            return after(sql, String.valueOf(c), at + 1);
        }
        if (sql.startsWith("--", at)) {
            return lineUpTo(sql, at);
        }
        if (sql.startsWith("/*", at)) {
            return commentUpTo(sql, at + 2);
        }
        int tag = c == '$' && !isInName(sql, at - 1) ? dollarTag(sql, at) : 0;
        return tag == 0 ? at + 1 : after(sql, sql.substring(at, at + tag), at + tag);
    }

    /** The end of the next such mark, or of the SQL if there is none. */
    private static int after(String sql, String mark, int from) {
        int found = sql.indexOf(mark, from);
        return found < 0 ? sql.length() : found + mark.length();
    }

    private static int lineUpTo(String sql, int from) {
        int at = from;
        while (at < sql.length() && LINE_END.indexOf(sql.charAt(at)) < 0) {
            at++;
        }
        return Math.min(at + 1, sql.length());
    }

    /** Whether this is the E of {@code E'...'}, in which backslashes are escapes. */
    private static boolean isEscape(String sql, int at) {
        return at >= 0 && (sql.charAt(at) == 'E' || sql.charAt(at) == 'e') && !isInName(sql, at - 1);
    }

    private static boolean isInName(String sql, int at) {
        return at >= 0 && (sql.charAt(at) == '$' || isWord(sql.charAt(at), false));
    }

    private static int escapedUpTo(String sql, int from) {
        int at = from;
        while (at < sql.length() && sql.charAt(at) != '\'') {
            at += sql.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, sql.length());
    }

    /** The end of a comment. Comments may be nested, as in PostgreSQL. */
    private static int commentUpTo(String sql, int from) {
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

    /** The length of the dollar quote's tag that begins here, or 0. */
    private static int dollarTag(String sql, int at) {
        int end = wordUpTo(sql, at + 1);
        return end < sql.length() && sql.charAt(end) == '$' ? end + 1 - at : 0;
    }

    /** The end of the name that begins here; {@code from} if none does. */
    static int wordUpTo(String sql, int from) {
        int at = from;
        while (at < sql.length() && isWord(sql.charAt(at), at == from)) {
            at++;
        }
        return at;
    }

    /** Whether a name may contain the character, or begin with it. */
    static boolean isWord(char c, boolean first) {
        return Character.isLetter(c) || c == '_' || (!first && Character.isDigit(c));
    }

    /**
     * Finds the semicolons that end statements, as psql does since PostgreSQL 14 ({@code psqlscan.l}): not those in parentheses, nor those
     * between BEGIN and END in the body of a function ({@code create function ... begin atomic ...; end}). Not thread-safe.
     */
    public static final class StatementEnds {
        private static final Set<String> FIRST_WORDS = Set.of("create", "or", "replace", "function", "procedure");

        /** The first letters of those words at the beginning of a statement that defines a function. */
        private static final Set<String> OF_FUNCTIONS = Set.of("cf", "cp", "corf", "corp");

        private String initials = "";
        private int words;
        private int parentheses;
        private int blocks;

        /** Whether the quote, comment or character between these places ends a statement. To be called for each of them in order. */
        public boolean isEnd(String sql, int at, int end) {
            char c = sql.charAt(at);
            if (end > at + 1) {
                return false;
            }
            if (c == ';') {
                boolean isEnd = parentheses == 0 && blocks == 0;
                if (isEnd) {
                    initials = "";
                    words = 0;
                }
                return isEnd;
            }
            parentheses = Math.max(0, parentheses + (c == '(' ? 1 : c == ')' ? -1 : 0));
            if (isWord(c, true) && !isInName(sql, at - 1) && (at == 0 || sql.charAt(at - 1) != ':')) {
                word(sql.substring(at, wordUpTo(sql, at)).toLowerCase(Locale.ROOT));
            }
            return false;
        }

        private void word(String word) {
            if (words < 4 && FIRST_WORDS.contains(word)) {
                initials += word.charAt(0);
            }
            words++;
            if (parentheses > 0 || !OF_FUNCTIONS.contains(initials)) {
                return;
            }
            switch (word) {
                case "begin" -> blocks++;
                case "case" -> blocks += blocks > 0 ? 1 : 0;
                case "end" -> blocks -= blocks > 0 ? 1 : 0;
                default -> {}
            }
        }
    }
}
