package io.pgstress.text;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The first word of a statement, after comments and parentheses, in lower case; empty if there is none. The properties of each
 * command are those in PostgreSQL's manual.
 */
public record SqlVerb(String word) {
    private static final Set<String> QUERIES = Set.of("select", "with", "values", "table");
    private static final Set<String> CHANGES = Set.of("insert", "update", "delete", "merge");
    private static final Set<String> OTHERS_WITH_ROWS = Set.of("execute", "fetch", "move", "show", "copy");
    /** What keeps all rows as they are, beside queries and what belongs to transactions; PREPARE executes nothing. */
    private static final Set<String> LEAVING_ROWS = Set.of(
            "",
            "show",
            "set",
            "reset",
            "fetch",
            "move",
            "close",
            "declare",
            "listen",
            "unlisten",
            "notify",
            "lock",
            "prepare",
            "deallocate",
            "analyze",
            "vacuum",
            "checkpoint",
            "reindex",
            "cluster",
            "comment",
            "discard");

    private static final Set<String> OF_TRANSACTIONS =
            Set.of("begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release");

    public static SqlVerb of(String sql) {
        StringBuilder word = new StringBuilder();
        int end;
        for (int at = 0; at < sql.length(); at = end) {
            end = SqlText.end(sql, at);
            char c = sql.charAt(at);
            boolean isWhole = end > at + 1; // a quote or a comment
            if (!isWhole && SqlText.isWord(c, word.isEmpty())) {
                word.append(c);
            } else if (!word.isEmpty() || !(isWhole || Character.isWhitespace(c) || c == '(')) {
                break;
            }
        }
        return new SqlVerb(word.toString().toLowerCase(Locale.ROOT));
    }

    /** Those of all statements that semicolons separate; that of no statement is empty. */
    public static List<SqlVerb> ofEach(String sql) {
        return SqlText.statements(sql).stream().map(SqlVerb::of).toList();
    }

    /** Whether it can be a subquery, in which the server does not let it change anything. */
    public boolean isQuery() {
        return QUERIES.contains(word);
    }

    /** Whether it changes rows. A WITH may change rows too. */
    public boolean isChange() {
        return CHANGES.contains(word);
    }

    /**
     * Whether it leaves all rows as they are, if it is not a WITH that changes some and calls no function that does; false if
     * that is unknown.
     */
    public boolean leavesRows() {
        return isQuery() || isOfTransaction() || LEAVING_ROWS.contains(word);
    }

    /** Whether the server plans it. */
    public boolean hasPlan() {
        return isQuery() || isChange();
    }

    /** Whether the server reports a number of rows. */
    public boolean countsRows() {
        return hasPlan() || OTHERS_WITH_ROWS.contains(word);
    }

    /** Whether it begins, ends or divides a transaction. */
    public boolean isOfTransaction() {
        return OF_TRANSACTIONS.contains(word);
    }
}
