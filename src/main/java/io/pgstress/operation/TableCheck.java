package io.pgstress.operation;

import io.pgstress.result.Remark;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

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
     * @param acknowledged the writes that it compares with the tables
     */
    record ByQuery(Query query, List<WriteTallies> acknowledged) implements TableCheck {}

    /** A check of what this host's clients have met, without a server. */
    @FunctionalInterface
    non-sealed interface Local extends TableCheck {
        List<Remark> found();
    }

    /**
     * Writes that cannot be checked.
     *
     * @param remark the operation and the reason
     */
    record Unchecked(Remark remark) implements TableCheck {}

    static List<TableCheck> of(Query query, WriteTallies... acknowledged) {
        return List.of(new ByQuery(query, List.of(acknowledged)));
    }
}
