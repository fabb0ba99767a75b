package io.pgstress.operation;

import io.pgstress.plan.TableName;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.text.SqlText;
import io.pgstress.text.SqlVerb;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A comparison of an operation's tables with its results after a run. */
public sealed interface TableCheck permits TableCheck.ByQuery, TableCheck.Local, TableCheck.Unchecked, Writes {
    /** The acknowledged writes that it compares with the tables. */
    default List<WriteTallies> acknowledged() {
        return List.of();
    }

    /**
     * Compares the tables with what is expected of them, on a control connection. Reasons against the result say that they differ,
     * warnings that acknowledged writes could not be checked, and notes what was found.
     */
    @FunctionalInterface
    interface Query {
        List<Remark> on(Connection control) throws SQLException;
    }

    /**
     * A check that queries the tables itself.
     *
     * @param operation whose writes it compares
     * @param tables those that the operation writes to, as written in SQL
     * @param acknowledged the writes that it compares with the tables
     */
    record ByQuery(String operation, Query query, List<String> tables, List<WriteTallies> acknowledged)
            implements TableCheck {
        public ByQuery {
            tables = List.copyOf(tables);
        }
    }

    /** A check of what this host's clients have met, without a server. */
    @FunctionalInterface
    non-sealed interface Local extends TableCheck {
        List<Remark> found();
    }

    /**
     * Writes that cannot be checked, and may change rows whose number other checks compare.
     *
     * @param operation the name of their operation
     * @param remark which writes, and the reason
     * @param statements their SQL
     */
    record Unchecked(String operation, Remark remark, List<String> statements) implements TableCheck {
        /** The first words of statements that may write to tables which they do not name. */
        private static final Set<String> OPAQUE = Set.of("call", "do", "execute");

        private static final Set<String> REACHING_FURTHER = Set.of("cascade", "search_path", "schema");

        public Unchecked {
            statements = List.copyOf(statements);
        }

        /**
         * @param name of the operation or its step
         * @param why they cannot be checked
         */
        public static Unchecked of(String operation, String name, String why, List<String> statements) {
            return new Unchecked(
                    operation,
                    RemarkCode.STEP_NOT_CHECKED
                            .with("operation", name)
                            .with("why", why)
                            .remark(),
                    statements);
        }

        /** Whether they may change rows of a table: they name it, or do not say to which tables they write. */
        public boolean mayTouch(TableName table) {
            String name = table.name().toLowerCase(Locale.ROOT);
            return statements.stream()
                    .anyMatch(sql -> sql.toLowerCase(Locale.ROOT).contains(name)
                            || SqlVerb.ofEach(sql).stream().anyMatch(verb -> OPAQUE.contains(verb.word()))
                            || SqlText.words(sql).stream().anyMatch(REACHING_FURTHER::contains));
        }
    }

    /** @param tables those that the operation writes to, as written in SQL */
    static List<TableCheck> of(String operation, Query query, List<String> tables, WriteTallies... acknowledged) {
        return List.of(new ByQuery(operation, query, tables, List.of(acknowledged)));
    }
}
