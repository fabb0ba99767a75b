package io.pgstress.operation;

import java.sql.SQLException;

/** An operation as one client runs it, over and over, on its own thread. */
public interface ClientOperation {
    /** Draws the ids of the next run, outside of its time; false: they are used up. */
    boolean draw();

    /** Whether a draw that gave nothing means that all is done, rather than that ids are used up. */
    default boolean isDone() {
        return false;
    }

    /** Runs it with the ids that were drawn; after a retryable error it is called again without a draw. */
    Ending execute() throws SQLException;

    /** The transaction around what {@link #execute} did is committed; never called without one. */
    default void committed() {}

    /** The commit failed; never called without a transaction around the operation. */
    default void notCommitted(SQLException e) {}

    /** The rows that the last run read or changed: what rows/s means. */
    long rows();
}
