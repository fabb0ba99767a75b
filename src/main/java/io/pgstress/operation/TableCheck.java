package io.pgstress.operation;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What an operation has compared with its tables after a run. */
public sealed interface TableCheck permits TableCheck.Query, TableCheck.Unchecked, Writes {
    /** Looks at the tables itself, on a control connection. */
    @FunctionalInterface
    non-sealed interface Query extends TableCheck {
        /** What holds in the tables. */
        List<PostRunCheck> on(Connection control) throws SQLException;
    }

    /**
     * Writes that cannot be checked.
     *
     * @param text the operation and the reason
     */
    record Unchecked(String text) implements TableCheck {}

    /** A list of one query. */
    static List<TableCheck> of(Query query) {
        return List.of(query);
    }
}
