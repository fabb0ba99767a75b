package io.pgstress.operation;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A comparison of an operation's tables with its results after a run. */
public sealed interface TableCheck permits TableCheck.ByQuery, TableCheck.Local, TableCheck.Unchecked, Writes {
    /** The acknowledged writes that it compares with the tables. */
    default List<WriteTallies> acknowledged() {
        return List.of();
    }

    /** Compares the tables with what is expected of them, on a control connection. */
    @FunctionalInterface
    interface Query {
        List<PostRunCheck> on(Connection control) throws SQLException;
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
        List<PostRunCheck> found();
    }

    /**
     * Writes that cannot be checked.
     *
     * @param text the operation and the reason
     */
    record Unchecked(String text) implements TableCheck {}

    static List<TableCheck> of(Query query, WriteTallies... acknowledged) {
        return List.of(new ByQuery(query, List.of(acknowledged)));
    }

    /**
     * The result of a check of the tables after a load.
     *
     * @param holds false: the tables are not as they should be
     * @param isDone false: acknowledged writes could not be checked
     * @param text the finding, in one line
     */
    public record PostRunCheck(boolean holds, boolean isDone, String text) {
        public PostRunCheck(boolean holds, String text) {
            this(holds, true, text);
        }

        /** Writes that could not be checked, so that lost ones would not be noticed. */
        public static PostRunCheck notDone(String text) {
            return new PostRunCheck(true, false, text);
        }
    }
}
