package io.pgstress.plan.sql;

import java.util.Locale;
import java.util.Set;

/**
 * What a statement begins with, after comments and parentheses, in lower case; empty if there is no word. What follows
 * from it is as PostgreSQL's manual has it of each command.
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

    /** Whether it can stand within another query, where the server lets it change nothing by itself. */
    public boolean isQuery() {
        return QUERIES.contains(word);
    }

    /** Whether it changes rows; a WITH may do so too. */
    public boolean isChange() {
        return CHANGES.contains(word);
    }

    /** Whether the server plans it. */
    public boolean hasPlan() {
        return isQuery() || isChange();
    }

    /** Whether a number of rows comes of it. */
    public boolean countsRows() {
        return hasPlan() || OTHERS_WITH_ROWS.contains(word);
    }

    /** Whether it begins, ends or parts a transaction. */
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
