package io.pgstress.operation;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A comparison of an operation's tables with its results after a run. */
public sealed interface TableCheck permits TableCheck.Query, TableCheck.Unchecked, Writes {
    /** A check that queries the tables itself, on a control connection. */
    @FunctionalInterface
    non-sealed interface Query extends TableCheck {
        /** Runs the check. */
        List<PostRunCheck> on(Connection control) throws SQLException;
    }

    /**
     * Writes that cannot be checked.
     *
     * @param text the operation and the reason
     */
    record Unchecked(String text) implements TableCheck {}

    /** A list with this one check. */
    static List<TableCheck> of(Query query) {
        return List.of(query);
    }
}
