package io.pgstress.text;

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
    private static final Set<String> OF_TRANSACTIONS =
            Set.of("begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release");

    public static SqlVerb of(String sql) {
        FirstWord first = new FirstWord(sql);
        SqlText.walk(sql, first);
        return new SqlVerb(first.word.toString().toLowerCase(Locale.ROOT));
    }

    /** Whether it can be a subquery, in which the server does not let it change anything. */
    public boolean isQuery() {
        return QUERIES.contains(word);
    }

    /** Whether it changes rows. A WITH may change rows too. */
    public boolean isChange() {
        return CHANGES.contains(word);
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

    private static final class FirstWord implements SqlText.Visitor {
        private final String sql;
        private final StringBuilder word = new StringBuilder();
        private boolean ended;

        FirstWord(String sql) {
            this.sql = sql;
        }

        @Override
        public int mark(int at) {
            char c = sql.charAt(at);
            boolean isPart = SqlText.isWord(c, word.isEmpty());
            ended |= !isPart && (!word.isEmpty() || !(Character.isWhitespace(c) || c == '('));
            if (isPart && !ended) {
                word.append(c);
            }
            return 0;
        }

        @Override
        public void text(int from, int to) {
            ended |= to - from > 1 && !word.isEmpty();
        }
    }
}
